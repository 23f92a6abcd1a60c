package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How two versions of a group differ; {@code Updates} counts what would be done. */
public record TaskGroupDiff(
        @Nullable List<FieldDiff> Fields,
        String Name,
        @Nullable List<ObjectDiff> Objects,
        @Nullable List<TaskDiff> Tasks,
        String Type,
        @Nullable Map<String, Long> Updates) {}
