package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the scheduler would do, or did. */
public record PlanAnnotations(
        @Nullable Map<String, DesiredUpdates> DesiredTGUpdates,
        @Nullable List<AllocationStub> PreemptedAllocs) {}
