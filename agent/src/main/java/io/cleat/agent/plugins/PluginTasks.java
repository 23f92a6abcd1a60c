package io.cleat.agent.plugins;

import io.cleat.base.Trouble;
import io.cleat.csi.RunEnds;
import io.cleat.model.CsiPluginSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a task runner asks for a task that is a storage plugin. Each method is idempotent. */
public interface PluginTasks {
    /**
     * A task that is a plugin.
     *
     * @param isolated whether the driver gives the task a file system of its own; if not, the plugin sees the host's
     *     paths
     * @param owner whom it runs as: user id, group id, further groups; empty for the agent's user
     */
    record PluginTask(String allocId, String task, CsiPluginSpec spec, boolean isolated, List<Long> owner) {
        public PluginTask {
            owner = List.copyOf(owner);
        }

        /** One that runs as the agent's user. */
        public PluginTask(String allocId, String task, CsiPluginSpec spec, boolean isolated) {
            this(allocId, task, spec, isolated, List.of());
        }

        /** The same, run as another user. */
        public PluginTask of(List<Long> user) {
            return new PluginTask(allocId, task, spec, isolated, user);
        }

        /** The services that it is registered for. */
        List<PluginKind> kinds() {
            List<PluginKind> kinds = new ArrayList<>();
            if (spec.type().servesController()) {
                kinds.add(PluginKind.CONTROLLER);
            }
            if (spec.type().servesNode()) {
                kinds.add(PluginKind.NODE);
            }
            return kinds;
        }
    }

    /**
     * What the task needs to be a plugin.
     *
     * @param endpoint the value of {@code CSI_ENDPOINT}
     * @param mounts for a driver that isolates files; empty otherwise
     */
    record Prepared(String endpoint, List<HostMount> mounts) {}

    /**
     * A directory of the host that the task must see.
     *
     * @param propagation {@code private}, {@code host-to-task} or {@code bidirectional}
     */
    record HostMount(Path hostPath, String taskPath, String propagation) {}

    /** What a plugin's supervision says to its task. */
    interface Listener {
        /**
         * A task event.
         *
         * @param type such as {@code Plugin became healthy}
         */
        void event(String type, String message);

        /** The plugin did not become healthy in its time: the task is to be restarted, as a failure. */
        void neverHealthy(String reason);
    }

    /** Before each start: makes the control directory and says what the task needs. */
    Prepared beforeStart(PluginTask task) throws Trouble, InterruptedException;

    /**
     * Where a plugin stages and publishes volumes, as its task sees it: for another task of its group, which may be
     * started before it.
     */
    HostMount volumes(PluginTask task) throws Trouble, InterruptedException;

    /** After each start, also of a task that was found running: supervises it from now on. */
    void afterStart(PluginTask task, Listener listener);

    /**
     * After the end: ends supervision, takes the instance out of the registry, removes the socket. What was called
     * meanwhile hears of it.
     *
     * @param why calls that a run ended with by itself are made again with care
     */
    void afterEnd(PluginTask task, RunEnds.Reason why) throws InterruptedException;
}
