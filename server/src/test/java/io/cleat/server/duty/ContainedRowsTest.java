package io.cleat.server.duty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.InWork;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.JobType;
import io.cleat.model.UpdatePolicy;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.AdvanceDrain;
import io.cleat.server.decide.Attach;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.CommitPlan;
import io.cleat.server.decide.Detach;
import io.cleat.server.decide.DrainNode;
import io.cleat.server.decide.EndOperation;
import io.cleat.server.decide.FailEvaluation;
import io.cleat.server.decide.RegisterJob;
import io.cleat.server.decide.RegisterVolume;
import io.cleat.server.decide.SendOperation;
import io.cleat.server.vault.NoSecrets;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.wire.ToNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A fault in the work for one row of a duty: it is told with the name of that row, the other rows are worked on all the
 * same, and memory that has run out goes on up.
 */
final class ContainedRowsTest {
    private static final Duration DAY = Duration.ofDays(1);

    private final Cluster cluster = new Cluster();
    private final List<String> told = new ArrayList<>();
    private Error fault = new AssertionError("planted");

    private final FaultHandler faults = new FaultHandler() {
        @Override
        public void fault(String where, Throwable thrown) {
            told.add("ends the process: " + where);
        }

        @Override
        public void contained(String where, Throwable thrown) {
            told.add(where);
        }
    };

    /** Meets the fault where it is first asked, and answers after that. */
    private final class OnceFaulty {
        private boolean isOver;

        void meet() {
            if (!isOver) {
                isOver = true;
                throw fault;
            }
        }
    }

    private Ids faultyIds() {
        OnceFaulty first = new OnceFaulty();
        return () -> {
            first.meet();
            return cluster.id();
        };
    }

    /** Decides as a leader does, but for the first command. */
    private ScriptedDeciding faulty() {
        OnceFaulty first = new OnceFaulty();
        return new ScriptedDeciding(cluster::state, command -> {
                    first.meet();
                    return decided(command);
                })
                .at(cluster.now());
    }

    private <R> Answer<R> decided(Command<R> command) {
        return new Answer.Accepted<>(cluster.accept(command), cluster.state().version());
    }

    /** What was not met by a fault was still asked for, and the faulty row is looked at again. */
    private void requireGoesOn(Duty duty, ScriptedDeciding deciding, String where, int asked) throws Exception {
        Duration rest = duty.turn();
        assertEquals(1, told.size(), told::toString);
        assertTrue(told.getFirst().startsWith(where), told::toString);
        assertEquals(asked, deciding.asked.size(), deciding.asked::toString);
        assertTrue(rest.compareTo(Duty.AFTER_FAULT) <= 0, "it looks again in " + rest);
    }

    @Test
    void twoNodesAreDrained_theFaultOfOneLeavesTheOther() throws Exception {
        for (String node : List.of("n1", "n2")) {
            cluster.node(node);
            cluster.accept(new DrainNode(node, new DrainNode.Wish(DAY, false), false, Map.of(), cluster.id()));
        }
        ScriptedDeciding deciding = faulty();
        requireGoesOn(new DrainDuty(deciding, faults), deciding, "duty/drain, node n1", 2);
        assertEquals("n2", ((AdvanceDrain) deciding.asked.getLast()).nodeId());
    }

    @Test
    void twoDeploymentsAreOverdue_theFaultOfOneLeavesTheOther() throws Exception {
        cluster.node("n1");
        UpdatePolicy update = new UpdatePolicy(
                1,
                0,
                "task_states",
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                Duration.ofSeconds(30),
                false,
                false);
        for (String job : List.of("a", "b")) {
            cluster.run(Cluster.with(Cluster.job(job, JobType.SERVICE, 1), null, update));
        }
        cluster.pass(DAY);
        ScriptedDeciding deciding = faulty();
        requireGoesOn(new DeploymentDuty(deciding, faults), deciding, "duty/deployment, deployment ", 2);
    }

    @Test
    void twoClaimsAreToBeAttached_theFaultOfOneLeavesTheOther() throws Exception {
        granted();
        ScriptedDeciding deciding = answering();
        requireGoesOn(
                new AttachmentDuty("attach", deciding, new Attaching(faultyIds(), faults)),
                deciding,
                "duty/attach, claim ",
                1);
        assertTrue(deciding.asked.getFirst() instanceof Attach, deciding.asked::toString);
    }

