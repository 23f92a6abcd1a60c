package io.cleat.driver.exec;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.ConfigTexts;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExitResult;
import io.cleat.driver.ProgramSearch;
import io.cleat.driver.SharedSources;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskConfig.TaskMount;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.shim.ProcessLimits;
import io.cleat.driver.shim.ShimDriver;
import io.cleat.driver.shim.ShimTasks;
import io.cleat.driver.shim.Users;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Place;
import io.cleat.kernel.Processes;
import io.cleat.kernel.SafeRemove;
import io.cleat.kernel.ShimDescription;
import io.cleat.model.DriverFacts;
import io.cleat.model.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Runs commands of the host in containers, each under a shim of its own that outlives the agent. An
 * OCI runtime makes the container and is gone; nothing is asked of it later, so a runtime that is
 * taken away hurts no task that runs.
 *
 * <p>Used by any thread.
 */
public final class ExecDriver extends ShimDriver {
    /** The name in job files. */
    public static final String NAME = "exec";

    /** Who a task runs as that does not say, and whose allocation has no user of its own. */
    private static final String DEFAULT_USER = "nobody";

    /** For a look at what is the agent's own. */
    private static final Duration LOOKING = Duration.ofSeconds(10);

    private static final Resources TRIAL = new Resources(100, 64, 64);

    private final ExecSettings settings;
    private final Parts parts;
    private final Users users = Users.ofThisMachine();
    private final Containers containers;
    private final ShimTasks tasks;
    private final SharedSources shared;
    private final Fingerprint fingerprint;

    /**
     * What the driver works with.
     *
     * @param shim the shim program
     * @param directory on a local disk that survives the agent; its owner's alone
     * @param path where runtimes are looked for
     * @param told called when {@link #fingerprint} may have another answer
     */
    public record Parts(
            Path shim,
            Path directory,
            List<Path> path,
            Cgroups cgroups,
            Processes processes,
            Mounts mounts,
            PathWorkers workers,
            Threads threads,
            Time time,
            Runnable told) {
        public Parts {
            shim = shim.toAbsolutePath();
            directory = directory.toAbsolutePath();
            path = List.copyOf(path);
        }
    }

    public ExecDriver(ExecSettings settings, Parts parts) {
        this.settings = settings;
        this.parts = parts;
        SystemFiles system = new SystemFiles(Path.of("/"));
        this.containers =
                new Containers(
                        parts.directory().resolve("containers"),
                        new OciSpec(
                                Syscalls.read(),
                                system,
                                ProcessLimits.ofEachHere(),
                                parts.cgroups().limitsSwap(),
                                KernelVersion.ofThisMachine().isAtLeast(5, 12)),
                        new InitProgram(parts.shim(), parts.directory()),
                        system,
                        parts.cgroups(),
                        new SafeRemove(parts.workers(), NAME, MountTable::read));
        this.tasks =
                new ShimTasks(
                        NAME,
                        parts.shim(),
                        parts.directory().resolve("shims"),
                        parts.cgroups(),
                        parts.processes(),
                        parts.time(),
                        containers);
        this.shared = new SharedSources(parts.mounts());
        this.fingerprint =
                new Fingerprint(
                        new RuntimeProbe(parts.path(), this::tryOut),
                        parts.threads(),
                        parts.time(),
                        parts.told());
    }

