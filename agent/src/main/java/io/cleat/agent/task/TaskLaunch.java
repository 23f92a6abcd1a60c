package io.cleat.agent.task;

import io.cleat.agent.plugins.PluginTasks;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.driver.DriverCapabilities.Isolation;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.kernel.FileWrites;
import io.cleat.kernel.Mounts;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.JobLaunch;
import io.cleat.model.NameRule;
import io.cleat.model.Task;
import io.cleat.model.VolumeMount;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a task ready for its driver: directories, volumes, environment, expanded configuration. */
final class TaskLaunch {
    private static final long MEBI = 1 << 20;
    private static final int PAYLOAD_MODE = 0644;

    private final TaskSetting setting;
    private final TaskParts parts;
    private final TaskDriver driver;

    /**
     * A task that may be started.
     *
     * @param unknown what it asks of its node that the node does not know
     */
    record Ready(TaskConfig config, List<String> unknown) {
        Ready {
            unknown = List.copyOf(unknown);
        }
    }

    TaskLaunch(TaskSetting setting, TaskParts parts, TaskDriver driver) {
        this.setting = setting;
        this.parts = parts;
        this.driver = driver;
    }

    boolean isIsolated() {
        return isolates(driver);
    }

    /** Whether the image may say whom the task runs as. */
    private boolean isOfItsImage(List<Long> owner) {
        return driver.hasImage(setting.task().config())
                && (owner.isEmpty() || setting.task().user().isEmpty());
    }

    private static boolean isolates(TaskDriver driver) {
        return driver.capabilities().isolation() != Isolation.NONE;
    }

    /**
     * Makes directories, shows the volumes, fetches the artifacts, renders the templates, and says what the driver is
     * to start.
     *
     * @return empty if not all artifacts could be had, which an event says, or if the wait for what templates are made
     *     of was over before
     */
    Optional<Ready> ready(
            String run,
            Optional<PluginTasks.Prepared> plugin,
            TaskArtifacts artifacts,
            TaskTemplates templates,
            TaskTemplates.Wait wait)
            throws Trouble, InterruptedException {
        requireName();
        Path root = setting.taskRoot();
        TaskDirectory directory = new TaskDirectory(root, parts.binds().mounted(root));
        for (VolumeMount mount : setting.task().volumeMounts()) {
            if (!setting.published().containsKey(mount.alias())) {
                throw new KernelTrouble(
                        "volume \"" + mount.alias() + "\" of the task is not mounted here any more",
                        Effect.NONE,
                        Retry.NEVER);
            }
        }
        List<Long> owner = parts.owner(setting.task(), setting.user());
        if (isIsolated()) {
            boolean isAnybodys = isOfItsImage(owner);
            directory.makeShown(owner, isAnybodys);
            parts.binds().keepInMemory(directory.secrets(), TaskDirectory.shown(owner, isAnybodys));
        } else {
            directory.make(owner);
        }
        show();
        putPayload();
        TaskEnvironment environment = environment(plugin, Map.of());
        if (!artifacts.fetched(environment)) {
            return Optional.empty();
        }
        List<TaskConfig.TaskMount> pluginVolumes = pluginVolumes();
        Optional<Ready> ready = templates
                .render(environment, wait)
                .map(rendered -> ready(run, plugin, pluginVolumes, environment(plugin, rendered)));
        if (ready.isPresent()) {
            SeenNetwork.require(ready.get().config().network());
        }
        return ready;
    }

    /** What was sent along with the dispatch of the job; nothing for any other job. */
    private void putPayload() throws Trouble, InterruptedException {
        String file = setting.task().payloadFile();
        if (file == null || !(setting.job().launch() instanceof JobLaunch.Child copy)) {
            return;
        }
        try {
            parts.files()
                    .write(
                            setting.places().of("local/" + file),
                            Base64.getDecoder().decode(copy.payload()),
                            new FileWrites.Owner(PAYLOAD_MODE, -1, -1));
        } catch (Refused refused) {
            throw new DriverTrouble(refused.refusal().message(), Effect.NONE, Retry.NEVER);
        }
    }

    private Ready ready(
            String run,
            Optional<PluginTasks.Prepared> plugin,
            List<TaskConfig.TaskMount> pluginVolumes,
            TaskEnvironment environment) {
        TaskConfig config = config(run, plugin, pluginVolumes, environment);
        return new Ready(config, environment.unknown());
    }

    /** Of the group's plugins that serve nodes, but of the one that this task is. */
    private List<TaskConfig.TaskMount> pluginVolumes() throws Trouble, InterruptedException {
        List<TaskConfig.TaskMount> volumes = new ArrayList<>();
        for (Task task : setting.group().tasks()) {
            CsiPluginSpec spec = task.csiPlugin();
            TaskDriver other = parts.drivers().get(task.driver());
            if (spec == null
                    || other == null
                    || !spec.type().servesNode()
                    || task.name().equals(setting.task().name())
                    || !isIsolated()) {
                continue;
            }
            volumes.add(shown(parts.plugins()
                    .volumes(new PluginTasks.PluginTask(setting.allocId(), task.name(), spec, isolates(other)))));
        }
        return volumes;
    }

    private static TaskConfig.TaskMount shown(PluginTasks.HostMount mount) {
        return new TaskConfig.TaskMount(mount.hostPath(), mount.taskPath(), false, mount.propagation());
    }

