package io.cleat.api;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.model.JobId;
import io.cleat.model.Scaling;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Whose policy a scaling policy is, and what whoever scales says beside a count. */
public final class ScalingPolicies {
    /** The type of a policy for the count of a group, which is the only one here. */
    public static final String HORIZONTAL = "horizontal";

    private ScalingPolicies() {}

    /**
     * The policy of a group.
     *
     * @param createIndex of its job
     */
    public static ScalingPolicy toJson(JobId job, String group, Scaling scaling, long createIndex, long modifyIndex) {
        return Edit.of(ofGroup(job, group, GroupBlocks.SCALING.filledIn(GroupBlocks.SCALING.toWire(scaling))))
                .set(ScalingPolicy::CreateIndex, createIndex)
                .set(ScalingPolicy::ModifyIndex, modifyIndex)
                .done();
    }

    /** The policy as that of a group. */
    static ScalingPolicy ofGroup(JobId job, String group, ScalingPolicy policy) {
        return Edit.of(policy)
                .set(ScalingPolicy::ID, Scaling.idOf(job, group))
                .set(ScalingPolicy::Target, target(job, group))
                .done();
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
