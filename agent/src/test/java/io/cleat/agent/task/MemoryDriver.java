package io.cleat.agent.task;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import io.cleat.driver.TaskStats;
import io.cleat.model.DriverFacts;
import io.cleat.model.DriverNetwork;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A driver whose tasks live in memory, and beyond the runners that started them; a test ends them. */
public final class MemoryDriver implements TaskDriver {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Started> tasks = new LinkedHashMap<>();
    private final List<String> stops = new ArrayList<>();
    private int refuseStarts;
    private int faultyAwaits;
    private int faultyStops;
    private boolean lostWithMachine;
    private int refusedAnswers;
    private long mostAtOnce;
    private volatile boolean startsHang;
    private volatile CountDownLatch startsReturn = new CountDownLatch(0);
    private volatile CountDownLatch stopsReturn = new CountDownLatch(0);
    private volatile boolean isolates;
    private volatile boolean ownUsers;
    private volatile OptionalLong lostOutput = OptionalLong.empty();
    private volatile Optional<DriverNetwork> network = Optional.empty();

    private static final class Started {
        final TaskConfig config;

        @Nullable
        ExitResult result;

        boolean ignoresStop;
        boolean lost;

        Started(TaskConfig config) {
            this.config = config;
        }
    }

    /** Where it puts tasks from now on. */
    public void putAt(DriverNetwork place) {
        network = Optional.of(place);
    }

    @Override
    public Optional<DriverNetwork> network(TaskHandle task) {
        return network;
    }

    /** From now on a start starts its task, and then returns only when it is interrupted. */
    public void hangStarts(boolean hangs) {
        startsHang = hangs;
    }

    /** From now on a start starts its task, and returns once {@link #letStartsReturn} is called. */
    public void holdStarts() {
        startsReturn = new CountDownLatch(1);
    }

    public void letStartsReturn() {
        startsReturn.countDown();
    }

    /** The next questions about a task are not answered. */
    public void refuseAnswers(int count) {
        with(() -> refusedAnswers = count);
    }

    /** The most tasks of one allocation's task that ever ran at once. */
    public long mostAtOnce() {
        lock.lock();
        try {
            return mostAtOnce;
        } finally {
            lock.unlock();
        }
    }

    /** The next starts fail, and do nothing. */
    public void refuseStarts(int count) {
        with(() -> refuseStarts = count);
    }

    /** The next waits for an end meet a fault, as with what a container has made up. */
    public void faultAwaits(int count) {
        with(() -> faultyAwaits = count);
    }

    /** The next stops meet a fault, and end nothing. */
    public void faultStops(int count) {
        with(() -> faultyStops = count);
    }

    /** From now on a stop ends its task, and returns once {@link #letStopsReturn} is called. */
    public void holdStops() {
        stopsReturn = new CountDownLatch(1);
    }

    public void letStopsReturn() {
        stopsReturn.countDown();
    }

    /**
     * From now on tasks have files of their own.
     *
     * @param users whether they are to have users of their own too
     */
    public void isolate(boolean users) {
        isolates = true;
        ownUsers = users;
    }

    @Override
    public boolean wantsOwnUsers() {
        return ownUsers;
    }

    @Override
    public String userOf(String asked) {
        return isolates && asked.isEmpty() ? "nobody" : asked;
    }

    /** From now on it tells that so much output is lost, of each task. */
    public void loseOutput(long bytes) {
        lostOutput = OptionalLong.of(bytes);
    }

    @Override
    public OptionalLong lostOutput(TaskHandle task) {
        return lostOutput;
    }

