package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.JobSpec;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Jobs that run storage plugins: what others have mounted through them limits what may be done. */
final class PluginJobs {
    private PluginJobs() {}

    /**
     * Why the job may not be stopped: volumes of its plugins are in use on nodes that can be heard,
     * and no other job runs the plugin.
     */
    static Optional<Refusal> consumers(ClusterState state, JobRow job, Instant now) {
        List<String> users = new ArrayList<>();
        for (CsiPluginSpec plugin : plugins(job.spec()).values()) {
            boolean onlyHere =
                    state.jobsWithPlugin(plugin.id()).stream()
                            .allMatch(other -> other.id().equals(job.id()));
            if (onlyHere) {
                users.addAll(users(state, plugin.id(), now));
            }
        }
        return users.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Refusal.Conflict(
                                "job "
                                        + job.id()
                                        + " runs a storage plugin that is needed: "
                                        + Words.few(users)
                                        + ". Stop these first, or stop the plugin with -force: what"
                                        + " is mounted then stays mounted until the plugin is back"));
    }

    /**
     * Why a new text may not be stored: it would move what is mounted out of the plugin's sight.
     */
    static Optional<Refusal> moved(
            ClusterState state, Optional<JobRow> known, JobSpec spec, Instant now) {
        if (known.isEmpty() || known.get().stop()) {
            return Optional.empty();
        }
        Map<String, CsiPluginSpec> after = plugins(spec);
        for (CsiPluginSpec old : plugins(known.get().spec()).values()) {
            CsiPluginSpec changed = after.get(old.id());
            boolean stays =
                    changed != null
                            && changed.stagePublishBaseDir().equals(old.stagePublishBaseDir());
            List<String> users = stays ? List.of() : users(state, old.id(), now);
            if (!users.isEmpty()) {
                return Optional.of(
                        new Refusal.Conflict(
                                (changed == null
                                                ? "the new text does not run the plugin "
                                                : "stage_publish_base_dir cannot change for the"
                                                        + " plugin ")
                                        + old.id()
                                        + " while its volumes are in use: "
                                        + Words.few(users)));
            }
        }
        return Optional.empty();
    }

    private static List<String> users(ClusterState state, String pluginId, Instant now) {
        List<String> users = new ArrayList<>();
        for (NodeRow node : state.nodesWithPlugin(pluginId)) {
            for (ClaimRow claim : state.claimsOnNode(node.id())) {
                if (node.status() == NodeStatus.READY
                        && claim.holds()
                        && claim.key().pluginId().equals(pluginId)) {
                    users.add(
                            Words.volume(claim.volume())
                                    + " is used by "
                                    + Words.claim(state, claim, now));
                }
            }
        }
        return users;
    }

    private static Map<String, CsiPluginSpec> plugins(JobSpec spec) {
        Map<String, CsiPluginSpec> plugins = new TreeMap<>();
        for (TaskGroup group : spec.groups()) {
            for (Task task : group.tasks()) {
                CsiPluginSpec plugin = task.csiPlugin();
                if (plugin != null) {
                    plugins.put(plugin.id(), plugin);
                }
            }
        }
        return plugins;
    }
}
