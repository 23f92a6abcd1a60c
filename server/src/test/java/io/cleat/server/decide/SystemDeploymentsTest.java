package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeFacts;
import io.cleat.model.Resources;
import io.cleat.model.UpdatePolicy;
import io.cleat.server.FactsDraft;
import io.cleat.state.AllocationRow;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.PlannedCounts;
import io.cleat.state.Trigger;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deployments of system jobs. Situation -> what runs on each node, and what becomes of it. */
final class SystemDeploymentsTest {
    private static final Duration DEADLINE = Duration.ofMinutes(10);
    private static final Duration STAGGER = Duration.ofSeconds(30);

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void nodes() {
        for (int i = 1; i <= 4; i++) {
            cluster.node("n" + i);
        }
    }

    private static UpdatePolicy update(int atOnce, int percent, boolean promotes, boolean reverts) {
        return new UpdatePolicy(
                atOnce,
                percent,
                "task_states",
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                DEADLINE,
                STAGGER,
                reverts,
                promotes);
    }

    private static UpdatePolicy rolling(int atOnce) {
        return update(atOnce, 0, false, false);
    }

    private static UpdatePolicy canaries(int percent) {
        return update(4, percent, false, false);
    }

    private static JobSpec job(UpdatePolicy update, String command) {
        return Cluster.with(Cluster.job("s", JobType.SYSTEM, 1, null, command), null, update);
    }

    private void run(UpdatePolicy update, String command) {
        cluster.run(job(update, command));
    }

    private JobRow stored() {
        return cluster.state().job(Cluster.jobId("s")).orElseThrow();
    }

    private DeploymentRow deployment() {
        return cluster.state().deployments().ofJob(Cluster.jobId("s")).getLast();
    }

    private DeploymentRow.Group sizes() {
        return Objects.requireNonNull(deployment().groups().get("g"));
    }

    private DeploymentStatus status() {
        return deployment().status();
    }

    private List<AllocationRow> live() {
        return cluster.state().allocationsOfJob(Cluster.jobId("s")).stream()
                .filter(row -> !row.isTerminal())
                .sorted(Comparator.comparing(AllocationRow::nodeId))
                .toList();
    }

    /** Which text runs on each node, with a mark for canaries: {@code n1:1c n2:0}. */
    private String texts() {
        return String.join(
                " ",
                live().stream()
                        .map(row -> row.nodeId() + ":" + row.byVersion().jobNumber() + (row.isCanary() ? "c" : ""))
                        .toList());
    }

    private AllocationRow on(String node) {
        return live().stream()
                .filter(row -> row.nodeId().equals(node))
                .findFirst()
                .orElseThrow();
    }

    private void allHealthy() {
        live().stream().filter(row -> row.seen().health() == null).forEach(row -> cluster.says(row, true));
        advance();
    }

    private void advance() {
        cluster.accept(new AdvanceDeployment(deployment().id(), cluster.id()));
        cluster.schedule();
    }

    private void promote() {
        cluster.accept(new PromoteDeployment(deployment().id(), List.of(), cluster.id()));
        cluster.schedule();
    }

