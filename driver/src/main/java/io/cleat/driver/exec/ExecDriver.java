package io.cleat.driver.exec;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.driver.ConfigTexts;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExitResult;
import io.cleat.driver.SharedSources;
import io.cleat.driver.Starting;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskNetwork;
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
import java.io.IOException;
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
 * Runs commands of the host in containers, each under a shim of its own that outlives the agent. An OCI runtime makes
 * the container and is gone; nothing is asked of it later, so a runtime that is taken away hurts no task that runs.
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
    private final Planning planning;
    private final ImageRoots roots;
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
     * @param images of the node; empty where tasks have none
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
            Optional<TaskImages> images,
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
        this.planning = new Planning(parts);
        SafeRemove clearing = new SafeRemove(parts.workers(), NAME, MountTable::read);
        Path containersAt = parts.directory().resolve("containers");
        this.roots = new ImageRoots(containersAt, parts.mounts(), parts.workers(), clearing, parts.time());
        this.containers = new Containers(
                containersAt,
                new OciSpec(
                        Syscalls.read(),
                        system,
                        ProcessLimits.ofEachHere(),
                        parts.cgroups().limitsSwap(),
                        KernelVersion.ofThisMachine().isAtLeast(5, 12)),
                new InitProgram(parts.shim(), parts.directory()),
                system,
                parts.cgroups(),
                roots,
                clearing);
        this.tasks = new ShimTasks(
                NAME,
                parts.shim(),
                parts.directory().resolve("shims"),
                parts.cgroups(),
                parts.processes(),
                parts.time(),
                containers);
        this.shared = new SharedSources(parts.mounts());
        this.fingerprint = new Fingerprint(
                new RuntimeProbe(parts.path(), this::tryOut), parts.threads(), parts.time(), parts.told());
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
    public boolean hasImage(Map<String, Object> config) {
        return config.containsKey("image");
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
        outcome.ifPresent(found ->
                found.failures().forEach((name, words) -> attributes.put("driver.exec." + name + ".failure", words)));
        runtime.ifPresent(path -> {
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
        return outcome.map(RuntimeProbe.Outcome::words).orElse("it is not known yet whether an OCI runtime works here");
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        return ExecBlock.faults(config, settings);
    }

    @Override
    public TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException {
        return start(config, Starting.ALONE);
    }

    @Override
    public TaskHandle start(TaskConfig config, Starting starting) throws DriverTrouble, InterruptedException {
        List<String> faults = new ArrayList<>(faults(config.config()));
        ConfigTexts.checkVariables(config.env(), faults);
        if (!faults.isEmpty()) {
            throw ShimTasks.refused(config.id(), String.join("; ", faults));
        }
        Optional<RuntimeProbe.Outcome> outcome = fingerprint.newest();
        Path runtime = outcome.flatMap(RuntimeProbe.Outcome::runtime)
                .orElseThrow(() -> ShimTasks.refused(config.id(), why(outcome)));
        ExecBlock block = ExecBlock.of(config.config());
        if (!block.image().isEmpty()) {
            return startImage(config, block, runtime, starting);
        }
        List<Long> user = users.ids(userOf(config.user()));
        return tasks.start(config.id(), name -> description(config, runtime, planning.plan(config, name, user)));
    }

    private TaskHandle startImage(TaskConfig config, ExecBlock block, Path runtime, Starting starting)
            throws DriverTrouble, InterruptedException {
        TaskImages images =
                parts.images().orElseThrow(() -> ShimTasks.refused(config.id(), "this node keeps no images"));
        boolean isNumbered = config.ownUser() && !config.user().isEmpty();
        List<Long> otherwise = users.ids(isNumbered ? config.user() : DEFAULT_USER);
        TaskImages.Source source = ImagePlace.of(block.image(), block.pulling(), config, settings.imagePaths());
        TaskImages.Wanted wanted = new TaskImages.Wanted(block.image(), source);
        try (TaskImages.Held held = images.hold(wanted, starting)) {
            return tasks.start(config.id(), name -> {
                try {
                    ImageRoot root = roots.mount(name, config, held);
                    return description(config, runtime, planning.plan(config, name, otherwise, root));
                } catch (DriverTrouble refused) {
                    containers.remove(name, Deadline.in(parts.time(), LOOKING));
                    throw refused;
                }
            });
        }
    }

    private ShimDescription description(TaskConfig config, Path runtime, ContainerPlan plan)
            throws KernelTrouble, DriverTrouble, InterruptedException {
        requireDirectory(config);
        shared.require(plan.mounts());
        return description(plan, runtime, config.task(), config.id(), Optional.of(config.logs()));
    }

    /** The directories of the layers that containers are made of. */
    public Set<Path> layersInUse() throws IOException {
        return roots.layersInUse();
    }

    /** A runtime follows links; a task of an earlier version of this agent may have left one. */
    private void requireDirectory(TaskConfig config) throws DriverTrouble, KernelTrouble, InterruptedException {
        Path logs = config.logs().directory();
        Place place = Place.of(Objects.requireNonNullElse(logs.getParent(), logs), logs);
        boolean isOne = parts.workers()
                .of(NAME)
                .stat(place, Deadline.in(parts.time(), LOOKING))
                .filter(PathStat::isDirectory)
                .isPresent();
        if (!isOne) {
            throw ShimTasks.refused(
                    config.id(),
                    "the directory of its output, "
                            + logs
                            + ", is no directory any more: stop the allocation, and another takes its place");
        }
    }

    private ShimDescription description(
            ContainerPlan plan, Path runtime, String task, String id, Optional<TaskConfig.Logs> logs)
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
            TaskHandle task = tasks.start(id, name -> description(trial(name), runtime, "trial", id, Optional.empty()));
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
                TaskNetwork.OF_NODE,
                TRIAL,
                List.of(),
                new MountSources(Map.of()),
                Optional.empty());
    }

    @Override
    protected ShimTasks tasks() {
        return tasks;
    }
}