    /** Waits for the {@code n}-th start, from 1, and says what was started. */
    public TaskConfig awaitStart(int n) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (tasks.size() < n) {
                changed.await();
            }
            return List.copyOf(tasks.values()).get(n - 1).config;
        } finally {
            lock.unlock();
        }
    }

    public int starts() {
        lock.lock();
        try {
            return tasks.size();
        } finally {
            lock.unlock();
        }
    }

    public List<String> running() {
        lock.lock();
        try {
            List<String> ids = new ArrayList<>();
            tasks.forEach((id, task) -> {
                if (task.result == null && !task.lost) {
                    ids.add(id);
                }
            });
            return ids;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the start of a task, the {@code n}-th from 1, and says its id. */
    public String awaitStart(String task, int n) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (; ; ) {
                List<String> ids = tasks.keySet().stream()
                        .filter(id -> id.contains("/" + task + "/"))
                        .toList();
                if (ids.size() >= n) {
                    return ids.get(n - 1);
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The tasks that were asked to stop, in order, each with its signal and timeout. */
    public List<String> stops() {
        lock.lock();
        try {
            return List.copyOf(stops);
        } finally {
            lock.unlock();
        }
    }

    /** The shims are killed: nothing runs, and nobody knows how it ended. */
    public void loseAll() {
        with(() -> tasks.values().forEach(task -> task.lost = true));
    }

    /** The machine boots: nothing runs. */
    public void reboot() {
        with(() -> {
            lostWithMachine = true;
            tasks.values().forEach(task -> task.lost = true);
        });
    }

    /** Ends a task, as if by itself. */
    public void end(String id, ExitResult result) {
        with(() -> started(id).result = result);
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public DriverCapabilities capabilities() {
        return new DriverCapabilities(
                true,
                false,
                isolates ? DriverCapabilities.Isolation.CHROOT : DriverCapabilities.Isolation.NONE,
                isolates,
                true);
    }

    @Override
    public DriverFacts fingerprint() {
        return new DriverFacts(true, true, "Healthy", Map.of(), Instant.EPOCH);
    }

    @Override
    public List<String> faults(Map<String, Object> config) {
        return List.of();
    }

    @Override
    public TaskHandle start(TaskConfig config) throws DriverTrouble, InterruptedException {
        TaskHandle started = startNow(config);
        if (startsHang) {
            new CountDownLatch(1).await();
        }
        startsReturn.await();
        return started;
    }

    private TaskHandle startNow(TaskConfig config) throws DriverTrouble {
        lock.lock();
        try {
            if (refuseStarts > 0) {
                refuseStarts--;
                throw new DriverTrouble("no such command", Effect.NONE, Retry.NEVER);
            }
            tasks.put(config.id(), new Started(config));
            String task = config.allocId() + "/" + config.task() + "/";
            mostAtOnce = Math.max(
                    mostAtOnce,
                    running().stream().filter(id -> id.startsWith(task)).count());
            changed.signalAll();
            return new TaskHandle("fake", config.id(), 1, "");
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<TaskHandle> find(TaskConfig config) throws DriverTrouble {
        lock.lock();
        try {
            answer();
            return tasks.containsKey(config.id())
                    ? Optional.of(new TaskHandle("fake", config.id(), 1, ""))
                    : Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Set<String> allocations() {
        return running().stream().map(id -> id.substring(0, id.indexOf('/'))).collect(Collectors.toSet());
    }

    private void answer() throws DriverTrouble {
        if (refusedAnswers > 0) {
            refusedAnswers--;
            throw new DriverTrouble("a file cannot be read", Effect.NONE, Retry.SAME_CALL);
        }
    }

    @Override
    public List<TaskHandle> live(String allocId) throws DriverTrouble {
        lock.lock();
        try {
            answer();
        } finally {
            lock.unlock();
        }
        return running().stream()
                .filter(id -> id.startsWith(allocId + "/"))
                .map(id -> new TaskHandle("fake", id, 1, ""))
                .toList();
    }

    @Override
    public ExitResult await(TaskHandle task) throws DriverTrouble, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (faultyAwaits > 0) {
                faultyAwaits--;
                throw new StackOverflowError("a made up answer");
            }
            answer();
            for (; ; ) {
                ExitResult result = started(task.id()).result;
                if (result != null) {
                    return result;
                }
                if (started(task.id()).lost) {
                    throw new TaskLost(task.id(), "its shim is gone", lostWithMachine);
                }
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop(TaskHandle task, String signal, Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            if (faultyStops > 0) {
                faultyStops--;
                throw new NumberFormatException("a made up answer");
            }
        } finally {
            lock.unlock();
        }
        end(task, signal, timeout);
        stopsReturn.await();
    }

    private void end(TaskHandle task, String signal, Duration timeout) {
        with(() -> {
            Started started = started(task.id());
            stops.add(started.config.task() + " " + signal + " " + timeout);
            if (started.result == null && !started.lost && !started.ignoresStop) {
                started.result = new ExitResult(143, 15, false);
            }
        });
    }

    @Override
    public void signal(TaskHandle task, String signal) {
        end(task, signal, Duration.ZERO);
    }

    @Override
    public TaskStats stats(TaskHandle task) {
        return new TaskStats(Instant.EPOCH, 0, 0, 0, 0, List.of());
    }

    @Override
    public void destroy(TaskHandle task) {
        end(task, "", Duration.ZERO);
    }

    private Started started(String id) {
        Started started = tasks.get(id);
        if (started == null) {
            throw new AssertionError("nothing was started under " + id);
        }
        return started;
    }

    private void with(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
