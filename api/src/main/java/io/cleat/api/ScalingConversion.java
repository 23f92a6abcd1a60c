package io.cleat.api;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.model.JobId;
import io.cleat.model.Scaling;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The part of {@link JobConversion} for scaling policies. */
public final class ScalingConversion {
    /** The type of a policy for the count of a group, which is the only one here. */
    public static final String HORIZONTAL = "horizontal";

    private ScalingConversion() {}

    /**
     * The policy as it is sent, the defaults filled in.
     *
     * @param count of its group
     */
    static @Nullable ScalingPolicy filledIn(@Nullable ScalingPolicy given, int count) {
        return given == null
                ? null
                : Edit.of(given)
                        .orElse(ScalingPolicy::Enabled, true)
                        .orElse(ScalingPolicy::Min, (long) count)
                        .orElse(ScalingPolicy::Type, HORIZONTAL)
                        .done();
    }

    /** Without what {@link ScalingRules} finds. */
    static @Nullable Scaling toModel(@Nullable ScalingPolicy given) {
        if (given == null) {
            return null;
        }
        RawJson policy = given.Policy();
        return new Scaling(
                Canonical.or(given.Enabled(), true),
                Math.toIntExact(Canonical.or(given.Min(), 0L)),
                Math.toIntExact(Canonical.or(given.Max(), 0L)),
                policy == null || policy.isEmpty() ? Map.of() : PlainValues.map(policy.value()));
    }

    static @Nullable ScalingPolicy toJson(JobId job, String group, @Nullable Scaling scaling) {
        return scaling == null ? null : toJson(job, group, scaling, 0, 0);
    }

    /**
     * The policy of a group.
     *
     * @param createIndex of its job
     */
    public static ScalingPolicy toJson(JobId job, String group, Scaling scaling, long createIndex, long modifyIndex) {
        return new ScalingPolicy(
                createIndex,
                scaling.enabled(),
                Scaling.idOf(job, group),
                (long) scaling.max(),
                (long) scaling.min(),
                modifyIndex,
                shown(scaling.policy()),
                target(job, group),
                HORIZONTAL);
    }

    /**
     * What whoever scales says beside a count.
     *
     * @throws Refused it is no object, or holds what cannot be kept
     */
    public static Map<String, Object> meta(@Nullable RawJson meta) throws Refused {
        if (meta == null || meta.isEmpty()) {
            return Map.of();
        }
        Faults faults = new Faults();
        faults.addIf(!meta.value().isObject(), "Meta must be an object");
        PlainValues.check(meta.value(), "Meta", faults);
        if (!faults.list().isEmpty()) {
            throw new Refused(new Refusal.Malformed(Faults.render(faults.list())));
        }
        return PlainValues.map(meta.value());
    }

    /** The same as it is shown; null for nothing. */
    public static @Nullable RawJson shown(Map<String, Object> meta) {
        return meta.isEmpty() ? null : new RawJson(Json.toTree(PlainValues.sorted(meta)));
    }

    /** What a policy is about. */
    public static Map<String, String> target(JobId job, String group) {
        return new TreeMap<>(Map.of("Namespace", job.namespace(), "Job", job.id(), "Group", group));
    }
}
