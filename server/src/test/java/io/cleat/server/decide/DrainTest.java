package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.MigratePolicy;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentId;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.NodeDrain;
import io.cleat.state.NodeRow;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeProgress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A node is drained. Situation -> answer. */
final class DrainTest {
    private static final DrainNode.Wish HOUR = new DrainNode.Wish(Duration.ofHours(1), false);
    private static final DrainNode.Wish AT_ONCE = new DrainNode.Wish(Duration.ofSeconds(-1), false);

    private final Cluster cluster = new Cluster();

    private NodeRow node() {
        return cluster.state().node("n1").orElseThrow();
    }

    private NodeDrain drain() {
        return Objects.requireNonNull(node().drain());
    }

    private Draining draining() {
        return Draining.of(cluster.state(), node());
    }

    private void begin(DrainNode.Wish wish) {
        cluster.accept(new DrainNode("n1", wish, false, Map.of("message", "disk"), cluster.id()));
        advance();
    }

    /** What the duty does, until it has to wait. */
    private void advance() {
        while (node().isDraining() && draining().isDue(cluster.now())) {
            cluster.accept(new AdvanceDrain("n1", cluster.id()));
        }
        cluster.schedule();
    }

    private DesiredStatus desired(String job) {
        return cluster.allocation(job).desired();
    }

    private void ended(String job) {
        AllocationRow row = cluster.state().allocationsOfJob(Cluster.jobId(job)).stream()
                .filter(one -> one.nodeId().equals("n1") && !one.isEnded())
                .findFirst()
                .orElseThrow();
        cluster.ends(row, ClientStatus.COMPLETE);
        advance();
    }

    private void pluginJob() {
        cluster.run(Cluster.job("plugin", JobType.SYSTEM, 1, Cluster.pluginSpec(""), "/bin/true"));
        cluster.runs("plugin");
    }

