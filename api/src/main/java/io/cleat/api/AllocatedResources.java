package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an allocation was given. */
public record AllocatedResources(
        SharedResources Shared, Map<String, @Nullable RawJson> TaskLifecycles, Map<String, TaskResources> Tasks) {}
