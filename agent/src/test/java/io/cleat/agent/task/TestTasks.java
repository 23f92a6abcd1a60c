package io.cleat.agent.task;

import io.cleat.model.CsiPluginSpec;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.LogLimits;
import io.cleat.model.NodeFacts;
import io.cleat.model.Resources;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle;
import io.cleat.model.VolumeMount;
import io.cleat.model.VolumeRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs for tests. */
public final class TestTasks {
    private TestTasks() {}

    public static RestartPolicy restarts(int attempts) {
        return new RestartPolicy(
                attempts,
                Duration.ofMinutes(30),
                Duration.ofMillis(1),
                RestartPolicy.Mode.FAIL,
                false);
    }

    public static Task task(
            String name, int attempts, @Nullable CsiPluginSpec plugin, VolumeMount... mounts) {
        return new Task(
                name,
                "fake",
                "",
                Map.of("command", "run", "args", List.of("${NOMAD_ALLOC_ID}", "${unknown}")),
                Map.of("GREETING", "hello ${NOMAD_TASK_NAME} on ${attr.kernel.name}"),
                Map.of("owner", "team"),
                List.of(),
                new Resources(100, 64, 0),
                LogLimits.DEFAULT,
                List.of(mounts),
                "",
                Duration.ofSeconds(5),
                Duration.ZERO,
                false,
                restarts(attempts),
                plugin);
    }

    /** A task with a place of its own in the life of its group. */
    public static Task hook(
            String name, TaskLifecycle.Hook hook, boolean sidecar, VolumeMount... mounts) {
        return with(
                task(name, 0, null, mounts),
                false,
                "",
                Duration.ZERO,
                new TaskLifecycle(hook, sidecar),
                restarts(0));
    }

    public static Task leader(String name) {
        return with(task(name, 0, null), true, "", Duration.ZERO, null, restarts(0));
    }

    /** A main task with a way of its own to be ended. */
    public static Task ending(String name, String signal, Duration shutdownDelay) {
        return with(task(name, 0, null), false, signal, shutdownDelay, null, restarts(0));
    }

    /** A main task with a restart policy of its own. */
    public static Task restarting(String name, RestartPolicy policy) {
        return with(task(name, 0, null), false, "", Duration.ZERO, null, policy);
    }

    private static Task with(
            Task task,
            boolean leader,
            String killSignal,
            Duration shutdownDelay,
            @Nullable TaskLifecycle lifecycle,
            RestartPolicy restart) {
        return new Task(
                task.name(),
                task.driver(),
                task.user(),
                task.config(),
                task.env(),
                task.meta(),
                task.constraints(),
                task.resources(),
                task.logs(),
                task.volumeMounts(),
                killSignal,
                Duration.ofHours(1),
                shutdownDelay,
                leader,
                restart,
                task.csiPlugin(),
                lifecycle);
    }

    public static JobSpec job(JobType type, Map<String, VolumeRequest> volumes, Task... tasks) {
        return new JobSpec(
                new JobId("default", "web"),
                "web",
                type,
                "global",
                "default",
                50,
                false,
                List.of("*"),
                Map.of("tier", "one"),
                List.of(),
                List.of(
                        new TaskGroup(
                                "g",
                                1,
                                Map.of(),
                                List.of(),
                                volumes,
                                restarts(0),
                                null,
                                null,
                                null,
                                new EphemeralDisk(300, false, false),
                                null,
                                Arrays.asList(tasks))));
    }

    public static NodeFacts node() {
        return new NodeFacts(
                "node-1",
                "n1",
                "dc1",
                "default",
                "",
                "127.0.0.1:4646",
                Map.of("kernel.name", "linux"),
                Map.of(),
                Map.of(),
                List.of(),
                new Resources(4000, 8000, 0),
                1000,
                "boot-1",
                List.of());
    }
}
