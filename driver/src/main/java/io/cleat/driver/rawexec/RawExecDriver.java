package io.cleat.driver.rawexec;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExitResult;
import io.cleat.driver.Signals;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskStats;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.Processes;
import io.cleat.kernel.ShimDescription;
import io.cleat.kernel.ShimExit;
import io.cleat.kernel.ShimRun;
import io.cleat.kernel.ShimState;
import io.cleat.model.DriverFacts;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Runs commands of the host, each under a shim of its own that outlives the agent.
 *
 * <p>A task's shim directory and control group are named by the task's id, with dots for slashes,
 * so that they can be found though no handle was stored. Holds nothing of its own; used by any
 * thread.
 */
public final class RawExecDriver implements TaskDriver {
    /** The name in job files. */
    public static final String NAME = "raw_exec";

    /** Of the handle's {@code state}, which is the name of the shim directory. */
    private static final int HANDLE_VERSION = 1;

    private static final String DEFAULT_SIGNAL = "SIGTERM";
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration START_LIMIT = Duration.ofSeconds(30);
    private static final Duration ASK_LIMIT = Duration.ofSeconds(10);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(30);
    private static final String SHIMS = "shims";
    private static final long MEBI = 1 << 20;
    private static final String PATH =
            "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final Path shim;
    private final Path shims;
    private final Cgroups cgroups;
    private final Processes processes;
    private final Users users;
    private final Remains remains;
    private final Time time;

