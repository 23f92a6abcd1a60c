package io.cleat.server.decide;

import io.cleat.model.JobSpec;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;

/**
 * What a job that is registered again has of the stored one, as that is when this is decided, whatever its file says.
 *
 * @param counts those of its groups
 * @param resources those of its tasks
 */
public record PreservedParts(boolean counts, boolean resources) {
    /** The job is as its file says. */
    public static final PreservedParts NONE = new PreservedParts(false, false);

    boolean isAny() {
        return counts || resources;
    }

    JobSpec of(JobSpec wanted, JobSpec stored) {
        return wanted.withGroups(wanted.groups().stream()
                .map(group ->
                        stored.group(group.name()).map(old -> of(group, old)).orElse(group))
                .toList());
    }

    private TaskGroup of(TaskGroup wanted, TaskGroup stored) {
        TaskGroup counted = counts ? wanted.withCount(stored.count()) : wanted;
        return resources
                ? counted.withTasks(wanted.tasks().stream()
                        .map(task -> resources(task, stored))
                        .toList())
                : counted;
    }

    private static Task resources(Task wanted, TaskGroup stored) {
        return stored.task(wanted.name())
                .map(before -> wanted.edit().resources(before.resources()).done())
                .orElse(wanted);
    }
}
