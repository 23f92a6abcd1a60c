package io.cleat.driver.shim;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.TextRule;
import io.cleat.base.Time;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskHasEnded;
import io.cleat.driver.TaskLost;
import io.cleat.driver.TaskStats;
import io.cleat.kernel.BootId;
import io.cleat.kernel.Cgroups;
import io.cleat.kernel.Processes;
import io.cleat.kernel.ShimCommand;
import io.cleat.kernel.ShimDescription;
import io.cleat.kernel.ShimExit;
import io.cleat.kernel.ShimRun;
import io.cleat.kernel.ShimState;
import io.cleat.kernel.TextPath;
import io.cleat.model.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tasks of one driver, each under a shim of its own that outlives the agent.
 *
 * <p>A task's shim directory and control group are named by the task's id, with dots for slashes, so that they can be
 * found though no handle was stored. Holds nothing of its own; used by any thread.
 */
public final class ShimTasks {
    /** What a task's shim sends first when it is itself told to end. */
    public static final String DEFAULT_SIGNAL = "SIGTERM";

    /** How long it then waits. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

    /** Of the handle's {@code state}, which is the name of the shim directory. */
    private static final int HANDLE_VERSION = 1;

    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration ASK_LIMIT = Duration.ofSeconds(10);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(30);
    private static final String SHIMS = "shims";

    private final String driver;
    private final Path shim;
    private final Path directory;
    private final Cgroups cgroups;
    private final Processes processes;
    private final LivingTasks living;
    private final Remains remains;
    private final ShimUsage usage;
    private final Time time;
    private final Rest rest;

    /** What a driver keeps of a task beside its shim's directory and control group. */
    @FunctionalInterface
    public interface Rest {
        /** Nothing. */
        Rest NONE = (name, deadline) -> {};

        /** Removes it; nothing of the task runs. It may be gone already. */
        void remove(String name, Deadline deadline) throws KernelTrouble, InterruptedException;
    }

    /**
     * @param driver the driver's name
     * @param shim the shim program
     * @param directory where each task gets a directory of its own, on a local disk that survives the agent; no other
     *     driver's
     */
    public ShimTasks(
            String driver, Path shim, Path directory, Cgroups cgroups, Processes processes, Time time, Rest rest) {
        this.driver = driver;
        this.shim = shim.toAbsolutePath();
        this.directory = directory.toAbsolutePath();
        this.cgroups = cgroups;
        this.processes = processes;
        this.living = new LivingTasks(this.directory, cgroups, this::run);
        this.remains = new Remains(processes, time);
        this.usage = new ShimUsage(processes, time);
        this.time = time;
        this.rest = rest;
    }

    /** The control groups that a shim joins. */
    public List<Path> shimCgroups() throws KernelTrouble {
        return cgroups.create(SHIMS).directories();
    }

    /** Says what is to be run, once there is nothing else to be done before it. */
    @FunctionalInterface
    public interface Description {
        /** @param name the task's own, for its directories and control group */
        ShimDescription make(String name) throws KernelTrouble, DriverTrouble, InterruptedException;
    }

    /** See {@link io.cleat.driver.TaskDriver#start}. */
    public TaskHandle start(String id, Description description) throws DriverTrouble, InterruptedException {
        String name = directoryName(id);
        try {
            if (run(name).state().isPresent()) {
                // What its description is made of may be in use.
                throw refused(id, "it was started before");
            }
            run(name).start(description.make(name), Deadline.in(time, START_LIMIT));
        } catch (KernelTrouble failed) {
            if (failed.effect() == Effect.NONE) {
                forgetQuietly(name, failed);
            }
            throw new DriverTrouble(
                    "starting the task " + id + " failed: " + failed.reason(), failed.effect(), failed.retry(), failed);
        }
        return handle(id, name);
    }

    private void forgetQuietly(String name, KernelTrouble cause) throws InterruptedException {
        try {
            ShimRun run = run(name);
            boolean nothingRan = run.state().isEmpty();
            boolean notExecuted =
                    run.exit().filter(exit -> !exit.error().isEmpty()).isPresent();
            // Else the id was started before, and what that left is not this start's to forget.
            if (nothingRan || notExecuted) {
                forget(name, Deadline.in(time, ASK_LIMIT));
            }
        } catch (KernelTrouble also) {
            // The sweeper finds the directory by its name.
            cause.addSuppressed(also);
        }
    }

