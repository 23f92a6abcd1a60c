package io.cleat.driverplugin;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import io.cleat.kernel.ProcessIdentity;
import io.cleat.kernel.Processes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What a driver plugin owes those that run it, looked at one after the other on a real program: what it says of itself,
 * and the life of tasks, also over the end of the agent and its own.
 *
 * <p>Of one thread.
 */
public final class DriverSuite {
    private static final Duration HEALTH = Duration.ofSeconds(10);
    private static final Duration STOPPING = Duration.ofSeconds(5);
    private static final Duration FOLLOWING = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final Path directory;
    private final PluginSettings settings;
    private final PluginParts parts;
    private final Optional<Function<String, TaskConfig>> task;
    private final List<Result> results = new ArrayList<>();

    /** How it stands with one thing that is owed. */
    public enum Outcome {
        PASSED,
        FAILED,
        SKIPPED
    }

    /**
     * One thing that is owed.
     *
     * @param name a sentence without its subject, which is the driver
     * @param why empty where it passed
     */
    public record Result(String name, Outcome outcome, String why, Duration took) {}

    /** Looks at one thing. */
    @FunctionalInterface
    private interface Look {
        void at() throws Trouble, InterruptedException;
    }

    /**
     * @param directory empty, its owner's alone
     * @param task a task that runs until it is stopped, by its id; empty if none is known
     */
    public DriverSuite(
            Path directory, PluginSettings settings, PluginParts parts, Optional<Function<String, TaskConfig>> task) {
        this.directory = directory;
        this.settings = settings;
        this.parts = parts;
        this.task = task;
    }

    /** Looks at everything; nothing is left afterwards. */
    public List<Result> run() throws Trouble, InterruptedException {
        DriverPlugins plugins = open();
        try {
            if (plugins.drivers().isEmpty()) {
                String why = String.join("; ", plugins.leftOut().values());
                note("says what it is", Outcome.FAILED, why, Duration.ZERO);
                return results;
            }
            ExternalDriver driver = plugins.drivers().getFirst();
            look("says what it is", driver::description);
            look("is healthy", () -> healthy(driver));
            if (task.isEmpty()) {
                note("runs tasks", Outcome.SKIPPED, "no task is given", Duration.ZERO);
                return results;
            }
            TaskConfig config = task.get().apply(id(1));
            Optional<TaskHandle> running = started("starts a task, which runs", driver, config);
            if (running.isPresent()) {
                alive(driver, running.get());
                plugins.close();
                plugins = open();
                ExternalDriver again = plugins.drivers().getFirst();
                look("has its tasks for the next agent", () -> requireLive(again, running.get()));
                look("hands its tasks to its successor", () -> succeed(again, running.get()));
                look("stops a task in time", () -> stop(again, running.get()));
                look("forgets a task that is destroyed", () -> destroy(again, running.get()));
            }
            ExternalDriver last = plugins.drivers().getFirst();
            started("starts another task", last, task.get().apply(id(2)))
                    .ifPresent(other -> look("ends a running task that is destroyed", () -> destroy(last, other)));
            return results;
        } finally {
            plugins.end();
        }
    }

    private DriverPlugins open() throws Trouble, InterruptedException {
        return open(directory, settings, parts);
    }

    private static DriverPlugins open(Path directory, PluginSettings settings, PluginParts parts)
            throws DiskTrouble, KernelTrouble, DriverTrouble, InterruptedException {
        return DriverPlugins.at(directory, List.of(settings), Set.of(), parts);
    }

    private static String id(int number) {
        return "00000000-0000-4000-8000-000000000001/task/%08x".formatted(number);
    }

    private void note(String name, Outcome outcome, String why, Duration took) {
        results.add(new Result(name, outcome, why, took));
    }

    private void look(String name, Look look) {
        long start = parts.time().nanos();
        Optional<String> fault = Optional.empty();
        try {
            look.at();
        } catch (Trouble trouble) {
            fault = Optional.of(trouble.reason());
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            fault = Optional.of("interrupted");
        }
        note(
                name,
                fault.isPresent() ? Outcome.FAILED : Outcome.PASSED,
                fault.orElse(""),
                Duration.ofNanos(parts.time().nanos() - start));
    }

