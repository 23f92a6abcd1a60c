package io.cleat.testkit;

import io.cleat.base.Deadline;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import io.cleat.driver.TaskStats;
import io.cleat.model.DriverFacts;
import io.cleat.model.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A task driver whose tasks are only remembered. A task runs until the test or a stop ends it, unless its
 * {@code config} says otherwise: {@code exit = 7} ends it at once with that code, {@code stubborn = true} lets it
 * ignore every signal but SIGKILL.
 *
 * <p>The object stands for the machine: it goes on while an agent under test is thrown away and made anew. Guarded by
 * {@code lock}.
 */
public final class FakeDriver implements TaskDriver {
    private final String name;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, FakeTask> tasks = new LinkedHashMap<>();
    private final List<TaskConfig> started = new ArrayList<>();
    private final List<String> signals = new ArrayList<>();
    private @Nullable DriverTrouble refusal;
    private boolean healthy = true;

    public FakeDriver(String name, Time time) {
        this.name = name;
        this.time = time;
    }

    /** One task that was started. */
    private static final class FakeTask {
        private final boolean stubborn;
        private @Nullable ExitResult exit;
        private @Nullable Deadline stop;
        private boolean lost;

        FakeTask(boolean stubborn) {
            this.stubborn = stubborn;
        }
    }

    /** What a test asks or does under the lock. */
    @FunctionalInterface
    private interface Step<T> {
        T run() throws DriverTrouble;
    }

    // ---- what a test does ----

    /** Every start that succeeded, oldest first. */
    public List<TaskConfig> started() {
        return seen(() -> List.copyOf(started));
    }

    /** The ids of the tasks that run, oldest first. */
    public List<String> running() {
        return seen(() -> tasks.entrySet().stream()
                .filter(entry -> ended(entry.getValue()) == null)
                .filter(entry -> !entry.getValue().lost)
                .map(Map.Entry::getKey)
                .toList());
    }

    /** Every signal that was sent, as {@code id SIGNAL}, those of stops too. */
    public List<String> signals() {
        return seen(() -> List.copyOf(signals));
    }

    /** Lets a running task end. */
    public void end(String id, ExitResult exit) {
        seen(() -> {
            task(id).exit = exit;
            return id;
        });
    }

    /** Lets a task's parent be gone without a word: nothing runs, and nobody knows how it ended. */
    public void lose(String id) {
        seen(() -> {
            task(id).lost = true;
            return id;
        });
    }

    /** Makes each start from now on fail so; null for no more failures. */
    public void refuseStarts(@Nullable DriverTrouble trouble) {
        seen(() -> {
            refusal = trouble;
            return name;
        });
    }

    public void healthy(boolean now) {
        seen(() -> {
            healthy = now;
            return name;
        });
    }

    // ---- what the code under test does ----

    @Override
    public String name() {
        return name;
    }

    @Override
    public DriverCapabilities capabilities() {
        return new DriverCapabilities(true, false, DriverCapabilities.Isolation.NONE, false, true);
    }

    @Override
    public DriverFacts fingerprint() {
        return seen(() -> new DriverFacts(
                true, healthy, healthy ? "Healthy" : "a test says so", Map.of("driver." + name, "1"), time.now()));
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        return config.keySet().stream()
                .sorted()
                .filter(key -> !List.of("command", "args", "exit", "stubborn").contains(key))
                .map(key -> "config has the key '" + key + "'")
                .toList();
    }

    @Override
    public TaskHandle start(TaskConfig config) throws DriverTrouble {
        List<String> faults = faults(config.config());
        if (!faults.isEmpty()) {
            throw refused(String.join("; ", faults));
        }
        return locked(() -> {
            if (refusal != null) {
                throw refusal;
            }
            if (tasks.containsKey(config.id())) {
                throw refused("task " + config.id() + " was started before");
            }
            FakeTask task = new FakeTask(Boolean.TRUE.equals(config.config().get("stubborn")));
            if (config.config().get("exit") instanceof Number code) {
                task.exit = new ExitResult(code.intValue(), 0, false);
            }
            tasks.put(config.id(), task);
            started.add(config);
            return handle(config.id());
        });
    }

