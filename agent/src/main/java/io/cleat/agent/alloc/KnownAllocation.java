package io.cleat.agent.alloc;

import io.cleat.agent.task.TaskRecord;
import io.cleat.base.InvariantBroken;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.MountOptions;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.wire.ToNode;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the node has written down of an allocation: enough to go on with it, or to undo it, without
 * a server. Grants are not part of it: leave to mount is given anew by a server after each restart.
 *
 * @param volumes by alias
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
        Map<String, KnownVolume> volumes,
        Map<String, TaskRecord> tasks,
        boolean ended,
        String failure) {

    KnownAllocation {
        volumes = Map.copyOf(volumes);
        tasks = Map.copyOf(tasks);
    }

    /** A volume of the allocation, without the grant. */
    record KnownVolume(
            VolumeId volume,
            String pluginId,
            String externalId,
            boolean readOnly,
            VolumeModes modes,
            MountOptions mountOptions,
            Map<String, String> context) {}

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
        Map<String, KnownVolume> volumes = new TreeMap<>();
        assignment
                .volumes()
                .forEach(
                        (alias, volume) ->
                                volumes.put(
                                        alias,
                                        new KnownVolume(
                                                volume.volume(),
                                                volume.pluginId(),
                                                volume.externalId(),
                                                volume.readOnly(),
                                                volume.modes(),
                                                volume.mountOptions(),
                                                volume.context())));
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
                tasks,
                ended,
                failure);
    }

    KnownAllocation withTask(String task, TaskRecord known) {
        Map<String, TaskRecord> changed = new HashMap<>(tasks);
        changed.put(task, known);
        return new KnownAllocation(
                allocId,
                name,
                index,
                evalId,
                job,
                jobVersion,
                group,
                desired,
                volumes,
                changed,
                ended,
                failure);
    }

    KnownAllocation failed(String why) {
        return new KnownAllocation(
                allocId,
                name,
                index,
                evalId,
                job,
                jobVersion,
                group,
                desired,
                volumes,
                tasks,
                ended,
                why);
    }

    KnownAllocation over() {
        return new KnownAllocation(
                allocId,
                name,
                index,
                evalId,
                job,
                jobVersion,
                group,
                desired,
                volumes,
                tasks,
                true,
                failure);
    }
}
