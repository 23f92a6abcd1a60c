package io.cleat.agent.task;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Time;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * The record of one task, changed step by step: each change is written down and told.
 *
 * <p>Guarded by {@code lock}, which is held while the record is kept, so that the newest is kept last; the keeper's own
 * lock comes after it.
 */
public final class TaskDiary {
    private final String task;
    private final TaskRunner.Keeper keeper;
    private final ReentrantLock lock = new ReentrantLock();
    private TaskRecord record;

    TaskDiary(String task, TaskRecord record, TaskRunner.Keeper keeper) {
        this.task = task;
        this.record = record;
        this.keeper = keeper;
    }

    TaskRecord record() {
        lock.lock();
        try {
            return record;
        } finally {
            lock.unlock();
        }
    }

    /** Changes the record; it counts only once it is durable. */
    void write(UnaryOperator<TaskRecord> change) throws DiskTrouble {
        lock.lock();
        try {
            TaskRecord changed = change.apply(record);
            keeper.keep(task, changed);
            record = changed;
        } finally {
            lock.unlock();
        }
    }

    /** Changes the record; where the disk refuses, it counts in memory until the next change is written. */
    void note(UnaryOperator<TaskRecord> change) {
        lock.lock();
        try {
            record = change.apply(record);
            keeper.note(task, record);
        } finally {
            lock.unlock();
        }
    }

    /** The task is taken over, or waits; see {@link TaskRunner.Keeper#settled}. */
    void settled() {
        keeper.settled(task);
    }

    void event(TaskEvent event) {
        note(r -> r.with(with(r.state(), event)));
    }

    /** As {@link #event}, unless one of the same words is among those that are kept. */
    void eventOnce(TaskEvent event) {
        boolean isSaid = record().state().events().stream()
                .anyMatch(each ->
                        each.type().equals(event.type()) && each.message().equals(event.message()));
        if (!isSaid) {
            event(event);
        }
    }

    /**
     * The state of a task that was never to start, such as one whose volumes cannot be had.
     *
     * @param why empty if that is no failure
     */
    public static TaskState neverStarted(TaskState state, String why, Time time) {
        TaskState told = why.isEmpty() ? state : with(state, new TaskEvents(time).setupFailure(why));
        return dead(told, !why.isEmpty(), time.now());
    }

    /** The state of a task whose group waits for something else before anything is begun. */
    public static TaskState waiting(TaskState state, String reason, Time time) {
        TaskEvents events = new TaskEvents(time);
        TaskState received = state.events().isEmpty() ? with(state, events.received()) : state;
        return held(received, events.held(reason));
    }

    /** The task runs from now on. */
    static TaskState running(TaskState state, TaskEvent started) {
        TaskState with = with(state, started);
        return new TaskState(
                TaskState.Phase.RUNNING, false, with.restarts(), with.lastRestart(), started.at(), null, with.events());
    }

    /** As before the task's first start, but for what happened until now. */
    static TaskState notStarted(TaskState state) {
        return new TaskState(
                TaskState.Phase.PENDING, false, state.restarts(), state.lastRestart(), null, null, state.events());
    }

    /** The task waits for its next start. */
    static TaskState restarting(TaskState state, TaskEvent restarting) {
        TaskState with = with(state, restarting);
        return new TaskState(
                TaskState.Phase.PENDING,
                false,
                with.restarts() + 1,
                restarting.at(),
                with.startedAt(),
                with.finishedAt(),
                with.events());
    }

    /** The task does not run, and is not started before something else is done. */
    static TaskState held(TaskState state, TaskEvent held) {
        TaskState with = with(state, held);
        return new TaskState(
                TaskState.Phase.PENDING,
                with.failed(),
                with.restarts(),
                with.lastRestart(),
                with.startedAt(),
                with.finishedAt(),
                with.events());
    }

    /** The task is over. */
    static TaskState dead(TaskState state, boolean failed, Instant at) {
        return new TaskState(
                TaskState.Phase.DEAD,
                failed,
                state.restarts(),
                state.lastRestart(),
                state.startedAt(),
                at,
                state.events());
    }

    static TaskState with(TaskState state, TaskEvent event) {
        List<TaskEvent> events = new ArrayList<>(state.events());
        events.add(event);
        int first = Math.max(0, events.size() - TaskState.EVENTS_KEPT);
        return new TaskState(
                state.phase(),
                state.failed(),
                state.restarts(),
                state.lastRestart(),
                state.startedAt(),
                state.finishedAt(),
                events.subList(first, events.size()),
                state.network());
    }
}