    /** See {@link io.cleat.driver.TaskDriver#find}. */
    public Optional<TaskHandle> find(String id) throws DriverTrouble, InterruptedException {
        String name = directoryName(id);
        try {
            if (run(name).settle(Deadline.in(time, START_LIMIT))) {
                return Optional.of(handle(id, name));
            }
            forget(name, Deadline.in(time, ASK_LIMIT));
            return Optional.empty();
        } catch (KernelTrouble failed) {
            throw trouble("finding", id, failed);
        }
    }

    /** See {@link io.cleat.driver.TaskDriver#allocations}. */
    public Set<String> allocations() throws DriverTrouble {
        Set<String> running = new TreeSet<>();
        for (String name : living("", directory.toString())) {
            running.add(name.substring(0, name.indexOf('.')));
        }
        return running;
    }

    /** See {@link io.cleat.driver.TaskDriver#live}. */
    public List<TaskHandle> live(String allocId) throws DriverTrouble {
        return living(allocId + ".", allocId).stream()
                .map(name -> handle(idOf(name), name))
                .toList();
    }

    private Set<String> living(String beginning, String what) throws DriverTrouble {
        try {
            return living.names(beginning);
        } catch (KernelTrouble failed) {
            throw trouble("looking for", what, failed);
        }
    }

    /** The id of which that is the {@link #directoryName}, but for dots in a task's name. */
    private static String idOf(String name) {
        int first = name.indexOf('.');
        int last = name.lastIndexOf('.');
        return first == last
                ? name.replace('.', '/')
                : name.substring(0, first) + '/' + name.substring(first + 1, last) + '/' + name.substring(last + 1);
    }

    /** See {@link io.cleat.driver.TaskDriver#await}. */
    public ExitResult await(TaskHandle task) throws DriverTrouble, InterruptedException {
        String name = directory(task);
        try {
            ShimRun run = run(name);
            Optional<ShimExit> exit = run.awaitEnd();
            if (exit.isPresent()) {
                return result(exit.get());
            }
            endRemains(name, run, Deadline.in(time, KILL_LIMIT));
            throw lost(task.id(), run);
        } catch (KernelTrouble failed) {
            throw trouble("waiting for", task.id(), failed);
        }
    }

    /** The shim is gone, and wrote no end: what it left is ended. */
    private void endRemains(String name, ShimRun run, Deadline deadline) throws KernelTrouble, InterruptedException {
        if (cgroups.layout() == Cgroups.Layout.NONE) {
            // What it recorded is then all there is to go by, and has to be readable.
            run.state();
        }
        remains.end(cgroups.group(name), run.readableState(), deadline);
    }

    private TaskLost lost(String id, ShimRun run) throws KernelTrouble {
        Optional<ShimState> state = run.readableState();
        boolean withMachine = state.isPresent() && !state.get().shim().boot().equals(BootId.read());
        return new TaskLost(
                id,
                withMachine
                        ? "the machine was restarted while it ran"
                        : "its shim is gone and wrote no exit code; nothing of it runs any more",
                withMachine);
    }

    private static ExitResult result(ShimExit exit) {
        return new ExitResult(
                exit.signal() == 0 ? exit.code() : 128 + exit.signal(),
                exit.signal(),
                exit.oom() == ShimExit.Oom.YES,
                exit.droppedBytes());
    }

    /** See {@link io.cleat.driver.TaskDriver#stop}. */
    public void stop(TaskHandle task, String signal, Duration timeout) throws DriverTrouble, InterruptedException {
        int number = number(signal.isEmpty() ? DEFAULT_SIGNAL : signal, task.id());
        try {
            stop(directory(task), number, timeout, Deadline.in(time, ASK_LIMIT));
        } catch (KernelTrouble failed) {
            throw trouble("stopping", task.id(), failed);
        }
    }

    private void stop(String name, int signal, Duration timeout, Deadline deadline)
            throws KernelTrouble, InterruptedException {
        boolean wasAsked = run(name).stop(signal, timeout, deadline);
        if (!wasAsked && (signal == Processes.SIGKILL || timeout.isZero())) {
            // Its shim sees that, and writes the end.
            cgroups.group(name).killAll(deadline);
        }
    }

    /** See {@link io.cleat.driver.TaskDriver#signal}. */
    public void signal(TaskHandle task, String signal) throws DriverTrouble {
        int number = number(signal, task.id());
        try {
            ShimRun run = run(directory(task));
            if (!run.runs()) {
                throw new TaskHasEnded(task.id(), "takes no signal");
            }
            run.signal(number, Deadline.in(time, ASK_LIMIT));
        } catch (KernelTrouble failed) {
            throw trouble("sending " + signal + " to", task.id(), failed);
        }
    }

