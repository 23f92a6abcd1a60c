package io.cleat.clusterapi.plugins;

import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.TaskState;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Why a plugin cannot be used, in words, and who does what about it. */
public final class PluginIllness {
    private PluginIllness() {}

    public static String of(ClusterState state, PluginHealth plugin) {
        String id = "plugin " + plugin.pluginId();
        if (plugin.nodes().isEmpty()) {
            return "no node has its " + id + ": " + absence(state, plugin.nodeJobs());
        }
        return plugin.nodesHealthy() == 0
                ? "its " + id + " is healthy on no node"
                : "its " + id + " has no healthy controller";
    }

    private static String absence(ClusterState state, List<PluginHealth.Wanted> jobs) {
        if (jobs.isEmpty()) {
            return "no job runs it; run one with a csi_plugin block of this id";
        }
        JobId job = jobs.getFirst().job();
        if (state.job(job).filter(JobRow::stop).isPresent()) {
            return "job " + job.id() + " is stopped; run it again";
        }
        Optional<AllocationRow> newest = state.allocationsOfJob(job).stream()
                .filter(row -> row.desired() == DesiredStatus.RUN && !row.isTerminal())
                .max(Comparator.comparingLong(AllocationRow::createVersion));
        return newest.map(PluginIllness::coming)
                .orElse("job " + job.id() + " runs nowhere; to see why: cleat job status " + job.id());
    }

    /** What its node does about it by itself. */
    private static String coming(AllocationRow row) {
        String where = "job " + row.job().id() + " on node " + row.placed().nodeName();
        int restarts = row.seen().tasks().values().stream()
                .mapToInt(TaskState::restarts)
                .sum();
        boolean isRestarting = restarts > 0
                && row.seen().tasks().values().stream().anyMatch(task -> task.phase() == TaskState.Phase.PENDING);
        return isRestarting
                ? where + " restarts its task by itself (restarts so far: " + restarts + ")"
                : where + " starts it";
    }
}