    @Override
    public Optional<TaskHandle> find(TaskConfig config) {
        return seen(() -> tasks.containsKey(config.id()) ? Optional.of(handle(config.id())) : Optional.empty());
    }

    @Override
    public Set<String> allocations() {
        return running().stream().map(id -> id.substring(0, id.indexOf('/'))).collect(Collectors.toSet());
    }

    @Override
    public List<TaskHandle> live(String allocId) {
        return running().stream()
                .filter(id -> id.startsWith(allocId + "/"))
                .map(this::handle)
                .toList();
    }

    @Override
    public ExitResult await(TaskHandle handle) throws DriverTrouble, InterruptedException {
        lock.lockInterruptibly();
        try {
            FakeTask task = task(handle.id());
            while (true) {
                ExitResult exit = ended(task);
                if (exit != null) {
                    return exit;
                }
                if (task.lost) {
                    throw new TaskLost(handle.id(), "its shim is gone", false);
                }
                if (task.stop == null) {
                    changed.await();
                } else {
                    time.await(changed, task.stop);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop(TaskHandle handle, String signal, Duration timeout) throws DriverTrouble {
        String sent = signal.isEmpty() ? "SIGTERM" : signal;
        int number = number(sent);
        locked(() -> {
            FakeTask task = task(handle.id());
            if (ended(task) == null) {
                task.stop = task.stop == null ? Deadline.in(time, timeout) : task.stop.atMost(timeout);
                deliver(handle.id(), task, sent, number);
            }
            return handle;
        });
    }

    @Override
    public void signal(TaskHandle handle, String signal) throws DriverTrouble {
        int number = number(signal);
        locked(() -> {
            FakeTask task = task(handle.id());
            if (ended(task) != null || task.lost) {
                throw refused("task " + handle.id() + " has ended");
            }
            deliver(handle.id(), task, signal, number);
            return handle;
        });
    }

    private void deliver(String id, FakeTask task, String signal, int number) {
        signals.add(id + " " + signal);
        boolean ends = number == 2 || number == 9 || number == 15;
        if (ends && (number == 9 || !task.stubborn)) {
            task.exit = new ExitResult(128 + number, number, false);
        }
    }

    @Override
    public TaskStats stats(TaskHandle handle) throws DriverTrouble {
        return locked(() -> {
            task(handle.id());
            return new TaskStats(time.now(), 1, 1, 1, 1, List.of());
        });
    }

    @Override
    public void destroy(TaskHandle handle) {
        seen(() -> Optional.ofNullable(tasks.remove(handle.id())));
    }

    /** How a task ended, a stop's passed deadline included; null while it runs. */
    private static @Nullable ExitResult ended(FakeTask task) {
        if (task.exit == null && task.stop != null && task.stop.isExpired()) {
            task.exit = new ExitResult(137, 9, false);
        }
        return task.exit;
    }

    private FakeTask task(String id) throws DriverTrouble {
        FakeTask task = tasks.get(id);
        if (task == null) {
            throw refused("no task " + id + " was started here");
        }
        return task;
    }

    private TaskHandle handle(String id) {
        return new TaskHandle(name, id, 1, id);
    }

    private <T> T locked(Step<T> step) throws DriverTrouble {
        lock.lock();
        try {
            return step.run();
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    /** As {@link #locked}, for a step that fails only if the test is wrong. */
    private <T> T seen(Step<T> step) {
        try {
            return locked(step);
        } catch (DriverTrouble wrongTest) {
            throw new IllegalStateException(wrongTest);
        }
    }

    private static int number(String signal) throws DriverTrouble {
        return Signals.number(signal).orElseThrow(() -> refused("unknown signal \"" + signal + "\""));
    }

    private static DriverTrouble refused(String why) {
        return new DriverTrouble(why, Effect.NONE, Retry.NEVER);
    }
}
