package io.cleat.model;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One command that a task driver runs.
 *
 * @param config what the driver reads; strings, longs, doubles, booleans, lists and maps of them
 * @param killSignal the signal that asks the task to stop; empty for the driver's own
 * @param killTimeout how long the task has to stop before it is killed
 * @param restart the group's policy where the task has none of its own
 * @param csiPlugin present if the task is a storage plugin
 * @param lifecycle absent for a main task
 * @param templates rendered before the task starts, after its artifacts are there
 * @param artifacts fetched before the task starts
 * @param payloadFile where in the task's {@code local} directory is put what was sent along with the dispatch of its
 *     job; null for nowhere
 * @param services of this task alone
 */
public record Task(
        String name,
        String driver,
        String user,
        Map<String, Object> config,
        Map<String, String> env,
        Map<String, String> meta,
        List<Constraint> constraints,
        Resources resources,
        LogLimits logs,
        List<VolumeMount> volumeMounts,
        String killSignal,
        Duration killTimeout,
        Duration shutdownDelay,
        boolean leader,
        RestartPolicy restart,
        @Nullable CsiPluginSpec csiPlugin,
        @Since(2) @Nullable TaskLifecycle lifecycle,
        @Since(2) List<TaskTemplate> templates,
        @Since(2) List<TaskArtifact> artifacts,
        @Since(11) @Nullable String payloadFile,
        @Since(11) List<Affinity> affinities,
        @Since(16) List<Service> services) {
    public Task {
        config = Ordered.copyOf(config);
        env = Ordered.copyOf(env);
        meta = Ordered.copyOf(meta);
        constraints = List.copyOf(constraints);
        volumeMounts = List.copyOf(volumeMounts);
        templates = List.copyOf(templates);
        artifacts = List.copyOf(artifacts);
        affinities = List.copyOf(affinities);
        services = List.copyOf(services);
    }

    /** A main task to be filled in: no configuration, nothing demanded or mounted, five seconds to stop. */
    public static TaskDraft named(String name, String driver, RestartPolicy restart) {
        return new TaskDraft(name, driver, restart);
    }

    /** The same task, to be changed in parts. */
    public TaskDraft edit() {
        return new TaskDraft(this);
    }

    /** Whether it has no place of its own in the life of its group. */
    public boolean isMain() {
        return lifecycle == null;
    }

    /** Whether it runs beside the main tasks until they have ended. */
    public boolean isSidecar() {
        return lifecycle != null && lifecycle.sidecar();
    }

    /**
     * Whether it sees the host's files at the host's paths: of all drivers {@code raw_exec} alone gives a task no file
     * system of its own.
     */
    public boolean seesHostFiles() {
        return driver.equals("raw_exec");
    }

    public boolean isHook(TaskLifecycle.Hook hook) {
        return lifecycle != null && lifecycle.hook() == hook;
    }
}
