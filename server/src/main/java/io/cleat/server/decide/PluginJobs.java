package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.JobSpec;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.HoldingRow;
import io.cleat.state.JobRow;
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
     * Why the job may not be stopped: volumes of its plugins are in use on nodes that can be heard, and no other job
     * runs the plugin.
     */
    static Optional<Refusal> consumers(ClusterState state, JobRow job, Instant now) {
        List<String> users = new ArrayList<>();
        for (CsiPluginSpec plugin : plugins(job.spec()).values()) {
            boolean onlyHere = state.jobsWithPlugin(plugin.id()).stream()
                    .allMatch(other -> other.id().equals(job.id()));
            if (onlyHere) {
                users.addAll(users(state, plugin.id(), true, now));
            }
        }
        return users.isEmpty()
                ? Optional.empty()
                : Optional.of(new Refusal.Conflict("job "
                        + job.id()
                        + " runs a storage plugin that is needed: "
                        + Words.few(users)
                        + ". Stop these first, or stop the plugin with -force: what"
                        + " is mounted then stays mounted until the plugin is back"));
    }

    /**
     * Why a new version may not be stored: it would take the plugin from those that use it, or show it what it has
     * mounted at other paths, which its node service could not find.
     */
    static Optional<Refusal> moved(ClusterState state, Optional<JobRow> known, JobSpec spec, Instant now) {
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Map<String, CsiPluginSpec> after = plugins(spec);
        for (CsiPluginSpec old : plugins(known.get().spec()).values()) {
            boolean isTaken = !after.containsKey(old.id()) && !known.get().stop();
            Optional<String> fault = isTaken
                    ? Optional.of("the new text does not run the plugin " + old.id())
                    : otherRoot(known.get().spec(), spec, old.id());
            List<String> users = fault.isEmpty() ? List.of() : users(state, old.id(), isTaken, now);
            if (!users.isEmpty()) {
                return Optional.of(
                        new Refusal.Conflict(fault.get() + " while its volumes are in use: " + Words.few(users)));
            }
        }
        return Optional.empty();
    }

    /** What would show the node service of the plugin its volumes at other paths than before. */
    private static Optional<String> otherRoot(JobSpec before, JobSpec after, String pluginId) {
        List<Task> told = nodeServices(before, pluginId);
        for (Task task : nodeServices(after, pluginId)) {
            if (told.isEmpty() || told.stream().anyMatch(old -> seesSamePaths(old, task))) {
                continue;
            }
            Task old = told.getFirst();
            return Optional.of((baseDir(old).equals(baseDir(task))
                            ? "the driver cannot change from " + old.driver() + " to " + task.driver()
                            : "stage_publish_base_dir cannot change")
                    + " for the plugin "
                    + pluginId);
        }
        return Optional.empty();
    }

    private static boolean seesSamePaths(Task old, Task changed) {
        return old.seesHostFiles() == changed.seesHostFiles() && baseDir(old).equals(baseDir(changed));
    }

    private static String baseDir(Task task) {
        CsiPluginSpec plugin = task.csiPlugin();
        return plugin == null ? "" : plugin.stagePublishBaseDir();
    }

    private static List<Task> nodeServices(JobSpec spec, String pluginId) {
        List<Task> tasks = new ArrayList<>();
        for (TaskGroup group : spec.groups()) {
            for (Task task : group.tasks()) {
                CsiPluginSpec plugin = task.csiPlugin();
                if (plugin != null
                        && plugin.id().equals(pluginId)
                        && plugin.type().servesNode()) {
                    tasks.add(task);
                }
            }
        }
        return tasks;
    }

    /**
     * Who uses volumes of the plugin.
     *
     * @param heard whether only on nodes that can be heard: one that is away comes back with what it has mounted
     */
    private static List<String> users(ClusterState state, String pluginId, boolean heard, Instant now) {
        List<String> users = new ArrayList<>();
        for (ClaimState held : List.of(ClaimState.GRANTED, ClaimState.RELEASING)) {
            for (ClaimRow claim : state.claims().in(held)) {
                if (claim.key().pluginId().equals(pluginId) && (!heard || isHeard(state, claim.nodeId()))) {
                    users.add(Words.volume(claim.volume()) + " is used by " + Words.claim(state, claim, now));
                }
            }
        }
        if (!heard) {
            for (HoldingRow holding : state.holdings().all()) {
                if (holding.id().key().pluginId().equals(pluginId)) {
                    users.add("of volume "
                            + holding.id().key().externalId()
                            + ", "
                            + holding.holder(state)
                            + " holds it");
                }
            }
        }
        return users;
    }

    private static boolean isHeard(ClusterState state, String nodeId) {
        return state.node(nodeId).map(row -> row.status() == NodeStatus.READY).orElse(false);
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
