package io.cleat.clusterapi.operator;

import io.cleat.api.AutopilotHealth;
import io.cleat.api.Metrics;
import io.cleat.model.ClientStatus;
import io.cleat.model.Resources;
import io.cleat.schedule.GroupTally;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Figures of one image under the names that dashboards for Nomad know: those that are known here. What a node's agent
 * would say of its allocations and of what is given away of the node is said here of all nodes.
 */
final class ClusterFigures {
    /** Groups of jobs that are told of one by one, since each has seven figures. */
    static final int MOST_GROUPS = 5_000;

    private final ClusterState state;
    private final List<Metrics.Figure> gauges;
    private final Map<String, String> host;

    /**
     * @param gauges where they are put
     * @param server the name of this server
     */
    ClusterFigures(ClusterState state, List<Metrics.Figure> gauges, String server) {
        this.state = state;
        this.gauges = gauges;
        this.host = Map.of("host", server);
    }

    void addAll(Instant now) {
        evaluations(now);
        jobs();
        add(
                "nomad.nomad.heartbeat.active",
                host,
                state.nodes().stream()
                        .filter(row -> row.status() != NodeStatus.DOWN)
                        .count());
        state.nodes().forEach(this::node);
    }

    /** How the members of the log stand. */
    void members(AutopilotHealth health, long appliedIndex) {
        add("nomad.nomad.autopilot.healthy", host, health.Healthy() ? 1 : 0);
        add("nomad.nomad.autopilot.failure_tolerance", host, health.FailureTolerance());
        add("nomad.raft.appliedIndex", host, appliedIndex);
    }

    private void add(String name, Map<String, String> labels, double value) {
        gauges.add(new Metrics.Figure(labels, name, value));
    }

    /** Of a job one is run at a time: another one that is due waits for it. */
    private void evaluations(Instant now) {
        Set<Object> jobs = new HashSet<>();
        long due = 0;
        long later = 0;
        for (EvaluationRow row : state.scans().evaluations(EvaluationStatus.PENDING)) {
            if (row.waitUntil() == null || !row.waitUntil().isAfter(now)) {
                jobs.add(row.job());
                due++;
            } else {
                later++;
            }
        }
        add("nomad.nomad.broker.total_ready", host, jobs.size());
        add("nomad.nomad.broker.total_pending", host, due - jobs.size());
        add("nomad.nomad.broker.total_waiting", host, later);
        add(
                "nomad.nomad.blocked_evals.total_blocked",
                host,
                state.evaluations().in(EvaluationStatus.BLOCKED).size());
    }

    private void jobs() {
        Map<JobStatus, Integer> counts = new EnumMap<>(JobStatus.class);
        int groups = 0;
        int leftOut = 0;
        for (JobRow job : state.jobs()) {
            counts.merge(state.jobStatus(job), 1, Integer::sum);
            if (groups < MOST_GROUPS) {
                GroupTally.of(state, job).forEach((group, tally) -> group(job, group, tally));
                groups += job.spec().groups().size();
            } else {
                leftOut += job.spec().groups().size();
            }
        }
        for (JobStatus status : JobStatus.values()) {
            add("nomad.nomad.job_status." + status.wire(), host, counts.getOrDefault(status, 0));
        }
        add("cleat.metrics.groups_left_out", Map.of(), leftOut);
    }

    private void group(JobRow job, String group, GroupTally tally) {
        Map<String, String> labels = new TreeMap<>(host);
        labels.put("job", job.id().id());
        labels.put("namespace", job.id().namespace());
        labels.put("task_group", group);
        job.spec().parent().ifPresent(parent -> labels.put("parent_id", parent.id()));
        add("nomad.nomad.job_summary.queued", labels, tally.queued());
        add("nomad.nomad.job_summary.starting", labels, tally.starting());
        add("nomad.nomad.job_summary.running", labels, tally.running());
        add("nomad.nomad.job_summary.complete", labels, tally.complete());
        add("nomad.nomad.job_summary.failed", labels, tally.failed());
        add("nomad.nomad.job_summary.lost", labels, tally.lost());
        add("nomad.nomad.job_summary.unknown", labels, tally.unknown());
    }

    private void node(NodeRow node) {
        Map<String, String> labels = labels(node);
        int pending = 0;
        int running = 0;
        int terminal = 0;
        Resources given = Resources.NONE;
        long diskMb = 0;
        for (AllocationRow row : state.scans().allocationsOnNode(node.id())) {
            if (row.isEnded()) {
                terminal++;
            } else {
                pending += row.status() == ClientStatus.PENDING ? 1 : 0;
                running += row.status() == ClientStatus.RUNNING ? 1 : 0;
                for (Resources each : row.placed().resources().values()) {
                    given = given.plus(each);
                }
                diskMb += row.placed().diskMb();
            }
        }
        add("nomad.client.allocations.pending", labels, pending);
        add("nomad.client.allocations.running", labels, running);
        add("nomad.client.allocations.terminal", labels, terminal);
        Resources total = node.facts().total();
        add("nomad.client.allocated.cpu", labels, given.cpuMhz());
        add("nomad.client.allocated.memory", labels, given.memoryMb());
        add("nomad.client.allocated.disk", labels, diskMb);
        add("nomad.client.unallocated.cpu", labels, total.cpuMhz() - given.cpuMhz());
        add("nomad.client.unallocated.memory", labels, total.memoryMb() - given.memoryMb());
        add("nomad.client.unallocated.disk", labels, node.facts().diskMb() - diskMb);
    }

    private static Map<String, String> labels(NodeRow node) {
        return Map.of(
                "datacenter",
                node.facts().datacenter(),
                "host",
                node.name(),
                "node_class",
                node.facts().nodeClass().isEmpty() ? "none" : node.facts().nodeClass(),
                "node_id",
                node.id(),
                "node_pool",
                node.facts().nodePool(),
                "node_scheduling_eligibility",
                node.eligible() ? "eligible" : "ineligible",
                "node_status",
                node.status().wire());
    }
}
