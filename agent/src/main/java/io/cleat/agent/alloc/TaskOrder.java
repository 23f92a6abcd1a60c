package io.cleat.agent.alloc;

import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskLifecycle.Hook;
import io.cleat.model.TaskState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * In which order the tasks of a group start and end. Pure: all is read from the tasks' states as they are written down,
 * so an agent that takes over comes to the same.
 */
record TaskOrder(TaskGroup group) {
    /** Why the tasks of a group are ended though the group is wanted. */
    enum Cause {
        /** A task failed for good. */
        FAILED,
        /** The leader has ended. */
        LEADER_DEAD,
        /** Only sidecars are left. */
        MAINS_DEAD
    }

    /**
     * That tasks are to end.
     *
     * @param task which one's end it is because of; empty for {@link Cause#MAINS_DEAD}
     */
    record Ending(Cause cause, String task) {}

    /** Whether it is the task's turn to start. Once it is, it stays so. */
    boolean mayStart(Task task, Map<String, TaskState> states) {
        if (state(task, states).startedAt() != null || task.isHook(Hook.PRESTART)) {
            return true;
        }
        if (task.isMain()) {
            return tasks(t -> t.isHook(Hook.PRESTART)).stream()
                    .allMatch(t -> t.isSidecar() ? hasStarted(t, states) : isDone(t, states));
        }
        if (task.isHook(Hook.POSTSTART)) {
            return tasks(Task::isMain).stream().allMatch(t -> hasStarted(t, states));
        }
        return tasks(TaskOrder::endsBeforePoststop).stream().allMatch(t -> isDead(t, states));
    }

    /** Whether something that has happened ends the tasks. */
    Optional<Ending> ending(Map<String, TaskState> states) {
        List<Task> alive = alive(states);
        if (alive.isEmpty()) {
            return Optional.empty();
        }
        Optional<Ending> failed = Optional.empty();
        for (Task task : tasks(TaskOrder::endsBeforePoststop)) {
            boolean isFailed = isDead(task, states) && state(task, states).failed();
            if (isFailed && failed.isEmpty()) {
                failed = Optional.of(new Ending(Cause.FAILED, task.name()));
            } else if (task.leader() && isDead(task, states) && !isFailed) {
                return Optional.of(new Ending(Cause.LEADER_DEAD, task.name()));
            }
        }
        return failed.isEmpty() && alive.stream().allMatch(Task::isSidecar)
                ? Optional.of(new Ending(Cause.MAINS_DEAD, ""))
                : failed;
    }

    /**
     * The tasks that are to be ended next: the leader, then all others but the sidecars, then these. Those of one step
     * end side by side; the next step begins when they are dead.
     */
    List<Task> nextToEnd(Map<String, TaskState> states) {
        List<Task> alive = alive(states);
        List<Task> leader = alive.stream().filter(Task::leader).toList();
        if (!leader.isEmpty()) {
            return leader;
        }
        List<Task> others = alive.stream().filter(task -> !task.isSidecar()).toList();
        return others.isEmpty() ? alive : others;
    }

    /** Whether nothing runs any more, or will, but for tasks that come after all others. */
    boolean isOverButPoststop(Map<String, TaskState> states) {
        return alive(states).isEmpty();
    }

    boolean isOver(Map<String, TaskState> states) {
        return group.tasks().stream().allMatch(task -> isDead(task, states));
    }

    static boolean endsBeforePoststop(Task task) {
        return !task.isHook(Hook.POSTSTOP);
    }

    /** Those that are not dead, without the ones that come after all others. */
    private List<Task> alive(Map<String, TaskState> states) {
        return tasks(task -> endsBeforePoststop(task) && !isDead(task, states));
    }

    private List<Task> tasks(Predicate<Task> which) {
        return group.tasks().stream().filter(which).toList();
    }

    private static boolean hasStarted(Task task, Map<String, TaskState> states) {
        return state(task, states).startedAt() != null;
    }

    private static boolean isDone(Task task, Map<String, TaskState> states) {
        return isDead(task, states) && !state(task, states).failed();
    }

    private static boolean isDead(Task task, Map<String, TaskState> states) {
        return state(task, states).phase() == TaskState.Phase.DEAD;
    }

    private static TaskState state(Task task, Map<String, TaskState> states) {
        return states.getOrDefault(task.name(), TaskState.PENDING);
    }
}
