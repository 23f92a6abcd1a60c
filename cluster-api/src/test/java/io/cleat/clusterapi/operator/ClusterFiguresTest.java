package io.cleat.clusterapi.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.Metrics;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Figures of the cluster under the names that dashboards for Nomad know. */
final class ClusterFiguresTest {
    private final SampleCluster sample = SampleCluster.whole();

    ClusterFiguresTest() throws Exception {}

    private Metrics metrics() throws Exception {
        return sample.cluster().operator().metrics();
    }

    /** The one of that name with these labels among others. */
    private static double figure(Metrics metrics, String name, Map<String, String> labels) {
        return metrics.Gauges().stream()
                .filter(figure -> figure.Name().equals(name))
                .filter(figure -> figure.Labels().entrySet().containsAll(labels.entrySet()))
                .mapToDouble(Metrics.Figure::Value)
                .reduce((one, other) -> Double.NaN)
                .orElseThrow(() -> new AssertionError("no " + name + " of " + labels));
    }

    private double figure(String name, Map<String, String> labels) throws Exception {
        return figure(metrics(), name, labels);
    }

    private static final Map<String, String> SERVER = Map.of("host", "vm");

    private JobRow web() {
        return sample.state().job(new JobId("default", "web")).orElseThrow();
    }

    @Test
    void ofAJob_eachGroupsAllocationsAreCountedByStatus() throws Exception {
        Map<String, String> labels = Map.of("host", "vm", "job", "web", "namespace", "default", "task_group", "g");
        assertEquals(1, figure("nomad.nomad.job_summary.running", labels));
        for (String none : new String[] {"queued", "starting", "complete", "failed", "lost"}) {
            assertEquals(0, figure("nomad.nomad.job_summary." + none, labels), none);
        }
        assertEquals(2, figure("nomad.nomad.job_status.running", SERVER));
        assertEquals(0, figure("nomad.nomad.job_status.dead", SERVER));
        assertEquals(0, figure("cleat.metrics.groups_left_out", Map.of()));
    }

    @Test
    void evaluationsAreReady_orWaitForAnotherOfTheirJob_orForATime() throws Exception {
        for (int i = 0; i < 3; i++) {
            EvaluationRow row = EvaluationRow.pending("e" + i, web(), 50, Trigger.JOB_REGISTER, "", SampleCluster.AT);
            sample.apply(new Change.EvaluationPut(row));
        }
        Metrics metrics = metrics();
        assertEquals(1, figure(metrics, "nomad.nomad.broker.total_ready", SERVER));
        assertEquals(2, figure(metrics, "nomad.nomad.broker.total_pending", SERVER));
        assertEquals(0, figure(metrics, "nomad.nomad.broker.total_waiting", SERVER));
        assertEquals(0, figure(metrics, "nomad.nomad.blocked_evals.total_blocked", SERVER));
    }

    @Test
    void ofANode_whatIsGivenAwayIsCounted_untilItHasEnded() throws Exception {
        Map<String, String> node = Map.of(
                "node_id", SampleCluster.NODE,
                "datacenter", "dc1",
                "node_pool", "default",
                "node_class", "none",
                "node_status", "ready",
                "node_scheduling_eligibility", "eligible");
        Metrics before = metrics();
        assertEquals(2, figure(before, "nomad.client.allocations.running", node));
        assertEquals(0, figure(before, "nomad.client.allocations.terminal", node));
        double cpu = figure(before, "nomad.client.allocated.cpu", node);
        assertEquals(4500, cpu + figure(before, "nomad.client.unallocated.cpu", node));
        AllocationRow row = sample.state().allocation(SampleCluster.WEB_ALLOC).orElseThrow();
        double webs = row.placed().resources().values().stream()
                .mapToLong(each -> each.cpuMhz())
                .sum();
        sample.apply(
                new Change.AllocationPut(row.desired(DesiredStatus.STOP, "").status(ClientStatus.COMPLETE, "")));
        Metrics after = metrics();
        assertEquals(1, figure(after, "nomad.client.allocations.running", node));
        assertEquals(1, figure(after, "nomad.client.allocations.terminal", node));
        assertEquals(cpu - webs, figure(after, "nomad.client.allocated.cpu", node));
        assertEquals(1, figure(after, "nomad.nomad.heartbeat.active", SERVER));
    }

    @Test
    void theMembersAreToldOf() throws Exception {
        assertEquals(1, figure("nomad.nomad.autopilot.healthy", SERVER));
        assertEquals(0, figure("nomad.nomad.autopilot.failure_tolerance", SERVER));
        assertEquals(40, figure("nomad.raft.appliedIndex", SERVER));
    }

    @Test
    void ofVeryManyGroups_someAreLeftOut_andItIsSaidHowMany() throws Exception {
        JobSpec spec = web().spec();
        int jobs = ClusterFigures.MOST_GROUPS + 7 - 2;
        Change[] all = new Change[jobs];
        for (int i = 0; i < jobs; i++) {
            all[i] = new Change.JobPut(
                    SampleCluster.jobRow(spec.child("x" + i, 50, Map.of(), new JobLaunch.Child("", false, ""))
                            .withLaunch(null)));
        }
        sample.apply(all);
        assertEquals(7, figure("cleat.metrics.groups_left_out", Map.of()));
    }
}
