package io.cleat.agent.alloc;

import io.cleat.agent.task.TaskRecord;
import io.cleat.base.InvariantBroken;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToNode;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the node has written down of an allocation: enough to go on with it, or to undo it, without
 * a server. Grants are not part of it: leave to mount is given anew by a server after each restart.
 *
 * @param volumes by alias: which are its, all else of them comes with the grant
 * @param tasks by name
 * @param ended whether its tasks are over and its volumes undone
 * @param failure why it could not be run; empty if that is not so
 */
record KnownAllocation(
        String allocId,
        String name,
        int index,
        String evalId,
        JobSpec job,
        long jobVersion,
        String group,
        DesiredStatus desired,
        Map<String, VolumeId> volumes,
        Map<String, TaskRecord> tasks,
        boolean ended,
        String failure) {

    KnownAllocation {
        volumes = Map.copyOf(volumes);
        tasks = Map.copyOf(tasks);
    }

    /** What is known of an allocation that is new to the node. */
    static KnownAllocation of(ToNode.Assignment assignment) {
        Map<String, TaskRecord> tasks = new TreeMap<>();
        assignment
                .job()
                .group(assignment.group())
                .ifPresent(
                        group ->
                                group.tasks()
                                        .forEach(task -> tasks.put(task.name(), TaskRecord.NEW)));
        Map<String, VolumeId> volumes = new TreeMap<>();
        assignment.volumes().forEach((alias, volume) -> volumes.put(alias, volume.volume()));
        return new KnownAllocation(
                assignment.allocId(),
                assignment.name(),
                assignment.index(),
                assignment.evalId(),
                assignment.job(),
                assignment.jobVersion(),
                assignment.group(),
                assignment.desired(),
                volumes,
                tasks,
                false,
                "");
    }

    TaskGroup taskGroup() {
        return job.group(group)
                .orElseThrow(
                        () ->
                                new InvariantBroken(
                                        "an allocation's job has its group",
                                        name + " of " + job.id()));
    }

    /** How the allocation is, as its tasks tell. */
    ClientStatus status() {
        if (!failure.isEmpty()) {
            return ended ? ClientStatus.FAILED : ClientStatus.PENDING;
        }
        boolean running = false;
        boolean pending = false;
        boolean failed = false;
        for (TaskRecord task : tasks.values()) {
            switch (task.state().phase()) {
                case RUNNING -> running = true;
                case PENDING -> pending = true;
                case DEAD -> failed |= task.state().failed();
            }
        }
        if (ended) {
            return failed ? ClientStatus.FAILED : ClientStatus.COMPLETE;
        }
        return running || !pending ? ClientStatus.RUNNING : ClientStatus.PENDING;
    }

    /** The status in a sentence. */
    String description() {
        if (!failure.isEmpty()) {
            return failure;
        }
        return switch (status()) {
            case PENDING -> "No tasks have started";
            case RUNNING -> "Tasks are running";
            case COMPLETE -> "All tasks have completed";
            case FAILED -> "Failed tasks";
            case LOST, UNKNOWN -> "";
        };
    }

    KnownAllocation with(DesiredStatus wanted, JobSpec newJob, long newVersion) {
        return changed(newJob, newVersion, wanted, tasks, ended, failure);
    }

    KnownAllocation withTask(String task, TaskRecord known) {
        Map<String, TaskRecord> more = new HashMap<>(tasks);
        more.put(task, known);
        return changed(job, jobVersion, desired, more, ended, failure);
    }

    KnownAllocation failed(String why) {
        return changed(job, jobVersion, desired, tasks, ended, why);
    }

    KnownAllocation over() {
        return changed(job, jobVersion, desired, tasks, true, failure);
    }

    /** With what may change while it lives. */
    private KnownAllocation changed(
            JobSpec newJob,
            long newVersion,
            DesiredStatus wanted,
            Map<String, TaskRecord> known,
            boolean over,
            String why) {
        return new KnownAllocation(
                allocId,
                name,
                index,
                evalId,
                newJob,
                newVersion,
                group,
                wanted,
                volumes,
                known,
                over,
                why);
    }
}
