package io.cleat.agent.task;

import io.cleat.agent.plugins.PluginTasks;
import io.cleat.base.Threads;
import io.cleat.base.Trouble;
import io.cleat.csi.RunEnds;
import io.cleat.driver.TaskHandle;
import java.util.List;
import java.util.Optional;

/**
 * What happens around each run of a task because it is a storage plugin; nothing for any other task.
 *
 * <p>Used by the task's thread, but for what its supervision says, which is written to {@code neverHealthy}.
 */
final class TaskPlugin {
    private final Optional<PluginTasks.PluginTask> plugin;
    private final TaskSetting setting;
    private final TaskParts parts;
    private final TaskDiary diary;
    private final TaskEvents events;
    private final Stopping stopping;
    private volatile boolean neverHealthy;

    TaskPlugin(
            TaskSetting setting,
            boolean isolated,
            TaskParts parts,
            TaskDiary diary,
            TaskEvents events,
            Stopping stopping) {
        this.plugin = Optional.ofNullable(setting.task().csiPlugin())
                .map(spec -> new PluginTasks.PluginTask(
                        setting.allocId(), setting.task().name(), spec, isolated));
        this.setting = setting;
        this.parts = parts;
        this.diary = diary;
        this.events = events;
        this.stopping = stopping;
    }

    /** What the task needs to be a plugin; empty if it is none. */
    Optional<PluginTasks.Prepared> beforeStart() throws Trouble, InterruptedException {
        if (plugin.isEmpty()) {
            return Optional.empty();
        }
        List<Long> owner = parts.owner(setting.task(), setting.user());
        return Optional.of(parts.plugins().beforeStart(plugin.get().of(owner)));
    }

    void afterStart(TaskHandle handle) {
        neverHealthy = false;
        plugin.ifPresent(p -> parts.plugins().afterStart(p, new Words(handle)));
    }

    /** @return whether the run was ended because the plugin did not become healthy */
    boolean afterEnd() throws InterruptedException {
        if (plugin.isPresent()) {
            parts.plugins().afterEnd(plugin.get(), why());
        }
        return neverHealthy;
    }

    private RunEnds.Reason why() {
        if (neverHealthy) {
            return RunEnds.Reason.UNHEALTHY;
        }
        return stopping.wasAsked() ? RunEnds.Reason.ASKED : RunEnds.Reason.BY_ITSELF;
    }

    /** Carries a plugin's words into the events of its task. */
    private final class Words implements PluginTasks.Listener {
        private final TaskHandle handle;

        Words(TaskHandle handle) {
            this.handle = handle;
        }

        @Override
        public void event(String type, String message) {
            diary.event(events.plugin(type, message));
        }

        @Override
        public void neverHealthy(String reason) {
            neverHealthy = true;
            parts.threads()
                    .contained(
                            "task/" + handle.id() + "/unhealthy",
                            () -> stopping.stop(handle, reason),
                            Threads.OnFault.NOTHING_MORE);
        }
    }
}
