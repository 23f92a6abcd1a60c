package io.cleat.api;

import io.cleat.model.JobSpec;
import io.cleat.model.WireNamed;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The one conversion between job JSON and the model. */
public final class JobConversion {
    private JobConversion() {}

    /**
     * The job a user asks for.
     *
     * @param job in its stored form, without faults ({@link JobValidation#faults})
     */
    public static JobSpec toSpec(Job job) {
        return JobBlocks.JOB.toModel(job);
    }

    /** The JSON of a stored job; every name is there, as {@link Canonical#stored} gives it. */
    public static Job toJob(JobSpec spec, StoredJob stored) {
        Job job = JobBlocks.JOB.toWire(spec);
        return Canonical.stored(Edit.of(job)
                .set(Job::CreateIndex, stored.createIndex())
                .set(Job::JobModifyIndex, stored.jobModifyIndex())
                .set(Job::ModifyIndex, stored.modifyIndex())
                .set(Job::Stable, stored.stable())
                .set(Job::Status, stored.status())
                .set(Job::StatusDescription, stored.statusDescription())
                .set(Job::Stop, stored.stop())
                .set(Job::SubmitTime, stored.submitTime())
                .set(Job::TaskGroups, Canonical.each(job.TaskGroups(), group -> withScaling(spec, group)))
                .set(Job::Version, stored.version())
                .set(Job::VersionTag, stored.tag())
                .done());
    }

    private static TaskGroup withScaling(JobSpec spec, TaskGroup group) {
        ScalingPolicy scaling = group.Scaling();
        return scaling == null
                ? group
                : Edit.of(group)
                        .set(TaskGroup::Scaling, ScalingPolicies.ofGroup(spec.id(), group.Name(), scaling))
                        .done();
    }

    /** The constant of that name, which validation has found to exist. */
    static <E extends Enum<E> & WireNamed> E wire(Class<E> type, String name) {
        return WireNamed.find(type, name)
                .orElseThrow(() -> new IllegalArgumentException("not validated: " + type.getSimpleName() + " " + name));
    }

    static <T> List<T> listOf(@Nullable List<T> given) {
        return given == null ? List.of() : given;
    }

    static <V> Map<String, V> mapOf(@Nullable Map<String, V> given) {
        return given == null ? Map.of() : given;
    }

    /** What says nothing is null on the wire. */
    static <T> @Nullable List<T> orNull(List<T> given) {
        return given.isEmpty() ? null : given;
    }

    /** What says nothing is null on the wire; the rest is in the order of its names. */
    static <V> @Nullable Map<String, V> orNull(Map<String, V> given) {
        return given.isEmpty() ? null : new TreeMap<>(given);
    }
}
