package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** Rules of a group's scaling policy. */
final class ScalingRules {
    private ScalingRules() {}

    static void check(Job job, TaskGroup group, Faults faults) {
        ScalingPolicy scaling = group.Scaling();
        if (scaling == null) {
            return;
        }
        faults.nest("Scaling policy invalid", policy(job, Canonical.or(group.Count(), 1), scaling));
    }

    private static Faults policy(Job job, int count, ScalingPolicy scaling) {
        Faults faults = new Faults();
        faults.addIf(
                JobValidation.isOnEachNode(job),
                "a "
                        + job.Type()
                        + " job has an allocation on each node, so there is no count to scale: remove scaling");
        String type = Canonical.orElse(scaling.Type(), ScalingPolicies.HORIZONTAL);
        faults.addIf(!type.equals(ScalingPolicies.HORIZONTAL), "unknown type \"" + type + "\"; expected horizontal");
        bounds(count, scaling.Min(), scaling.Max(), faults);
        RawJson policy = scaling.Policy();
        if (policy != null && !policy.isEmpty()) {
            faults.addIf(!policy.value().isObject(), "policy must be an object");
            PlainValues.check(policy.value(), "policy", faults);
        }
        return faults;
    }

    private static void bounds(int count, @Nullable Long smallest, @Nullable Long max, Faults faults) {
        if (max == null) {
            faults.add("maximum count must be specified: set max");
            return;
        }
        long min = Canonical.or(smallest, (long) count);
        faults.addIf(min < 0, "minimum count must be 0 or more, given " + min);
        faults.addIf(max > Integer.MAX_VALUE, "maximum count must be at most " + Integer.MAX_VALUE + ", given " + max);
        faults.addIf(
                max < min, "maximum count must not be less than minimum count: given max " + max + " and min " + min);
        faults.addIf(
                count < min,
                "task group count must not be less than minimum count in scaling policy: given "
                        + count
                        + ", min is "
                        + min);
        faults.addIf(
                count > max,
                "task group count must not be greater than maximum count in scaling policy: given "
                        + count
                        + ", max is "
                        + max);
    }
}