    /** Only what the agent itself holds is given to a runtime: a plugin may change what it has. */
    private void show() throws Trouble, InterruptedException {
        List<VolumeMount> mounts = setting.task().volumeMounts();
        for (int number = 0; number < mounts.size(); number++) {
            VolumeMount mount = mounts.get(number);
            Optional<VolumeBinds.Published> volume = setting.volume(mount.alias());
            if (volume.isEmpty()) {
                continue;
            }
            requireThere(mount.alias(), volume.get());
            if (isIsolated()) {
                parts.binds()
                        .hold(
                                volume.get(),
                                setting.taskRoot(),
                                number,
                                spread(mount.propagation()),
                                hasOwnUser()
                                        ? Optional.of(parts.swap(
                                                setting.task(), setting.user().id()))
                                        : Optional.empty());
            } else {
                parts.binds().bind(volume.get(), setting.taskRoot(), mount.destination(), mount.readOnly());
            }
        }
    }

    private void requireThere(String alias, VolumeBinds.Published volume) throws Trouble {
        if (!parts.binds().isThere(volume)) {
            throw new KernelTrouble(
                    "volume \""
                            + alias
                            + "\" is not mounted any more at "
                            + volume.path()
                            + ", where its plugin had published it: it is mounted anew first",
                    Effect.NONE,
                    Retry.AFTER_OBSERVING);
        }
    }

    private boolean hasOwnUser() {
        return setting.user().isThere() && parts.wantsOwnUser(setting.task());
    }

    private static Mounts.Spread spread(String propagation) {
        return propagation.equals("private") ? Mounts.Spread.PRIVATE : Mounts.Spread.SHARED;
    }

    /** The job may be older than the rule for names, and the name becomes part of paths. */
    private void requireName() throws DriverTrouble {
        Optional<String> fault = NameRule.taskFault(setting.task().name());
        if (fault.isPresent()) {
            throw new DriverTrouble(fault.get() + ", and register the job again", Effect.NONE, Retry.NEVER);
        }
    }

    /** The configuration as it was for an earlier start; for finding what was started. */
    TaskConfig config(String run) {
        return config(run, Optional.empty(), List.of(), environment());
    }

    /** The environment of a task that an earlier agent has started. */
    TaskEnvironment environment() {
        return environment(Optional.empty(), Map.of());
    }

    private TaskConfig config(
            String run,
            Optional<PluginTasks.Prepared> plugin,
            List<TaskConfig.TaskMount> pluginVolumes,
            TaskEnvironment environment) {
        Task task = setting.task();
        return new TaskConfig(
                run,
                setting.allocId(),
                task.name(),
                environment.expand(task.config()),
                environment.variables(),
                hasOwnUser() ? Long.toString(setting.user().id()) : task.user(),
                hasOwnUser(),
                task.resources(),
                setting.allocDir(),
                setting.taskRoot(),
                mounts(plugin),
                pluginVolumes,
                setting.ports(),
                SeenNetwork.of(setting, environment::expand),
                new TaskConfig.Logs(
                        setting.logs(),
                        task.logs().maxFiles(),
                        task.logs().maxFileSizeMb() * MEBI,
                        !parts.collectsLogs(task)));
    }

    private List<TaskConfig.TaskMount> mounts(Optional<PluginTasks.Prepared> plugin) {
        List<TaskConfig.TaskMount> mounts = new ArrayList<>();
        List<VolumeMount> volumes = setting.task().volumeMounts();
        for (int number = 0; number < volumes.size(); number++) {
            VolumeMount mount = volumes.get(number);
            if (setting.published().containsKey(mount.alias()) && isIsolated()) {
                mounts.add(new TaskConfig.TaskMount(
                        parts.binds().held(setting.taskRoot(), number),
                        inside(mount.destination()),
                        setting.isReadOnly(mount),
                        mount.propagation(),
                        true));
            }
        }
        plugin.ifPresent(prepared -> prepared.mounts().forEach(mount -> mounts.add(shown(mount))));
        return mounts;
    }

    private TaskEnvironment environment(Optional<PluginTasks.Prepared> plugin, Map<String, String> rendered) {
        Path root = setting.taskRoot();
        Map<String, String> volumes = new HashMap<>();
        for (VolumeMount mount : setting.task().volumeMounts()) {
            if (setting.published().containsKey(mount.alias())) {
                String inside = inside(mount.destination());
                volumes.putIfAbsent(mount.alias(), isIsolated() ? inside : root + inside);
            }
        }
        return new TaskEnvironment(new TaskEnvironment.Facts(
                setting.allocId(),
                setting.allocName(),
                setting.allocIndex(),
                setting.job(),
                setting.group(),
                setting.task(),
                parts.node().get(),
                isIsolated() ? Path.of("/alloc") : setting.allocDir(),
                isIsolated() ? Path.of("/local") : root.resolve("local"),
                isIsolated() ? Path.of("/secrets") : root.resolve("secrets"),
                volumes,
                setting.ports(),
                setting.address(),
                plugin.map(prepared -> Map.of("CSI_ENDPOINT", prepared.endpoint()))
                        .orElse(Map.of()),
                rendered));
    }

    /** One slash at the beginning, which job files may leave out. */
    private static String inside(String destination) {
        return "/" + destination.replaceFirst("^/+", "");
    }
}
