package io.cleat.agent.alloc;

import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TaskRunner;
import io.cleat.agent.task.TaskSetting;
import io.cleat.base.BackOff;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.model.BlockedBy;
import io.cleat.model.DesiredStatus;
import io.cleat.model.MountLoss;
import io.cleat.model.Task;
import io.cleat.model.TaskState;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one allocation: directory, volumes, tasks, and back. What it has written down before each
 * step is enough for another runner to go on from there.
 *
 * <p>One thread runs {@link #run}; assignments come from another. Guarded by {@code lock}, which is
 * held while what is known is written down, so that the newest is written last, and during nothing
 * else that may wait.
 */
final class AllocationRunner {
    private static final Logger LOG = LoggerFactory.getLogger(AllocationRunner.class);
    private static final BackOff AGAIN =
            new BackOff(Duration.ofMillis(200), Duration.ofSeconds(30));

    private final AllocationParts parts;
    private final AllocationStore store;
    private final AllocationDirectory directory;
    private final VolumeHook volumes;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<TaskRunner> runners = new ArrayList<>();
    private KnownAllocation known;
    private boolean unwanted;

    AllocationRunner(KnownAllocation known, AllocationParts parts, AllocationStore store) {
        this.known = known;
        this.parts = parts;
        this.store = store;
        this.directory = new AllocationDirectory(parts.directories().resolve(known.allocId()));
        this.volumes =
                new VolumeHook(
                        known,
                        parts.volumes(),
                        parts.tasks().threads(),
                        () -> parts.news().allocationChanged(known.allocId()));
    }

    /** Takes the newest of what the server wants. */
    void assigned(ToNode.Assignment assignment) {
        volumes.assigned(assignment.volumes());
        change(k -> k.with(assignment.desired(), assignment.job(), assignment.jobVersion()));
        if (assignment.desired() != DesiredStatus.RUN) {
            volumes.stop();
        }
    }

    /** The server wants no more of it: once it is over, nothing of it is to be left. */
    void unwanted() {
        lock.lock();
        try {
            unwanted = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        volumes.stop();
    }

    /** A volume was lost with the plugin that held its mount, and is to be mounted anew. */
    void mountLost(String alias, MountLoss policy) {
        List<TaskRunner> users;
        lock.lock();
        try {
            users = runners.stream().filter(runner -> runner.volumes().has(alias)).toList();
        } finally {
            lock.unlock();
        }
        boolean restarts = policy == MountLoss.RESTART_TASKS;
        parts.tasks()
                .threads()
                .start(
                        "remount/" + known().allocId() + "/" + alias,
                        () -> {
                            if (restarts) {
                                for (TaskRunner user : users) {
                                    user.hold("its volume \"" + alias + "\" is mounted anew");
                                }
                            }
                            volumes.remount(
                                    alias,
                                    path ->
                                            users.forEach(
                                                    user -> user.volumes().moved(alias, path)),
                                    () -> users.forEach(TaskRunner::goOn));
                        });
    }

    ToServer.AllocReport report() {
        KnownAllocation now = known();
        Map<String, TaskState> tasks = new TreeMap<>();
        now.tasks().forEach((task, record) -> tasks.put(task, record.state()));
        return new ToServer.AllocReport(
                now.allocId(), now.status(), now.description(), tasks, volumes.reports());
    }

    KnownAllocation known() {
        lock.lock();
        try {
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Whether one of its tasks is a storage plugin, which others may need to the end. */
    boolean isPlugin() {
        return known().taskGroup().tasks().stream().anyMatch(task -> task.csiPlugin() != null);
    }

    AllocationDirectory directory() {
        return directory;
    }

    /** Runs the allocation to its end, and its removal. An interruption leaves all as it is. */
    void run() throws InterruptedException {
        if (!known().ended()) {
            runTasks();
            volumes.settle();
            unbind();
            volumes.unpublishAll();
            change(KnownAllocation::over);
        }
        awaitUnwanted();
        remove();
    }

    private void runTasks() throws InterruptedException {
        try {
            Optional<Map<String, Path>> published = wanted() ? begin() : Optional.empty();
            if (published.isPresent() || mayRunAlready()) {
                startRunners(published.orElse(Map.of()));
                awaitTasks();
                return;
            }
            neverStarted("");
        } catch (VolumesRefused refused) {
            giveUp(refused.reason());
        } catch (Trouble trouble) {
            giveUp(trouble.reason());
        }
    }

    private Optional<Map<String, Path>> begin()
            throws Trouble, VolumesRefused, InterruptedException {
        directory.make();
        return volumes.publishAll();
    }

    /**
     * Takes the volumes out of the tasks' directories. While one is bound there its files are in
     * use, so nothing is unpublished before.
     */
    private void unbind() throws InterruptedException {
        Time time = parts.tasks().time();
        Instant since = time.now();
        for (int failures = 0; ; failures++) {
            try {
                parts.tasks().binds().unbindAll(directory.root());
                return;
            } catch (Trouble trouble) {
                Duration pause = AGAIN.wait(failures, parts.tasks().chance());
                LOG.warn(
                        "volumes are still bound in allocation {}: {}",
                        known().allocId(),
                        trouble.reason());
                volumes.waits(
                        new BlockedBy(
                                "unbind",
                                trouble.reason(),
                                since,
                                time.now().plus(pause),
                                "it is unmounted from the task's directory first, and that is tried"
                                        + " again"));
                time.sleep(pause);
            }
        }
    }

    /** Whether some task was started before: it is taken over, if only to be ended. */
    private boolean mayRunAlready() {
        return known().tasks().values().stream().anyMatch(task -> task.run() != null);
    }

    private void giveUp(String why) {
        LOG.warn("allocation {} fails: {}", known().allocId(), why);
        change(k -> k.failed(why));
        neverStarted(why);
    }

    private void neverStarted(String why) {
        change(
                k -> {
                    KnownAllocation ended = k;
                    for (Map.Entry<String, TaskRecord> task : k.tasks().entrySet()) {
                        TaskState state = task.getValue().state();
                        if (state.phase() != TaskState.Phase.DEAD) {
                            ended =
                                    ended.withTask(
                                            task.getKey(),
                                            new TaskRecord(
                                                    TaskRunner.neverStarted(
                                                            state, why, parts.tasks().time()),
                                                    null,
                                                    null));
                        }
                    }
                    return ended;
                });
    }

    private void startRunners(Map<String, Path> published) throws Trouble {
        KnownAllocation now = known();
        List<TaskRunner> started = new ArrayList<>();
        for (Task task : now.taskGroup().tasks()) {
            started.add(
                    new TaskRunner(
                            new TaskSetting(
                                    now.allocId(),
                                    now.name(),
                                    now.index(),
                                    now.job(),
                                    now.taskGroup(),
                                    task,
                                    directory.shared(),
                                    directory.task(task.name()),
                                    directory.logs(),
                                    published),
                            parts.tasks(),
                            now.tasks().getOrDefault(task.name(), TaskRecord.NEW),
                            new Keeper()));
        }
        lock.lock();
        try {
            runners.addAll(started);
        } finally {
            lock.unlock();
        }
        for (TaskRunner runner : started) {
            parts.tasks()
                    .threads()
                    .start("task/" + now.allocId() + "/" + runner.task(), runner::run);
        }
    }

    /**
     * Waits until all tasks are dead; ends them when they are not wanted, or one of them has
     * failed.
     */
    private void awaitTasks() throws InterruptedException {
        boolean ending = false;
        for (; ; ) {
            List<TaskRunner> alive;
            Optional<TaskRunner> cause;
            lock.lockInterruptibly();
            try {
                while (!allDead() && (ending || (wantedNow() && ended().isEmpty()))) {
                    changed.await();
                }
                alive = runners.stream().filter(runner -> !isDead(runner)).toList();
                cause = ended();
            } finally {
                lock.unlock();
            }
            if (alive.isEmpty()) {
                return;
            }
            ending = true;
            for (TaskRunner runner : alive) {
                cause.ifPresent(c -> runner.siblingEnded(c.task(), isLeader(c)));
                runner.kill("");
            }
        }
    }

    /**
     * A task whose end is the end of the group: one that failed, or the leader. Called with the
     * lock held.
     */
    private Optional<TaskRunner> ended() {
        return runners.stream()
                .filter(runner -> isDead(runner) && (state(runner).failed() || isLeader(runner)))
                .findFirst();
    }

    private boolean isLeader(TaskRunner runner) {
        return known.taskGroup().task(runner.task()).map(Task::leader).orElse(false);
    }

    private boolean isDead(TaskRunner runner) {
        return state(runner).phase() == TaskState.Phase.DEAD;
    }

    /** As written down: a runner's own record has a lock that comes before this one's. */
    private TaskState state(TaskRunner runner) {
        return known.tasks().getOrDefault(runner.task(), TaskRecord.NEW).state();
    }

    private boolean allDead() {
        return runners.stream().allMatch(this::isDead);
    }

    private boolean wantedNow() {
        return !unwanted && known.desired() == DesiredStatus.RUN;
    }

    private boolean wanted() {
        lock.lock();
        try {
            return wantedNow();
        } finally {
            lock.unlock();
        }
    }

    private void awaitUnwanted() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!unwanted) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    private void remove() throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try {
                parts.clearing().clear(directory.root());
                store.remove(known().allocId());
                return;
            } catch (Trouble trouble) {
                LOG.warn(
                        "allocation {} cannot be removed yet: {}",
                        known().allocId(),
                        trouble.reason());
                parts.tasks().time().sleep(AGAIN.wait(failures, parts.tasks().chance()));
            }
        }
    }

    /** Writes down what the task runners say. */
    private final class Keeper implements TaskRunner.Keeper {
        @Override
        public void keep(String task, TaskRecord record) throws DiskTrouble {
            lock.lock();
            try {
                KnownAllocation next = known.withTask(task, record);
                store.put(next);
                known = next;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            parts.news().allocationChanged(known().allocId());
        }

        @Override
        public void note(String task, TaskRecord record) {
            change(k -> k.withTask(task, record));
        }
    }

    /**
     * Changes what is known; where the disk refuses, it counts in memory and is written with the
     * next change.
     */
    private void change(UnaryOperator<KnownAllocation> change) {
        lock.lock();
        try {
            KnownAllocation next = change.apply(known);
            boolean same = next.equals(known);
            known = next;
            changed.signalAll();
            if (same) {
                return;
            }
            store.put(known);
        } catch (DiskTrouble trouble) {
            LOG.warn(
                    "allocation {} is not written down yet: {}", known.allocId(), trouble.reason());
        } finally {
            lock.unlock();
        }
        parts.news().allocationChanged(known().allocId());
    }
}
