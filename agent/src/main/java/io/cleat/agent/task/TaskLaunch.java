package io.cleat.agent.task;

import io.cleat.agent.plugins.PluginTasks;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.driver.DriverCapabilities.Isolation;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.shim.Users;
import io.cleat.model.Task;
import io.cleat.model.VolumeMount;
import io.cleat.model.VolumeRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a task ready for its driver: directories, volumes, environment, expanded configuration. */
final class TaskLaunch {
    private static final long MEBI = 1 << 20;

    private final TaskSetting setting;
    private final TaskParts parts;
    private final TaskDriver driver;

    /** A task that may be started. */
    record Ready(TaskConfig config) {}

    TaskLaunch(TaskSetting setting, TaskParts parts, TaskDriver driver) {
        this.setting = setting;
        this.parts = parts;
        this.driver = driver;
    }

    boolean isIsolated() {
        return driver.capabilities().isolation() != Isolation.NONE;
    }

    /** Makes directories, shows the volumes, and says what the driver is to start. */
    Ready ready(String run, Optional<PluginTasks.Prepared> plugin)
            throws Trouble, InterruptedException {
        Path root = setting.taskRoot();
        TaskDirectory directory = new TaskDirectory(root);
        for (VolumeMount mount : setting.task().volumeMounts()) {
            if (!setting.published().containsKey(mount.alias())) {
                throw new KernelTrouble(
                        "volume \"" + mount.alias() + "\" of the task is not mounted here any more",
                        Effect.NONE,
                        Retry.NEVER);
            }
        }
        directory.make(owner(), !isIsolated());
        Map<String, String> seen = new HashMap<>();
        if (isIsolated()) {
            parts.binds().keepInMemory(directory.secrets());
        } else {
            for (VolumeMount mount : setting.task().volumeMounts()) {
                Path published = setting.published().get(mount.alias());
                if (published != null) {
                    VolumeBinds.Bound at =
                            parts.binds()
                                    .bind(published, root, mount.destination(), mount.readOnly());
                    seen.putIfAbsent(mount.alias(), at.path().toString());
                }
            }
        }
        return new Ready(config(run, plugin, seen));
    }

    /** A task that is not isolated comes to its directory as its user, by the path on the host. */
    private List<Long> owner() throws DriverTrouble {
        String user = setting.task().user();
        return isIsolated() || user.isEmpty() ? List.of() : Users.ofThisMachine().ids(user);
    }

    /** The configuration as it was for an earlier start; for finding what was started. */
    TaskConfig config(String run, Optional<PluginTasks.Prepared> plugin) {
        return config(run, plugin, Map.of());
    }

    private TaskConfig config(
            String run, Optional<PluginTasks.Prepared> plugin, Map<String, String> boundVolumes) {
        Task task = setting.task();
        Map<String, String> volumes = new HashMap<>(boundVolumes);
        List<TaskConfig.TaskMount> mounts = new ArrayList<>();
        if (isIsolated()) {
            for (VolumeMount mount : task.volumeMounts()) {
                Path published = setting.published().get(mount.alias());
                if (published != null) {
                    volumes.putIfAbsent(mount.alias(), inside(mount.destination()));
                    mounts.add(
                            new TaskConfig.TaskMount(
                                    published,
                                    inside(mount.destination()),
                                    mount.readOnly() || isReadOnly(mount.alias()),
                                    mount.propagation()));
                }
            }
        }
        Map<String, String> added = new HashMap<>();
        plugin.ifPresent(
                prepared -> {
                    added.put("CSI_ENDPOINT", prepared.endpoint());
                    prepared.mounts()
                            .forEach(
                                    mount ->
                                            mounts.add(
                                                    new TaskConfig.TaskMount(
                                                            mount.hostPath(),
                                                            mount.taskPath(),
                                                            false,
                                                            mount.propagation())));
                });
        TaskEnvironment environment =
                new TaskEnvironment(
                        new TaskEnvironment.Facts(
                                setting.allocId(),
                                setting.allocName(),
                                setting.allocIndex(),
                                setting.job(),
                                setting.group(),
                                task,
                                parts.node().get(),
                                isIsolated() ? Path.of("/alloc") : setting.allocDir(),
                                isIsolated()
                                        ? Path.of("/local")
                                        : setting.taskRoot().resolve("local"),
                                isIsolated()
                                        ? Path.of("/secrets")
                                        : setting.taskRoot().resolve("secrets"),
                                volumes,
                                added));
        return new TaskConfig(
                run,
                setting.allocId(),
                task.name(),
                environment.expand(task.config()),
                environment.variables(),
                task.user(),
                task.resources(),
                setting.allocDir(),
                setting.taskRoot(),
                mounts,
                new TaskConfig.Logs(
                        setting.logs(),
                        task.logs().maxFiles(),
                        task.logs().maxFileSizeMb() * MEBI,
                        !parts.collectsLogs(task)));
    }

    /** Job files may leave the first slash out. */
    private static String inside(String destination) {
        return destination.startsWith("/") ? destination : "/" + destination;
    }

    private boolean isReadOnly(String alias) {
        VolumeRequest request = setting.group().volumes().get(alias);
        return request != null && request.readOnly();
    }
}
