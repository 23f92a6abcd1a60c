package io.cleat.api;

import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.WireNamed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The one conversion between job JSON and the model. */
public final class JobConversion {
    private static final JobLaunch.Child NO_CHILD = new JobLaunch.Child("", false, "");

    private JobConversion() {}

    /**
     * The job a user asks for.
     *
     * @param job in its stored form, without faults ({@link JobValidation#faults})
     */
    public static JobSpec toSpec(Job job) {
        return new JobSpec(
                new JobId(Canonical.orElse(job.Namespace(), "default"), job.ID()),
                job.Name(),
                wire(JobType.class, Canonical.orElse(job.Type(), "service")),
                Canonical.orElse(job.Region(), "global"),
                Canonical.orElse(job.NodePool(), "default"),
                Canonical.or(job.Priority(), 50),
                Canonical.or(job.AllAtOnce(), false),
                listOf(job.Datacenters()),
                mapOf(job.Meta()),
                constraints(job.Constraints()),
                listOf(job.TaskGroups()).stream().map(GroupConversion::toModel).toList(),
                LaunchConversion.toModel(job),
                PreferenceConversion.affinities(job.Affinities()),
                PreferenceConversion.spreads(job.Spreads()));
    }

    /** The JSON of a stored job; every name is there, as {@link Canonical#stored} gives it. */
    public static Job toJob(JobSpec spec, StoredJob stored) {
        JobLaunch launch = spec.launch();
        JobLaunch.Child copy = launch instanceof JobLaunch.Child is ? is : NO_CHILD;
        return Canonical.stored(new Job(
                PreferenceConversion.wireAffinities(spec.affinities()),
                spec.allAtOnce(),
                wireConstraints(spec.constraints()),
                "",
                stored.createIndex(),
                spec.datacenters(),
                "",
                copy.dispatched(),
                spec.id().id(),
                stored.jobModifyIndex(),
                orNull(spec.meta()),
                null,
                stored.modifyIndex(),
                null,
                spec.name(),
                spec.id().namespace(),
                spec.nodePool(),
                "",
                LaunchConversion.parameters(launch),
                copy.parent(),
                copy.payload().isEmpty() ? null : copy.payload(),
                LaunchConversion.periodic(launch),
                spec.priority(),
                spec.region(),
                null,
                PreferenceConversion.wireSpreads(spec.spreads()),
                stored.stable(),
                stored.status(),
                stored.statusDescription(),
                stored.stop(),
                stored.submitTime(),
                spec.groups().stream()
                        .map(group -> GroupConversion.toJson(spec.id(), group))
                        .toList(),
                spec.type().wire(),
                null,
                null,
                "",
                stored.version(),
                stored.tag()));
    }

    static List<io.cleat.model.Constraint> constraints(@Nullable List<Constraint> given) {
        return listOf(given).stream()
                .map(c -> new io.cleat.model.Constraint(c.LTarget(), c.Operand(), c.RTarget()))
                .toList();
    }

    static @Nullable List<Constraint> wireConstraints(List<io.cleat.model.Constraint> given) {
        return given.isEmpty()
                ? null
                : given.stream()
                        .map(c -> new Constraint(c.left(), c.operand(), c.right()))
                        .toList();
    }

    /** The constant of that name, which validation has found to exist. */
    static <E extends Enum<E> & WireNamed> E wire(Class<E> type, String name) {
        return WireNamed.find(type, name)
                .orElseThrow(() -> new IllegalArgumentException("not validated: " + type.getSimpleName() + " " + name));
    }

    static Duration duration(@Nullable Long nanos) {
        return Duration.ofNanos(Canonical.or(nanos, 0L));
    }

    static <T> List<T> listOf(@Nullable List<T> given) {
        return given == null ? List.of() : given;
    }

    static <V> Map<String, V> mapOf(@Nullable Map<String, V> given) {
        return given == null ? Map.of() : given;
    }

    /** What says nothing is null on the wire; the rest is in the order of its names. */
    static <V> @Nullable Map<String, V> orNull(Map<String, V> given) {
        return given.isEmpty() ? null : new TreeMap<>(given);
    }
}