    /** See {@link io.cleat.driver.TaskDriver#exec}. */
    public ExecSession exec(TaskHandle task, ExecCommand command) throws DriverTrouble {
        ShimCommand wanted = new ShimCommand(command.words(), command.terminal(), 0, 0, false);
        try {
            return new ShimSession(run(directory(task)).exec(wanted, Deadline.in(time, START_LIMIT)));
        } catch (KernelTrouble failed) {
            throw trouble("running a command in", task.id(), failed);
        }
    }

    /** See {@link io.cleat.driver.TaskDriver#stats}. */
    public TaskStats stats(TaskHandle task) throws DriverTrouble {
        String name = directory(task);
        try {
            ShimRun run = run(name);
            if (!run.runs()) {
                throw new TaskHasEnded(task.id(), "uses nothing");
            }
            return usage.of(cgroups.group(name), run.readableState());
        } catch (KernelTrouble failed) {
            throw trouble("measuring", task.id(), failed);
        }
    }

    /** See {@link io.cleat.driver.TaskDriver#lostOutput}. */
    public long lostOutput(TaskHandle task) throws DriverTrouble {
        try {
            return run(directory(task)).status(Deadline.in(time, ASK_LIMIT)).droppedBytes();
        } catch (KernelTrouble failed) {
            throw trouble("asking for the output of", task.id(), failed);
        }
    }

    /** See {@link io.cleat.driver.TaskDriver#destroy}. */
    public void destroy(TaskHandle task) throws DriverTrouble, InterruptedException {
        String name = directory(task);
        Deadline deadline = Deadline.in(time, KILL_LIMIT);
        try {
            ShimRun run = run(name);
            if (run.runs()) {
                stop(name, Processes.SIGKILL, Duration.ZERO, deadline);
            }
            if (run.awaitEnd().isEmpty()) {
                endRemains(name, run, deadline);
            }
            forget(name, deadline);
        } catch (KernelTrouble failed) {
            throw trouble("forgetting", task.id(), failed);
        }
    }

    private void forget(String name, Deadline deadline) throws KernelTrouble, InterruptedException {
        ShimRun run = run(name);
        if (run.readableState().isEmpty()) {
            // A shim that was killed before it wrote its state may have left a container waiting.
            cgroups.group(name).killAll(deadline);
        }
        // The exit is written a moment before the shim is gone.
        while (run.exit().isPresent() && run.isAlive() && !deadline.isExpired()) {
            time.sleep(Duration.ofMillis(2));
        }
        run.forget();
        cgroups.group(name).remove(deadline);
        rest.remove(name, deadline);
    }

    private ShimRun run(String name) {
        return new ShimRun(shim, directory.resolve(name), processes, time);
    }

    /** The handle of the task with that id, started or not. */
    public TaskHandle handle(String id) throws DriverTrouble {
        return handle(id, directoryName(id));
    }

    private TaskHandle handle(String id, String name) {
        return new TaskHandle(driver, id, HANDLE_VERSION, name);
    }

    private String directory(TaskHandle task) throws DriverTrouble {
        requireReadable(task, driver, HANDLE_VERSION);
        return directoryName(task.state());
    }

    /**
     * Makes sure that a driver reads a handle.
     *
     * @param newest the newest version of its handles that it reads
     */
    public static void requireReadable(TaskHandle task, String driver, int newest) throws DriverTrouble {
        if (!task.driver().equals(driver) || task.version() > newest) {
            throw refused(
                    task.id(),
                    "its handle is of "
                            + task.driver()
                            + ", version "
                            + task.version()
                            + "; this program reads "
                            + driver
                            + " up to version "
                            + newest);
        }
    }

    /** The name of the directory and control group of the task with that id. */
    public static String directoryName(String id) throws DriverTrouble {
        String name = id.replace('/', '.');
        boolean fits = !name.isEmpty() && !name.startsWith(".") && name.length() <= 200;
        if (!fits || TextRule.lineFault(name).isPresent() || TextPath.of(name).isEmpty()) {
            throw refused(id, "its id cannot name a directory (one line of at most 200 characters)");
        }
        return name;
    }

    /** The number of a signal's name. */
    public static int number(String signal, String id) throws DriverTrouble {
        return Signals.number(signal)
                .orElseThrow(() -> refused(id, "unknown signal \"" + signal + "\": give a name such as SIGTERM"));
    }

    /** What is wrong with what was asked for; nothing was done. */
    public static DriverTrouble refused(String id, String why) {
        return new DriverTrouble("task " + id + ": " + why, Effect.NONE, Retry.NEVER);
    }

    private static DriverTrouble trouble(String what, String id, KernelTrouble cause) {
        return new DriverTrouble(
                what + " the task " + id + " failed: " + cause.reason(), cause.effect(), cause.retry(), cause);
    }
}
