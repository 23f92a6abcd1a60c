package io.cleat.agent.alloc;

import io.cleat.agent.network.JoinedNetwork;
import io.cleat.agent.task.MonotonicMarks;
import io.cleat.agent.task.OwnUser;
import io.cleat.agent.task.TaskParts;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TaskRunner;
import io.cleat.agent.task.TaskSetting;
import io.cleat.base.Deadline;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.model.Task;
import io.cleat.model.TaskState;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one allocation, started and ended in the order of {@link TaskOrder}.
 *
 * <p>One thread runs {@link #run}; what is asked of the tasks meanwhile comes from others.
 */
final class GroupTasks {
    private final AllocationDiary diary;
    private final AllocationDirectory directory;
    private final TaskParts parts;
    private final TaskOrder order;
    private final Takeover takeover;
    private final String allocId;
    private final MonotonicMarks marks;
    private volatile Map<String, TaskRunner> runners = Map.of();
    private volatile JoinedNetwork network = JoinedNetwork.OF_NODE;

    GroupTasks(AllocationDiary diary, AllocationDirectory directory, TaskParts parts, Takeover takeover) {
        this.takeover = takeover;
        this.diary = diary;
        this.directory = directory;
        this.parts = parts;
        this.marks = new MonotonicMarks(parts.time());
        this.order = new TaskOrder(diary.known().taskGroup());
        this.allocId = diary.known().allocId();
    }

    /** The network of the tasks that are run from now on. */
    void joined(JoinedNetwork joined) {
        network = joined;
    }

    /**
     * Runs the tasks until all are dead. An interruption leaves them as they are: another takes over.
     *
     * @param published where each volume is on the host, by alias
     */
    void run(Map<String, Path> published) throws Trouble, InterruptedException {
        run(published, () -> {});
    }

    /**
     * As {@link #run(Map)}.
     *
     * @param begun called once its tasks are known here
     */
    void run(Map<String, Path> published, Runnable begun) throws Trouble, InterruptedException {
        startRunners(published);
        begun.run();
        boolean again = runToEnd();
        while (again) {
            startRunners(published);
            again = runToEnd();
        }
    }

    private void startRunners(Map<String, Path> published) throws Trouble {
        KnownAllocation now = diary.known();
        Map<String, TaskRunner> started = new LinkedHashMap<>();
        for (Task task : order.group().tasks()) {
            started.put(
                    task.name(),
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
                                    now.user() == null ? OwnUser.NONE : now.user(),
                                    published,
                                    now.ports(),
                                    now.address(),
                                    network),
                            parts,
                            now.tasks().getOrDefault(task.name(), TaskRecord.NEW),
                            diary));
        }
        runners = started;
        takeover.tasks(started.keySet());
        started.values().forEach(this::start);
    }

    private void start(TaskRunner runner) {
        String task = runner.task();
        parts.threads()
                .contained(
                        "task/" + allocId + "/" + task,
                        () -> {
                            runner.run();
                            takeover.settled(task);
                        },
                        fault -> {
                            takeover.settled(task);
                            runner.failed(fault);
                        });
    }

    /** @return whether they are to be started again, from the first */
    private boolean runToEnd() throws InterruptedException {
        Set<String> told = new HashSet<>();
        for (; ; ) {
            AllocationDiary.Entry entry = diary.entry();
            KnownAllocation now = entry.known();
            Map<String, TaskState> states = now.states();
            if (order.isOverButPoststop(states) && now.restarting()) {
                if (entry.isWanted()) {
                    diary.change(KnownAllocation::fromTheFirst);
                    return true;
                }
                diary.change(KnownAllocation::notRestarting);
                continue;
            }
            if (order.isOver(states)) {
                return false;
            }
            if (now.endingSince() == null && isToEnd(entry, states)) {
                beginEnding(states);
                continue;
            }
            takeTurns(now, states);
            Deadline delayed = now.endingSince() == null ? null : endNext(now, states, told);
            diary.await(later -> !later.equals(entry), delayed);
        }
    }

    private boolean isToEnd(AllocationDiary.Entry entry, Map<String, TaskState> states) {
        return !order.isOverButPoststop(states)
                && (!entry.isWanted()
                        || entry.known().restarting()
                        || order.ending(states).isPresent());
    }

    private void beginEnding(Map<String, TaskState> states) {
        order.ending(states).ifPresent(why -> alive(states).forEach(runner -> tell(runner, why)));
        diary.change(k -> k.ending(parts.time().now()));
    }

    private static void tell(TaskRunner runner, TaskOrder.Ending why) {
        switch (why.cause()) {
            case FAILED -> runner.words().siblingFailed(why.task());
            case LEADER_DEAD -> runner.words().leaderDead();
            case MAINS_DEAD -> runner.words().mainsDead();
        }
    }

    private List<TaskRunner> alive(Map<String, TaskState> states) {
        return runners.values().stream()
                .filter(runner -> isAlive(runner.task(), states))
                .filter(runner -> TaskOrder.endsBeforePoststop(runner.spec()))
                .toList();
    }

    private static boolean isAlive(String task, Map<String, TaskState> states) {
        return states.getOrDefault(task, TaskState.PENDING).phase() != TaskState.Phase.DEAD;
    }

    /** Lets those start whose turn it is; while tasks are ended, only what comes after them. */
    private void takeTurns(KnownAllocation now, Map<String, TaskState> states) {
        for (TaskRunner runner : runners.values()) {
            Task task = runner.spec();
            boolean mayBegin = now.endingSince() == null || !TaskOrder.endsBeforePoststop(task);
            TaskRecord record = now.tasks().getOrDefault(task.name(), TaskRecord.NEW);
            if (mayBegin && order.mayStart(task, states)) {
                runner.begin();
            } else if (record.run() == null) {
                // It waits for another; nothing of it is taken over.
                takeover.settled(task.name());
            }
        }
    }

    /**
     * Ends those that are next, once the group's shutdown delay is over.
     *
     * @param told those that were told already
     * @return when to look again though nothing has changed
     */
    private @Nullable Deadline endNext(KnownAllocation now, Map<String, TaskState> states, Set<String> told) {
        Duration left = delay(now);
        if (left.isPositive()) {
            return Deadline.in(parts.time(), left);
        }
        for (Task task : order.nextToEnd(states)) {
            TaskRunner runner = runners.get(task.name());
            if (runner != null && told.add(task.name())) {
                parts.threads()
                        .contained(
                                "end/" + allocId + "/" + task.name(),
                                () -> runner.kill("", now.noShutdownDelay()),
                                fault -> runner.killAnyway());
            }
        }
        return null;
    }

    private Duration delay(KnownAllocation now) {
        Duration delay = now.taskGroup().shutdownDelay();
        Instant since = now.endingSince();
        if (delay == null || since == null || now.noShutdownDelay() || now.restarting()) {
            return Duration.ZERO;
        }
        return Duration.between(marks.now(), marks.of(since).plus(delay));
    }

    /**
     * Ends all that was begun here, at once and in no order; returns once it is dead.
     *
     * @param why shown in the tasks' events
     */
    void endAll(String why) throws InterruptedException {
        List<TaskRunner> begun = List.copyOf(runners.values());
        for (TaskRunner runner : begun) {
            runner.kill(why, true);
        }
        diary.await(entry -> begun.stream()
                .noneMatch(runner -> isAlive(runner.task(), entry.known().states())));
    }

    /** From now on tasks end without their shutdown delay. */
    void hurry() {
        runners.values().forEach(TaskRunner::hurry);
    }

    /** Says in the tasks' events why the allocation is not healthy. */
    void tellUnhealthy(String why) {
        runners.values().forEach(runner -> runner.words().unhealthy(why));
    }

    /** Says in the events of those that are not dead that the allocation's directory holds too much. */
    void tellDiskExceeded(String why, long limit) {
        alive(diary.known().states()).forEach(runner -> runner.words().diskExceeded(why, limit));
    }

    /** Likewise, that it has run for as long as it may. */
    void tellRunTimeExceeded(String why) {
        alive(diary.known().states()).forEach(runner -> runner.words().runTimeExceeded(why));
    }

    void tellDiskUnmeasured(String why) {
        alive(diary.known().states()).forEach(runner -> runner.words().diskUnmeasured(why));
    }

    /** Says in the tasks' events why the allocation does not end. */
    void tellNetworkStays(String why) {
        runners.values().forEach(runner -> runner.words().networkStays(why));
    }

    void tellNetworkFaulty(String why) {
        runners.values().forEach(runner -> runner.words().networkFaulty(why));
    }

    /** Those that see the volume of that name. */
    List<TaskRunner> users(String alias) {
        return runners.values().stream().filter(r -> r.volumes().has(alias)).toList();
    }

    /** The runner of a task that was ever begun here. */
    Optional<TaskRunner> runner(String task) {
        return Optional.ofNullable(runners.get(task));
    }

    /**
     * Ends all tasks, in order, and starts them again from the first, also those that have ended.
     *
     * @throws Refused if none runs
     */
    void restartAll() throws Refused {
        KnownAllocation now = diary.known();
        if (now.ended() || now.endingSince() != null || order.isOverButPoststop(now.states())) {
            throw new Refused(new Refusal.Conflict("allocation " + allocId + " has no running task"));
        }
        alive(now.states()).forEach(runner -> runner.words().restartSignaled());
        diary.change(KnownAllocation::restart);
    }
}
