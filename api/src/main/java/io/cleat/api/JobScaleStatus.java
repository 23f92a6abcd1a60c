package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many allocations a job has, and is to have. */
public record JobScaleStatus(
        long JobCreateIndex,
        String JobID,
        long JobModifyIndex,
        boolean JobStopped,
        String Namespace,
        Map<String, Group> TaskGroups) {
    /**
     * Of one group.
     *
     * @param Events the last 20, newest first; null for none
     * @param Healthy how many a deployment has found healthy
     */
    public record Group(
            long Desired,
            @Nullable List<ScalingEvent> Events,
            long Healthy,
            long Placed,
            long Running,
            long Unhealthy) {}
}