    @Test
    void whatNeedsThePlugin_goesBeforeIt() {
        cluster.level = Change.ADDRESS_LEVEL;
        cluster.register(
                cluster.facts("n1", "boot-1", cluster.plugin("n1", ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)));
        pluginJob();
        String register = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume("v", "e", Cluster.WRITER), Encrypted.NONE, register));
        settle(new OperationOutcome.Confirmed());
        cluster.writer("a", "v");
        cluster.accept(new Attach(cluster.claim("v", "a").id(), cluster.id()));
        settle(new OperationOutcome.Published(Encrypted.NONE));
        cluster.runs("a");
        cluster.run(Cluster.job("agent", JobType.SYSTEM, 1));
        cluster.runs("agent");

        begin(HOUR);
        assertFalse(node().eligible());
        assertEquals(Draining.Phase.TASKS, draining().phase());
        assertEquals(DesiredStatus.STOP, desired("a"));
        assertEquals("alloc is being migrated", cluster.allocation("a").wanted().desiredDescription());
        assertTrue(cluster.allocation("a").wanted().migrates());
        assertEquals(DesiredStatus.RUN, desired("agent"), "system jobs follow");
        AllocationRow writer = cluster.allocation("a");
        cluster.report(writer, ClientStatus.COMPLETE, VolumeProgress.Phase.UNMOUNTING);
        advance();
        assertEquals(DesiredStatus.STOP, desired("agent"));
        ended("agent");
        assertEquals(Draining.Phase.UNPUBLISH, draining().phase());
        assertEquals(DesiredStatus.RUN, desired("plugin"), "it is still needed");
        cluster.ends(writer, ClientStatus.COMPLETE);
        advance();
        assertEquals(Draining.Phase.DETACH, draining().phase());
        assertEquals(DesiredStatus.RUN, desired("plugin"), "it is still needed");
        AttachmentId attachment =
                cluster.state().attachments().all().iterator().next().id();
        cluster.accept(new Detach(attachment, cluster.id()));
        advance();
        assertEquals(Draining.Phase.DETACH, draining().phase(), "not yet acknowledged");
        settle(new OperationOutcome.Unpublished());
        advance();
        assertEquals(Draining.Phase.PLUGINS, draining().phase());
        assertEquals(DesiredStatus.STOP, desired("plugin"));
        assertTrue(node().isDraining());
        ended("plugin");
        assertEquals(NodeDrain.Status.COMPLETE, drain().status());
        assertEquals(Map.of("message", "disk"), drain().meta());
        assertEquals("Node drain complete", node().events().getLast().message());
        assertFalse(node().eligible(), "until somebody says so");
    }

    private void settle(OperationOutcome outcome) {
        OperationRow row = cluster.state().operations().all().stream()
                .filter(operation -> !operation.isDone())
                .findFirst()
                .orElseThrow();
        cluster.accept(new SendOperation(row.id(), 1, row.nodeId(), row.allocId()));
        OperationRow sent = cluster.state().operations().get(row.id()).orElseThrow();
        cluster.accept(new EndOperation(sent.id(), sent.nodeId(), outcome, cluster.id()));
    }

    @Test
    void aForcedDrain_keepsTheOrder() {
        cluster.node("n1");
        pluginJob();
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        begin(AT_ONCE);
        assertEquals(DesiredStatus.STOP, desired("a"));
        assertEquals(DesiredStatus.RUN, desired("plugin"));
        ended("a");
        assertEquals(DesiredStatus.STOP, desired("plugin"));
        ended("plugin");
        assertEquals(NodeDrain.Status.COMPLETE, drain().status());
    }

    @Test
    void allocationsOfAGroup_moveOneAfterTheOther() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.SERVICE, 2));
        List<AllocationRow> two = cluster.state().allocationsOfJob(Cluster.jobId("a"));
        two.forEach(row -> cluster.report(row, ClientStatus.RUNNING, VolumeProgress.Phase.NONE));
        cluster.node("n2");
        begin(HOUR);
        assertEquals(1, stopped(), "the other one goes on");
        assertEquals("n2", cluster.allocation("a").nodeId());
        advance();
        assertEquals(1, stopped(), "the new one does not run yet");
        cluster.report(cluster.allocation("a"), ClientStatus.RUNNING, VolumeProgress.Phase.NONE);
        advance();
        assertEquals(2, stopped());
        assertTrue(cluster.state().evaluations().ofJob(Cluster.jobId("a")).stream()
                .anyMatch(e -> e.asked().triggeredBy() == Trigger.NODE_DRAIN));
    }

    @Test
    void withAMigratePolicy_theNextMovesOnceTheOneBeforeIsHealthy() {
        cluster.node("n1");
        MigratePolicy policy = new MigratePolicy(1, "checks", Duration.ofSeconds(10), Duration.ofMinutes(5));
        cluster.run(Cluster.with(Cluster.job("a", JobType.SERVICE, 2), policy, null));
        List<AllocationRow> two = cluster.state().allocationsOfJob(Cluster.jobId("a"));
        two.forEach(row -> cluster.report(row, ClientStatus.RUNNING, VolumeProgress.Phase.NONE));
        cluster.node("n2");
        begin(HOUR);
        cluster.report(cluster.allocation("a"), ClientStatus.RUNNING, VolumeProgress.Phase.NONE);
        advance();
        assertEquals(1, stopped(), "it runs, and is not known to be healthy");
        cluster.says(cluster.allocation("a"), true);
        advance();
        assertEquals(2, stopped());
    }

    private long stopped() {
        return cluster.state().allocationsOnNode("n1").stream()
                .filter(row -> row.desired() == DesiredStatus.STOP)
                .count();
    }

    @Test
    void whatDoesNotMove_isStoppedAtTheDeadline() {
        cluster.node("n1");
        cluster.run(Cluster.job("batch", JobType.BATCH, 1));
        cluster.runs("batch");
        cluster.run(Cluster.job("a", JobType.SERVICE, 2));
        cluster.state()
                .allocationsOfJob(Cluster.jobId("a"))
                .forEach(row -> cluster.report(row, ClientStatus.RUNNING, VolumeProgress.Phase.NONE));
        begin(HOUR);
        assertEquals(1, stopped(), "one of two, since no other node takes the second");
        cluster.pass(Duration.ofHours(1));
        advance();
        assertEquals(3, stopped());
    }

    @Test
    void systemJobs_stayIfTheyAreToBeIgnored() {
        cluster.node("n1");
        pluginJob();
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        cluster.runs("a");
        begin(new DrainNode.Wish(Duration.ZERO, true));
        ended("a");
        assertEquals(NodeDrain.Status.COMPLETE, drain().status());
        assertEquals(DesiredStatus.RUN, desired("plugin"));
    }

    @Test
    void aDrainThatIsEnded_isCanceledAndWhatWaitedIsPlaced() {
        cluster.node("n1");
        cluster.run(Cluster.job("batch", JobType.BATCH, 1));
        cluster.runs("batch");
        begin(HOUR);
        cluster.run(Cluster.job("late", JobType.SERVICE, 1));
        cluster.onlyBlocked();
        assertTrue(cluster.refuse(new SetEligibility("n1", true, cluster.id()))
                .startsWith("can not set node's scheduling eligibility to eligible while it is draining"));
        cluster.accept(new DrainNode("n1", null, true, Map.of(), cluster.id()));
        cluster.schedule();
        assertEquals(NodeDrain.Status.CANCELED, drain().status());
        assertEquals("n1", cluster.allocation("late").nodeId());
        assertEquals(DesiredStatus.RUN, desired("batch"));
    }

    @Test
    void anIneligibleNode_keepsWhatItHasAndTakesNothing() {
        cluster.node("n1");
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        cluster.runs("a");
        NodeReply reply = cluster.accept(new SetEligibility("n1", false, cluster.id()));
        assertEquals(cluster.state().version(), reply.version());
        assertEquals(new NodeReply(0), cluster.accept(new SetEligibility("n1", false, cluster.id())));
        cluster.run(Cluster.job("b", JobType.SERVICE, 1));
        cluster.onlyBlocked();
        assertEquals(DesiredStatus.RUN, desired("a"));
        cluster.accept(new SetEligibility("n1", true, cluster.id()));
        cluster.schedule();
        assertEquals("n1", cluster.allocation("b").nodeId());
    }
}