    private void stable(UpdatePolicy update) {
        run(update, "/one");
        assertEquals("n1:0 n2:0 n3:0 n4:0", texts());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void theFirstText_isPlacedOnAllNodesAtOnce_withoutCanaries() {
        run(canaries(50), "/one");
        assertEquals("n1:0 n2:0 n3:0 n4:0", texts());
        assertEquals(4, sizes().desiredTotal());
        assertEquals(0, sizes().desiredCanaries());
        assertEquals("Deployment is running", deployment().statusDescription());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
        assertTrue(cluster.state().jobVersion(stored().current()).orElseThrow().stable());
    }

    @Test
    void aNewText_isSpreadAsManyAtOnceAsThePolicySays_afterHealthAndStagger() {
        stable(rolling(1));
        run(rolling(1), "/two");
        assertEquals("n1:1 n2:0 n3:0 n4:0", texts());
        cluster.accept(new EvaluateJob(Cluster.jobId("s"), false, cluster.id()));
        cluster.schedule();
        assertEquals("n1:1 n2:0 n3:0 n4:0", texts(), "another evaluation does not hurry it");
        cluster.pass(STAGGER.plusSeconds(1));
        cluster.schedule();
        assertEquals("n1:1 n2:0 n3:0 n4:0", texts(), "nobody said that it is healthy");
        allHealthy();
        assertEquals("n1:1 n2:1 n3:0 n4:0", texts());
        allHealthy();
        assertEquals("n1:1 n2:1 n3:0 n4:0", texts(), "its stagger is not over");
        cluster.pass(STAGGER.plusSeconds(1));
        cluster.schedule();
        assertEquals("n1:1 n2:1 n3:1 n4:0", texts());
        allHealthy();
        cluster.pass(STAGGER.plusSeconds(1));
        cluster.schedule();
        assertEquals(DeploymentStatus.RUNNING, status());
        allHealthy();
        assertEquals("n1:1 n2:1 n3:1 n4:1", texts());
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void maxParallelZero_allAtOnceAndNoDeployment() {
        run(rolling(0), "/one");
        run(rolling(0), "/two");
        assertEquals("n1:1 n2:1 n3:1 n4:1", texts());
        assertEquals(List.of(), List.copyOf(cluster.state().deployments().all()));
    }

    /** Of four nodes. */
    @ParameterizedTest
    @CsvSource({"1, 1", "25, 1", "26, 2", "50, 2", "75, 3", "76, 4", "100, 4"})
    void canaries_takeThePlaceOfTheOldOnes_onAPercentageOfTheNodes(int percent, int wanted) {
        stable(canaries(percent));
        run(canaries(percent), "/two");
        assertEquals(4, live().size());
        assertEquals(wanted, live().stream().filter(AllocationRow::isCanary).count());
        assertEquals(
                wanted,
                live().stream().filter(row -> row.byVersion().jobNumber() == 1).count());
        assertEquals(wanted, sizes().desiredCanaries());
        assertEquals(4, sizes().desiredTotal());
        allHealthy();
        cluster.pass(DEADLINE.plusMinutes(1));
        advance();
        assertEquals(DeploymentStatus.RUNNING, status(), "a person has all the time");
        promote();
        allHealthy();
        assertEquals(
                4,
                live().stream().filter(row -> row.byVersion().jobNumber() == 1).count());
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void canaries_followOneAnother_noMoreAtOnceThanMaxParallel() {
        stable(update(1, 50, false, false));
        run(update(1, 50, false, false), "/two");
        assertEquals("n1:1c n2:0 n3:0 n4:0", texts());
        assertEquals(
                "Task group \"g\" has 0/2 healthy allocations: it can be promoted once all its canaries are healthy",
                cluster.refuse(new PromoteDeployment(deployment().id(), List.of(), cluster.id())));
        allHealthy();
        cluster.pass(STAGGER.plusSeconds(1));
        cluster.schedule();
        assertEquals("n1:1c n2:1c n3:0 n4:0", texts());
        allHealthy();
        cluster.pass(STAGGER.plusSeconds(1));
        cluster.schedule();
        assertEquals("n1:1c n2:1c n3:0 n4:0", texts(), "nobody promoted it");
        promote();
        assertEquals("n1:1c n2:1c n3:1 n4:0", texts());
    }

    @Test
    void canaries_withAutoPromote_arePromotedOnceAllAreHealthy() {
        stable(update(4, 50, true, false));
        run(update(4, 50, true, false), "/two");
        assertEquals("n1:1c n2:1c n3:0 n4:0", texts());
        allHealthy();
        assertEquals("n1:1c n2:1c n3:1 n4:1", texts());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aTextThatChangesNoTask_isTakenOverInPlace_withoutCanaries() {
        stable(canaries(50));
        run(canaries(25), "/one");
        assertEquals("n1:1 n2:1 n3:1 n4:1", texts());
        assertEquals(0, sizes().desiredCanaries());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aNodeThatJoinsWhileCanariesAreTried_waitsForThePromotion() {
        stable(canaries(50));
        run(canaries(50), "/two");
        cluster.node("n5");
        cluster.schedule();
        assertEquals("n1:1c n2:1c n3:0 n4:0", texts());
        assertEquals(4, sizes().desiredTotal());
        allHealthy();
        promote();
        assertEquals("n1:1c n2:1c n3:1 n4:1 n5:1", texts());
        assertEquals(5, sizes().desiredTotal());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aNodeThatJoinsWhileATextIsSpread_hasItAtOnce_andCounts() {
        stable(rolling(1));
        run(rolling(1), "/two");
        cluster.node("n5");
        cluster.schedule();
        assertEquals("n1:1 n2:0 n3:0 n4:0 n5:1", texts());
        assertEquals(5, sizes().desiredTotal());
    }

    @Test
    void aNodeThatGoesWhileATextIsSpread_countsNoMore() {
        stable(rolling(4));
        run(rolling(4), "/two");
        List.of("n1", "n2", "n3").forEach(node -> cluster.says(on(node), true));
        advance();
        assertEquals(DeploymentStatus.RUNNING, status());
        cluster.down("n4");
        advance();
        assertEquals(3, sizes().desiredTotal());
        advance();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aCanaryWhoseNodeGoes_isTriedOnAnother() {
        stable(canaries(25));
        run(canaries(25), "/two");
        assertEquals("n1:1c n2:0 n3:0 n4:0", texts());
        cluster.down("n1");
        cluster.pass(STAGGER.plusSeconds(1));
        cluster.schedule();
        assertEquals("n2:1c n3:0 n4:0", texts());
        allHealthy();
        promote();
        assertEquals("n2:1c n3:1 n4:1", texts());
    }

    @Test
    void whatEndsWhileCanariesAreTried_isReplacedByItsOldText_andACanaryByTheNewest() {
        stable(canaries(25));
        run(canaries(25), "/two");
        cluster.accept(new StopAllocation(on("n3").id(), false, cluster.id()));
        cluster.accept(new StopAllocation(on("n1").id(), false, cluster.id()));
        cluster.schedule();
        assertEquals("n1:1c n2:0 n3:0 n4:0", texts());
    }

    @Test
    void canariesForWhichThereIsNoRoom_endNothing_andTheDeadlineFailsIt() {
        stable(canaries(50));
        cluster.run(Cluster.sized(job(canaries(50), "/two"), new Resources(1_000_000, 1, 0)));
        assertEquals("n1:0 n2:0 n3:0 n4:0", texts());
        assertEquals(
                1, cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());
    }

    @Test
    void aNewTextForWhichThereIsNoRoom_endsNothing() {
        stable(rolling(1));
        cluster.run(Cluster.sized(job(rolling(1), "/two"), new Resources(1_000_000, 1, 0)));
        assertEquals("n1:0 n2:0 n3:0 n4:0", texts());
        assertEquals(4, sizes().desiredTotal());
        assertEquals(
                1, cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());
    }

    @Test
    void aNodeThatTakesNothingNew_keepsItsOldText_andDoesNotCount() {
        stable(rolling(4));
        cluster.accept(new SetEligibility("n2", false, cluster.id()));
        run(rolling(4), "/two");
        assertEquals("n1:1 n2:0 n3:1 n4:1", texts());
        assertEquals(3, sizes().desiredTotal());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
        cluster.accept(new SetEligibility("n2", true, cluster.id()));
        cluster.schedule();
        assertEquals("n1:1 n2:1 n3:1 n4:1", texts());
    }

    @Test
    void anUnhealthyOne_failsItAtOnce_sinceNoneTakesItsPlace() {
        stable(rolling(2));
        run(rolling(2), "/two");
        cluster.says(on("n1"), false);
        advance();
        assertEquals("Failed due to unhealthy allocations", deployment().statusDescription());
        cluster.says(on("n2"), true);
        cluster.pass(DEADLINE);
        cluster.schedule();
        assertEquals("n1:1 n2:1 n3:0 n4:0", texts(), "nothing more is spread, nothing reverted");
    }

    @Test
    void afterAFailure_whatEndsHasItsOwnText_andANewNodeTheLastGoodOne() {
        stable(rolling(1));
        run(rolling(1), "/two");
        cluster.accept(new FailDeployment(deployment().id(), cluster.id()));
        cluster.node("n5");
        cluster.accept(new StopAllocation(on("n2").id(), false, cluster.id()));
        cluster.schedule();
        assertEquals("n1:1 n2:0 n3:0 n4:0 n5:0", texts());
        run(rolling(5), "/three");
        allHealthy();
        assertEquals("n1:2 n2:2 n3:2 n4:2 n5:2", texts());
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aPausedDeployment_spreadsNothing_andNodesThatJoinWait() {
        stable(rolling(1));
        run(rolling(1), "/two");
        cluster.accept(new PauseDeployment(deployment().id(), true, cluster.id()));
        cluster.node("n5");
        allHealthy();
        cluster.pass(DEADLINE.plusMinutes(1));
        advance();
        assertEquals("n1:1 n2:0 n3:0 n4:0", texts());
        cluster.accept(new PauseDeployment(deployment().id(), false, cluster.id()));
        cluster.schedule();
        assertEquals("n1:1 n2:1 n3:0 n4:0 n5:1", texts());
    }

    /** The text that comes back ran everywhere: it is not tried again, and nobody is asked. */
    @ParameterizedTest
    @CsvSource({"50", "100"})
    void aFailure_withAutoRevert_bringsTheLastGoodTextBackEverywhere(int percent) {
        stable(update(4, percent, false, true));
        run(update(4, percent, false, true), "/two");
        cluster.says(live().getFirst(), false);
        cluster.accept(new AdvanceDeployment(deployment().id(), cluster.id()));
        assertEquals(
                "Failed due to unhealthy allocations - rolling back to job version 0",
                deployment().statusDescription());
        cluster.schedule();
        assertEquals("n1:2 n2:2 n3:2 n4:2", texts());
        assertEquals(0, sizes().desiredCanaries());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void theDeadline_failsWhatDoesNotGetOn() {
        stable(update(2, 50, true, true));
        run(update(2, 50, true, true), "/two");
        cluster.pass(DEADLINE);
        advance();
        assertEquals("n1:2 n2:2 n3:2 n4:2", texts());
        assertEquals(2, stored().number());
    }

    /** A plugin that has failed is rescheduled, so that its deployment waits for that. */
    @Test
    void anUnhealthyPlugin_failsItAtItsDeadlineOnly() {
        cluster.run(Cluster.with(
                Cluster.job("s", JobType.SYSTEM, 1, Cluster.pluginSpec("/local/csi"), "/bin/true"), null, rolling(1)));
        AllocationRow failed = on("n1");
        cluster.says(failed, false);
        cluster.ends(failed, ClientStatus.FAILED);
        advance();
        assertEquals(DeploymentStatus.RUNNING, status());
        cluster.pass(Duration.ofSeconds(31));
        cluster.schedule();
        assertEquals(4, live().size());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aNewerText_cancelsTheDeployment_andItsCanariesAreTriedAnew() {
        stable(canaries(25));
        run(canaries(25), "/two");
        DeploymentRow older = deployment();
        run(canaries(25), "/three");
        assertEquals(
                "Cancelled due to newer version of job",
                cluster.state().deployments().get(older.id()).orElseThrow().statusDescription());
        assertEquals("n1:2c n2:0 n3:0 n4:0", texts());
    }

    @Test
    void withoutAnyNode_noDeploymentIsMade_untilOneJoins() {
        Cluster empty = new Cluster();
        empty.run(job(rolling(1), "/one"));
        assertEquals(List.of(), List.copyOf(empty.state().deployments().all()));
        empty.node("n1");
        empty.schedule();
        assertEquals(1, empty.state().deployments().all().size());
    }

    @Test
    void aNodeThatReturnsLater_changesNothingOfADeploymentThatIsOver() {
        stable(rolling(1));
        cluster.down("n4");
        cluster.schedule();
        cluster.node("n4");
        cluster.schedule();
        assertEquals("n1:0 n2:0 n3:0 n4:0", texts());
        assertNull(on("n4").deployment());
        assertEquals(1, cluster.state().deployments().ofJob(Cluster.jobId("s")).size());
    }

    @Test
    void aNodeThatTheNewTextIsNotFor_isLeftAloneWhileCanariesAreTried() {
        stable(canaries(50));
        NodeFacts facts = cluster.facts("n1", "boot-1");
        cluster.register(FactsDraft.of(facts).nodePool("other").done());
        cluster.schedule();
        run(canaries(50), "/two");
        assertEquals("n1:0 n2:1c n3:1c n4:0", texts());
        allHealthy();
        promote();
        assertEquals("n2:1c n3:1c n4:1", texts());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
    }

    @Test
    void aPlan_showsCanariesAsSuch() {
        stable(canaries(50));
        cluster.accept(new RegisterJob(job(canaries(50), "/two"), null, null, 0, cluster.id()));
        PlannedCounts counts = Objects.requireNonNull(cluster.plan(cluster.due().stream()
                        .filter(row -> row.asked().triggeredBy() == Trigger.JOB_REGISTER)
                        .findFirst()
                        .orElseThrow())
                .counts()
                .get("g"));
        assertEquals(2, counts.canary());
        assertEquals(2, counts.ignore());
        assertEquals(0, counts.destructiveUpdate());
    }

    @Test
    void aLargePlan_inSmallParts_hasOneDeploymentOfAllNodes() {
        cluster.inSmallParts();
        for (int i = 5; i < 40; i++) {
            cluster.node("n" + i);
        }
        run(canaries(50), "/one");
        assertEquals(39, sizes().desiredTotal());
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
        run(update(39, 50, false, false), "/two");
        assertEquals(20, live().stream().filter(AllocationRow::isCanary).count());
        assertEquals(39, sizes().desiredTotal());
        allHealthy();
        promote();
        allHealthy();
        assertEquals(DeploymentStatus.SUCCESSFUL, status());
        assertEquals(
                39,
                live().stream().filter(row -> row.byVersion().jobNumber() == 1).count());
    }
}
