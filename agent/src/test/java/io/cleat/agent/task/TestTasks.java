package io.cleat.agent.task;

import io.cleat.model.CsiPluginSpec;
import io.cleat.model.EphemeralDisk;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.NodeFacts;
import io.cleat.model.Resources;
import io.cleat.model.RestartPolicy;
import io.cleat.model.Task;
import io.cleat.model.TaskDraft;
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
                attempts, Duration.ofMinutes(30), Duration.ofMillis(1), RestartPolicy.Mode.FAIL, false);
    }

    public static Task task(String name, int attempts, @Nullable CsiPluginSpec plugin, VolumeMount... mounts) {
        return Task.named(name, "fake", restarts(attempts))
                .config(Map.of("command", "run", "args", List.of("${NOMAD_ALLOC_ID}", "${unknown}")))
                .env(Map.of("GREETING", "hello ${NOMAD_TASK_NAME} on ${attr.kernel.name}"))
                .meta(Map.of("owner", "team"))
                .resources(new Resources(100, 64, 0))
                .volumeMounts(List.of(mounts))
                .csiPlugin(plugin)
                .done();
    }

    /** A task with a place of its own in the life of its group. */
    public static Task hook(String name, TaskLifecycle.Hook hook, boolean sidecar, VolumeMount... mounts) {
        return slow(task(name, 0, null, mounts))
                .lifecycle(new TaskLifecycle(hook, sidecar))
                .done();
    }

    public static Task leader(String name) {
        return slow(task(name, 0, null)).leader(true).done();
    }

    /** A main task with a way of its own to be ended. */
    public static Task ending(String name, String signal, Duration shutdownDelay) {
        return slow(task(name, 0, null))
                .killSignal(signal)
                .shutdownDelay(shutdownDelay)
                .done();
    }

    /** A main task with a restart policy of its own. */
    public static Task restarting(String name, RestartPolicy policy) {
        return slow(task(name, 0, null)).restart(policy).done();
    }

    /** It has all the time to stop by itself. */
    private static TaskDraft slow(Task task) {
        return task.edit().killTimeout(Duration.ofHours(1));
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
                List.of(new TaskGroup(
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
                Map.of("kernel.name", "linux", "unique.cgroup.parent", "cleat-node"),
                Map.of(),
                Map.of(),
                List.of(),
                new Resources(4000, 8000, 0),
                1000,
                "boot-1",
                List.of());
    }
}