    private void healthy(ExternalDriver driver) throws DriverTrouble, InterruptedException {
        Deadline deadline = Deadline.in(parts.time(), HEALTH);
        while (!driver.fingerprint().healthy()) {
            require(!deadline.isExpired(), driver.fingerprint().healthDescription());
            parts.time().sleep(LOOK);
        }
    }

    private static void require(boolean holds, String otherwise) throws DriverTrouble {
        if (!holds) {
            throw new DriverTrouble(otherwise, Effect.NONE, Retry.NEVER);
        }
    }

    private Optional<TaskHandle> started(String name, ExternalDriver driver, TaskConfig config) {
        List<TaskHandle> handles = new ArrayList<>();
        look(name, () -> {
            TaskHandle handle = driver.start(config);
            handles.add(handle);
            requireLive(driver, handle);
        });
        return handles.stream().findFirst();
    }

    private void requireLive(ExternalDriver driver, TaskHandle handle) throws DriverTrouble {
        String allocation = handle.id().substring(0, handle.id().indexOf('/'));
        require(driver.live(allocation).contains(handle), "the task does not run; it has to run until it is stopped");
    }

    /** What is asked of a running task. */
    private void alive(ExternalDriver driver, TaskHandle handle) {
        DriverCapabilities can = driver.capabilities();
        look("says what a task uses", () -> driver.stats(handle));
        if (can.signals()) {
            look("sends a signal", () -> driver.signal(handle, "SIGCONT"));
        } else {
            note("sends a signal", Outcome.SKIPPED, "it says that it cannot", Duration.ZERO);
        }
        if (can.exec()) {
            look("runs a command in a task", () -> exec(driver, handle));
        } else {
            note("runs a command in a task", Outcome.SKIPPED, "it says that it cannot", Duration.ZERO);
        }
    }

    private static void exec(ExternalDriver driver, TaskHandle handle) throws DriverTrouble, InterruptedException {
        try (ExecSession session = driver.exec(handle, new ExecCommand(List.of("true"), false))) {
            session.endInput();
            Optional<ExecSession.Output> next = session.next();
            while (next.isPresent()) {
                if (next.get() instanceof ExecSession.Output.Exited(var end)) {
                    require(end.isSuccess(), "\"true\" ended with code " + end.exitCode());
                    return;
                }
                next = session.next();
            }
            require(false, "it does not say how \"true\" ended");
        }
    }

    private void succeed(ExternalDriver driver, TaskHandle handle) throws Trouble, InterruptedException {
        long pid = driver.description().pid();
        Optional<ProcessIdentity> process = parts.processes().identify(pid);
        require(process.isPresent(), "its process " + pid + " is gone");
        parts.processes().signal(process.get(), Processes.SIGKILL);
        Deadline deadline = Deadline.in(parts.time(), FOLLOWING);
        while (!isFollowed(driver, pid)) {
            require(!deadline.isExpired(), "no other process followed in time");
            parts.time().sleep(LOOK);
        }
        requireLive(driver, handle);
    }

    private static boolean isFollowed(ExternalDriver driver, long pid) throws InterruptedException {
        try {
            return driver.description().pid() != pid;
        } catch (DriverTrouble notYet) {
            return false;
        }
    }

    private static void stop(ExternalDriver driver, TaskHandle handle) throws DriverTrouble, InterruptedException {
        driver.stop(handle, "", STOPPING);
        try {
            driver.await(handle);
        } catch (TaskLost unseen) {
            // A successor need not know how a task ended that was not its child.
            return;
        }
    }

    private static void destroy(ExternalDriver driver, TaskHandle handle) throws DriverTrouble, InterruptedException {
        driver.destroy(handle);
        String allocation = handle.id().substring(0, handle.id().indexOf('/'));
        require(driver.live(allocation).isEmpty(), "the task still runs");
    }
}