    /** The directories of this process's {@code PATH}. */
    public static List<Path> pathOfThisProcess() {
        List<Path> path = new ArrayList<>();
        String text = System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/usr/bin:/sbin:/bin";
        for (String directory : text.split(":", -1)) {
            if (directory.startsWith("/") && !path.contains(Path.of(directory))) {
                path.add(Path.of(directory));
            }
        }
        return path;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String userOf(String asked) {
        return asked.isEmpty() ? DEFAULT_USER : asked;
    }

    @Override
    public boolean wantsOwnUsers() {
        return true;
    }

    @Override
    public boolean joinsNetworks() {
        return true;
    }

    @Override
    public DriverCapabilities capabilities() {
        return new DriverCapabilities(true, true, DriverCapabilities.Isolation.CHROOT, true, true);
    }

    @Override
    public DriverFacts fingerprint() {
        Optional<RuntimeProbe.Outcome> outcome = outcome();
        Optional<Path> runtime = outcome.flatMap(RuntimeProbe.Outcome::runtime);
        Map<String, String> attributes = new TreeMap<>();
        outcome.ifPresent(
                found ->
                        found.failures()
                                .forEach(
                                        (name, words) ->
                                                attributes.put(
                                                        "driver.exec." + name + ".failure",
                                                        words)));
        runtime.ifPresent(
                path -> {
                    attributes.put("driver.exec", "1");
                    attributes.put("driver.exec.runtime", path.toString());
                });
        return new DriverFacts(
                runtime.isPresent(),
                runtime.isPresent(),
                runtime.isPresent() ? "Healthy" : why(outcome),
                attributes,
                parts.time().now());
    }

    private Optional<RuntimeProbe.Outcome> outcome() {
        try {
            return fingerprint.newest();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static String why(Optional<RuntimeProbe.Outcome> outcome) {
        return outcome.map(RuntimeProbe.Outcome::words)
                .orElse("it is not known yet whether an OCI runtime works here");
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        return ExecBlock.faults(config, settings);
    }

    @Override
    public TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException {
        List<String> faults = new ArrayList<>(faults(config.config()));
        ConfigTexts.checkVariables(config.env(), faults);
        if (!faults.isEmpty()) {
            throw ShimTasks.refused(config.id(), String.join("; ", faults));
        }
        Optional<RuntimeProbe.Outcome> outcome = fingerprint.newest();
        Path runtime =
                outcome.flatMap(RuntimeProbe.Outcome::runtime)
                        .orElseThrow(() -> ShimTasks.refused(config.id(), why(outcome)));
        List<Long> user = users.ids(userOf(config.user()));
        return tasks.start(
                config.id(),
                name -> {
                    requireDirectory(config);
                    ContainerPlan plan = plan(config, name, user);
                    shared.require(plan.mounts());
                    return description(
                            plan, runtime, config.task(), config.id(), Optional.of(config.logs()));
                });
    }

    /** A runtime follows links; a task of an earlier version of this agent may have left one. */
    private void requireDirectory(TaskConfig config)
            throws DriverTrouble, KernelTrouble, InterruptedException {
        Path logs = config.logs().directory();
        Place place = Place.of(Objects.requireNonNullElse(logs.getParent(), logs), logs);
        boolean isOne =
                parts.workers()
                        .of(NAME)
                        .stat(place, Deadline.in(parts.time(), LOOKING))
                        .filter(PathStat::isDirectory)
                        .isPresent();
        if (!isOne) {
            throw ShimTasks.refused(
                    config.id(),
                    "the directory of its output, "
                            + logs
                            + ", is no directory any more: stop the allocation, and another takes"
                            + " its place");
        }
    }

    private ContainerPlan plan(TaskConfig config, String name, List<Long> user)
            throws DriverTrouble, KernelTrouble, InterruptedException {
        ExecBlock block = ExecBlock.of(config.config());
        List<String> command = new ArrayList<>();
        command.add(command(block, config));
        command.addAll(block.args());
        List<TaskMount> mounts = new ArrayList<>();
        mounts.add(own(config.allocDir(), "/alloc"));
        // On top of what a root in the container may write, which no task can take away.
        mounts.add(new TaskMount(config.logs().directory(), "/alloc/logs", true, "private"));
        mounts.add(own(config.taskDir().resolve("local"), "/local"));
        mounts.add(own(config.taskDir().resolve("secrets"), "/secrets"));
        mounts.add(own(config.taskDir().resolve("tmp"), "/tmp"));
        block.hostPaths().forEach(path -> mounts.add(own(path, path.toString())));
        mounts.addAll(config.mounts());
        if (block.pluginVolumes()) {
            mounts.addAll(pluginVolumes(config));
        }
        return new ContainerPlan(
                name,
                command,
                config.env(),
                block.workDir(),
                user,
                config.ownUser(),
                block.bound(),
                block.added(),
                block.hostPids(),
                block.hostIpc(),
                config.network(),
                config.resources(),
                mounts,
                MountSources.look(mounts, parts.workers().of(NAME), parts.time()));
    }

    private static List<TaskMount> pluginVolumes(TaskConfig config) throws DriverTrouble {
        Map<String, TaskMount> places = new TreeMap<>();
        for (TaskMount volumes : config.pluginVolumes()) {
            TaskMount other = places.putIfAbsent(volumes.taskPath(), volumes);
            if (other != null && !other.equals(volumes)) {
                throw ShimTasks.refused(
                        config.id(),
                        "plugin_volumes = true, and two plugins of its group have their volumes at "
                                + volumes.taskPath()
                                + ": give each a stage_publish_base_dir of its own");
            }
        }
        if (places.isEmpty()) {
            throw ShimTasks.refused(
                    config.id(),
                    "plugin_volumes = true, and no other task of its group is a plugin that serves"
                            + " nodes");
        }
        return List.copyOf(places.values());
    }

    private static TaskMount own(Path hostPath, String taskPath) {
        return new TaskMount(hostPath, taskPath, false, "private");
    }

    /** A bare name may be that of a program in the task's own directory, which comes first. */
    private String command(ExecBlock block, TaskConfig config)
            throws KernelTrouble, InterruptedException {
        boolean isLocal =
                !block.command().startsWith("/")
                        && new ProgramSearch(parts.workers(), parts.time())
                                .first(
                                        config.id(),
                                        List.of(config.taskDir() + "/local/" + block.command()))
                                .isPresent();
        return isLocal ? "/local/" + block.command() : block.command();
    }

    private ShimDescription description(
            ContainerPlan plan,
            Path runtime,
            String task,
            String id,
            Optional<TaskConfig.Logs> logs)
            throws KernelTrouble, DriverTrouble {
        return new ShimDescription(
                containers.write(plan, runtime),
                task,
                logs.filter(kept -> !kept.disabled()).map(TaskConfig.Logs::directory),
                logs.map(TaskConfig.Logs::maxFiles).orElse(1),
                logs.map(TaskConfig.Logs::maxFileSize).orElse(1L << 20),
                ShimTasks.number(ShimTasks.DEFAULT_SIGNAL, id),
                ShimTasks.DEFAULT_TIMEOUT,
                parts.cgroups().group(plan.name()).directories(),
                tasks.shimCgroups());
    }

    /** Whether a runtime can do here what tasks need: see {@link RuntimeProbe}. */
    private ExitResult tryOut(Path runtime) throws DriverTrouble, InterruptedException {
        // No allocation has such an id, so no task is hidden or found by it.
        String id = "trial-" + runtime.getFileName();
        TaskHandle left = tasks.handle(id);
        tasks.destroy(left);
        try {
            TaskHandle task =
                    tasks.start(
                            id,
                            name ->
                                    description(
                                            trial(name), runtime, "trial", id, Optional.empty()));
            return tasks.await(task);
        } finally {
            tasks.destroy(left);
        }
    }

    private static ContainerPlan trial(String name) {
        return new ContainerPlan(
                name,
                List.of("true"),
                Map.of(),
                "/",
                List.of(65534L, 65534L),
                false,
                Capability.DEFAULTS,
                Set.of(),
                false,
                false,
                Optional.empty(),
                TRIAL,
                List.of(),
                new MountSources(Map.of()));
    }

    @Override
    protected ShimTasks tasks() {
        return tasks;
    }
}
