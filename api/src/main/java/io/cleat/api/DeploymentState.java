package io.cleat.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far one group of a deployment is. Durations in ns. */
public record DeploymentState(
        boolean AutoPromote,
        boolean AutoRevert,
        int DesiredCanaries,
        int DesiredTotal,
        int HealthyAllocs,
        int PlacedAllocs,
        @Nullable List<String> PlacedCanaries,
        long ProgressDeadline,
        boolean Promoted,
        @Nullable Instant RequireProgressBy,
        int UnhealthyAllocs) {}
