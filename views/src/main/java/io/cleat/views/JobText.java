package io.cleat.views;

import io.cleat.api.Canonical;
import io.cleat.api.Edit;
import io.cleat.api.Job;
import io.cleat.api.JobConversion;
import io.cleat.api.JobValidation;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.model.JobSpec;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import java.util.List;
import java.util.Optional;

/** What a user says of a job, on its way into the model. */
final class JobText {
    private JobText() {}

    /**
     * The job, every default filled in.
     *
     * @throws Refused {@link Refusal.Invalid} with all its faults
     */
    static JobSpec checked(Job given, String namespace) throws Refused {
        Job job = Canonical.stored(inNamespace(given, namespace));
        requireValid(job);
        return JobConversion.toSpec(job);
    }

    /**
     * @throws Refused {@link Refusal.Invalid} with all that is wrong with a job
     */
    static void requireValid(Job job) throws Refused {
        List<String> faults = JobValidation.faults(job);
        if (!faults.isEmpty()) {
            // One text for all, as the wire has it, also when there is only one fault.
            throw new Refused(new Refusal.Invalid(io.cleat.api.Faults.render(faults)));
        }
    }

    /** The job's own namespace wins over the request's. */
    static Job inNamespace(Job given, String namespace) {
        if (given.Namespace() != null && !given.Namespace().isEmpty()) {
            return given;
        }
        return Edit.of(given).set(Job::Namespace, namespace).done();
    }

    /** The job with the counts, or the resources, that the stored one has now. */
    static JobSpec preserving(JobSpec job, JobSpec stored, boolean counts, boolean resources) {
        return job.withGroups(
                job.groups().stream()
                        .map(
                                group ->
                                        stored.group(group.name())
                                                .map(old -> group(group, old, counts, resources))
                                                .orElse(group))
                        .toList());
    }

    private static TaskGroup group(
            TaskGroup group, TaskGroup old, boolean counts, boolean resources) {
        TaskGroup counted = counts ? group.withCount(old.count()) : group;
        return resources
                ? counted.withTasks(group.tasks().stream().map(task -> task(task, old)).toList())
                : counted;
    }

    private static Task task(Task task, TaskGroup old) {
        Optional<Task> before = old.task(task.name());
        return task.edit().resources(before.map(Task::resources).orElse(task.resources())).done();
    }
}