    /**
     * @param shim the shim program
     * @param shims where each task gets a directory of its own, on a local disk that survives the
     *     agent
     */
    public RawExecDriver(Path shim, Path shims, Cgroups cgroups, Processes processes, Time time) {
        this.shim = shim.toAbsolutePath();
        this.shims = shims.toAbsolutePath();
        this.cgroups = cgroups;
        this.processes = processes;
        this.users = new Users(Path.of("/etc/passwd"), Path.of("/etc/group"));
        this.remains = new Remains(processes, time);
        this.time = time;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DriverCapabilities capabilities() {
        return new DriverCapabilities(true, false, DriverCapabilities.Isolation.NONE, false, true);
    }

    @Override
    public DriverFacts fingerprint() {
        boolean there = Files.isExecutable(shim);
        String health =
                there ? "Healthy" : "the shim " + shim + " is not there; scripts/shim.sh builds it";
        return new DriverFacts(there, there, health, attributes(there), time.now());
    }

    private Map<String, String> attributes(boolean there) {
        return there
                ? Map.of(
                        "driver.raw_exec",
                        "1",
                        "driver.raw_exec.cgroups",
                        cgroups.layout().name().toLowerCase(Locale.ROOT))
                : Map.of();
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        return Command.faults(config);
    }

    @Override
    public TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException {
        List<String> faults = faults(config.config());
        if (!faults.isEmpty()) {
            throw refused(config.id(), String.join("; ", faults));
        }
        String name = directoryName(config.id());
        try {
            describeAndStart(config, name);
        } catch (KernelTrouble failed) {
            if (failed.effect() == Effect.NONE) {
                forgetQuietly(name, failed);
            }
            throw new DriverTrouble(
                    "starting the task " + config.id() + " failed: " + failed.reason(),
                    failed.effect(),
                    failed.retry(),
                    failed);
        }
        return handle(config.id(), name);
    }

    private void describeAndStart(TaskConfig config, String name)
            throws KernelTrouble, DriverTrouble, InterruptedException {
        Command command = Command.of(config.config());
        Map<String, String> env = new TreeMap<>(config.env());
        env.putIfAbsent("PATH", PATH);
        Path program =
                command.program(config.taskDir(), env.getOrDefault("PATH", PATH))
                        .orElseThrow(
                                () ->
                                        refused(
                                                config.id(),
                                                "the command '"
                                                        + command.command()
                                                        + "' is neither in the task directory nor"
                                                        + " in PATH"));
        List<Long> user = user(config);
        Cgroups.Group group = cgroups.create(name);
        group.limit(limits(config.resources()));
        ShimDescription description =
                new ShimDescription(
                        program,
                        command.args(),
                        env,
                        config.taskDir(),
                        user,
                        config.task(),
                        config.logs().disabled()
                                ? Optional.empty()
                                : Optional.of(config.logs().directory()),
                        config.logs().maxFiles(),
                        config.logs().maxFileSize(),
                        number(DEFAULT_SIGNAL, config.id()),
                        DEFAULT_TIMEOUT,
                        group.directories(),
                        cgroups.create(SHIMS).directories());
        run(name).start(description, Deadline.in(time, START_LIMIT));
    }

    /** A share of the processors by MHz, as job files ask for it; memory up to its limit. */
    private static Cgroups.Limits limits(Resources resources) {
        return new Cgroups.Limits(
                resources.cpuMhz(),
                resources.memoryMb() * MEBI,
                Math.max(resources.memoryMb(), resources.memoryMaxMb()) * MEBI);
    }

    private List<Long> user(TaskConfig config) throws DriverTrouble {
        if (config.user().isEmpty() || config.user().equals(System.getProperty("user.name"))) {
            return List.of();
        }
        try {
            return users.ids(config.user())
                    .orElseThrow(
                            () ->
                                    refused(
                                            config.id(),
                                            "there is no user '" + config.user() + "' here"));
        } catch (IOException unreadable) {
            throw refused(config.id(), "the users of this machine cannot be read: " + unreadable);
        }
    }

    private void forgetQuietly(String name, KernelTrouble cause) throws InterruptedException {
        try {
            ShimRun run = run(name);
            boolean nothingRan = run.state().isEmpty();
            boolean notExecuted = run.exit().filter(exit -> !exit.error().isEmpty()).isPresent();
            // Else the id was started before, and what that left is not this start's to forget.
            if (nothingRan || notExecuted) {
                forget(name, Deadline.in(time, ASK_LIMIT));
            }
        } catch (KernelTrouble also) {
            // The sweeper finds the directory by its name.
            cause.addSuppressed(also);
        }
    }

    @Override
    public Optional<TaskHandle> find(TaskConfig config) throws DriverTrouble, InterruptedException {
        String name = directoryName(config.id());
        try {
            if (run(name).settle(Deadline.in(time, START_LIMIT)).isPresent()) {
                return Optional.of(handle(config.id(), name));
            }
            forget(name, Deadline.in(time, ASK_LIMIT));
            return Optional.empty();
        } catch (KernelTrouble failed) {
            throw trouble("finding", config.id(), failed);
        }
    }

    @Override
    public Set<String> allocations() throws DriverTrouble {
        Set<String> running = new TreeSet<>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(shims)) {
            for (Path each : names) {
                String name = each.getFileName().toString();
                int end = name.indexOf('.');
                if (end > 0 && run(name).runs()) {
                    running.add(name.substring(0, end));
                }
            }
            return running;
        } catch (NoSuchFileException none) {
            return Set.of();
        } catch (IOException | DirectoryIteratorException failed) {
            throw new DriverTrouble(
                    "the tasks in " + shims + " could not be listed: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        } catch (KernelTrouble failed) {
            throw trouble("looking for", shims.toString(), failed);
        }
    }

    @Override
    public ExitResult await(TaskHandle task) throws DriverTrouble, InterruptedException {
        String name = directory(task);
        try {
            ShimRun run = run(name);
            Optional<ShimExit> exit = run.awaitEnd();
            if (exit.isPresent()) {
                return result(exit.get());
            }
            remains.end(cgroups.group(name), run.state(), Deadline.in(time, KILL_LIMIT));
        } catch (KernelTrouble failed) {
            throw trouble("waiting for", task.id(), failed);
        }
        throw new DriverTrouble(
                "the shim of the task "
                        + task.id()
                        + " is gone and wrote no exit code, as after a restart of the machine;"
                        + " nothing of the task runs any more",
                Effect.APPLIED,
                Retry.NEVER);
    }

    private static ExitResult result(ShimExit exit) {
        return new ExitResult(
                exit.signal() == 0 ? exit.code() : 128 + exit.signal(),
                exit.signal(),
                exit.oom() == ShimExit.Oom.YES);
    }

    @Override
    public void stop(TaskHandle task, String signal, Duration timeout) throws DriverTrouble {
        int number = number(signal.isEmpty() ? DEFAULT_SIGNAL : signal, task.id());
        try {
            run(directory(task)).stop(number, timeout, Deadline.in(time, ASK_LIMIT));
        } catch (KernelTrouble failed) {
            throw trouble("stopping", task.id(), failed);
        }
    }

    @Override
    public void signal(TaskHandle task, String signal) throws DriverTrouble {
        int number = number(signal, task.id());
        try {
            ShimRun run = run(directory(task));
            if (!run.runs()) {
                throw new DriverTrouble(
                        "the task " + task.id() + " has ended and takes no signal",
                        Effect.NONE,
                        Retry.NEVER);
            }
            run.signal(number, Deadline.in(time, ASK_LIMIT));
        } catch (KernelTrouble failed) {
            throw trouble("sending " + signal + " to", task.id(), failed);
        }
    }

    @Override
    public TaskStats stats(TaskHandle task) throws DriverTrouble {
        String name = directory(task);
        try {
            Optional<ShimState> state = run(name).state();
            List<Long> pids = cgroups.group(name).processes();
            long user = 0;
            long system = 0;
            long memory = 0;
            if (state.isPresent() && processes.isAlive(state.get().child())) {
                List<ProcessIdentity> session = processes.session(state.get().child().pid());
                for (ProcessIdentity member : session) {
                    Optional<Processes.Usage> usage = processes.usage(member);
                    user += usage.map(Processes.Usage::cpuUserNanos).orElse(0L);
                    system += usage.map(Processes.Usage::cpuSystemNanos).orElse(0L);
                    memory += usage.map(Processes.Usage::memoryBytes).orElse(0L);
                }
                pids = pids.isEmpty() ? session.stream().map(ProcessIdentity::pid).toList() : pids;
            }
            Cgroups.Stats counted = cgroups.group(name).stats();
            return new TaskStats(
                    time.now(),
                    counted.cpuUserNanos().orElse(user),
                    counted.cpuSystemNanos().orElse(system),
                    counted.memoryBytes().orElse(memory),
                    counted.memoryMaxBytes().orElse(0),
                    pids);
        } catch (KernelTrouble failed) {
            throw trouble("measuring", task.id(), failed);
        }
    }

    @Override
    public void destroy(TaskHandle task) throws DriverTrouble, InterruptedException {
        String name = directory(task);
        Deadline deadline = Deadline.in(time, KILL_LIMIT);
        try {
            ShimRun run = run(name);
            if (run.runs()) {
                run.stop(Processes.SIGKILL, Duration.ZERO, deadline);
            }
            if (run.state().isPresent() && run.awaitEnd().isEmpty()) {
                remains.end(cgroups.group(name), run.state(), deadline);
            }
            forget(name, deadline);
        } catch (KernelTrouble failed) {
            throw trouble("forgetting", task.id(), failed);
        }
    }

    private void forget(String name, Deadline deadline) throws KernelTrouble, InterruptedException {
        ShimRun run = run(name);
        // The exit is written a moment before the shim is gone.
        while (run.exit().isPresent() && run.isAlive() && !deadline.isExpired()) {
            time.sleep(Duration.ofMillis(2));
        }
        run.forget();
        cgroups.group(name).remove(deadline);
    }

    private ShimRun run(String name) {
        return new ShimRun(shim, shims.resolve(name), processes, time);
    }

    private static TaskHandle handle(String id, String name) {
        return new TaskHandle(NAME, id, HANDLE_VERSION, name);
    }

    private static String directory(TaskHandle task) throws DriverTrouble {
        if (!task.driver().equals(NAME) || task.version() > HANDLE_VERSION) {
            throw refused(
                    task.id(),
                    "its handle is of "
                            + task.driver()
                            + ", version "
                            + task.version()
                            + "; this program reads raw_exec up to version "
                            + HANDLE_VERSION);
        }
        return directoryName(task.state());
    }

    private static String directoryName(String id) throws DriverTrouble {
        String name = id.replace('/', '.');
        if (name.isEmpty() || name.startsWith(".") || name.length() > 200) {
            throw refused(id, "its id cannot name a directory (at most 200 characters)");
        }
        return name;
    }

    private static int number(String signal, String id) throws DriverTrouble {
        return Signals.number(signal)
                .orElseThrow(
                        () -> refused(id, "'" + signal + "' is no signal; expected e.g. SIGTERM"));
    }

    private static DriverTrouble refused(String id, String why) {
        return new DriverTrouble("task " + id + ": " + why, Effect.NONE, Retry.NEVER);
    }

    private static DriverTrouble trouble(String what, String id, KernelTrouble cause) {
        return new DriverTrouble(
                what + " the task " + id + " failed: " + cause.reason(),
                cause.effect(),
                cause.retry(),
                cause);
    }
}