    @Test
    void twoAttachmentsAreToBeDetached_theFaultOfOneLeavesTheOther() throws Exception {
        letGo();
        ScriptedDeciding deciding = answering();
        requireGoesOn(
                new AttachmentDuty("release", deciding, new Detaching(faultyIds(), faults)),
                deciding,
                "duty/release, attachment ",
                1);
        assertTrue(deciding.asked.getFirst() instanceof Detach, deciding.asked::toString);
    }

    @Test
    void twoOperationsAreDue_theFaultOfOneLeavesTheOther() throws Exception {
        plugin();
        register("v1");
        register("v2");
        List<String> sent = new ArrayList<>();
        ScriptedDeciding deciding = faulty();
        requireGoesOn(operations(deciding, sent), deciding, "duty/operation, operation ", 2);
        assertEquals(List.of("n1"), sent);
    }

    @Test
    void twoEvaluationsArePlanned_theFaultOfOneFailsItAndLeavesTheOther() throws Exception {
        cluster.node("n1");
        for (String job : List.of("a", "b")) {
            cluster.accept(new RegisterJob(Cluster.job(job, JobType.SERVICE, 1), null, null, 0, cluster.id()));
        }
        ScriptedDeciding deciding = answering();
        new PlacementDuty(deciding, faultyIds(), faults, InWork.UNNOTED).turn();
        assertEquals(1, told.size(), told::toString);
        assertTrue(told.getFirst().startsWith("planning evaluation "), told::toString);
        assertTrue(deciding.asked.getFirst() instanceof FailEvaluation);
        assertTrue(deciding.asked.getLast() instanceof CommitPlan);
    }

    @Test
    void memoryThatIsNotToBeHadIsNoFaultOfARow() throws Exception {
        plugin();
        register("v1");
        fault = new OutOfMemoryError("planted");
        ScriptedDeciding deciding = faulty();
        assertThrows(
                OutOfMemoryError.class,
                () -> operations(deciding, new ArrayList<>()).turn());
        assertEquals(List.of(), told);
    }

    private ScriptedDeciding answering() {
        return new ScriptedDeciding(cluster::state, this::decided).at(cluster.now());
    }

    private OperationDuty operations(ScriptedDeciding deciding, List<String> sent) {
        return new OperationDuty(
                deciding,
                new OperationDuty.Links() {
                    @Override
                    public boolean isConnected(String nodeId) {
                        return true;
                    }

                    @Override
                    public void say(String nodeId, ToNode message) {
                        sent.add(nodeId);
                    }
                },
                new NoSecrets(),
                1,
                faults);
    }

    private void plugin() {
        cluster.register(cluster.facts(
                "n1",
                "boot-1",
                cluster.plugin(
                        "n1",
                        ControllerCapability.CREATE_DELETE_VOLUME,
                        ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)));
    }

    private String register(String volume) {
        String id = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume(volume, "ext-" + volume, Cluster.WRITER), Encrypted.NONE, id));
        return id;
    }

    private void end(String id, OperationOutcome outcome) {
        OperationRow row = cluster.state().operations().get(id).orElseThrow();
        cluster.accept(new SendOperation(id, 1, row.nodeId(), row.allocId()));
        OperationRow sent = cluster.state().operations().get(id).orElseThrow();
        cluster.accept(new EndOperation(id, sent.nodeId(), outcome, cluster.id()));
    }

    /** Two jobs with a granted claim each. */
    private void granted() {
        plugin();
        for (String volume : List.of("v1", "v2")) {
            end(register(volume), new OperationOutcome.Confirmed());
            cluster.writer("job-" + volume, volume);
        }
    }

    /** Two attachments that nobody needs any more. */
    private void letGo() {
        granted();
        for (String volume : List.of("v1", "v2")) {
            String job = "job-" + volume;
            String id = cluster.id();
            cluster.accept(new Attach(cluster.claim(volume, job).id(), id));
            end(id, new OperationOutcome.Published(Encrypted.NONE));
            cluster.runs(job);
            cluster.stop(job);
            cluster.ends(cluster.allocation(job), ClientStatus.COMPLETE);
        }
    }
}
