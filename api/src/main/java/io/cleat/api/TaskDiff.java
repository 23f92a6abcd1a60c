package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How two versions of a task differ. */
public record TaskDiff(
        @Nullable List<String> Annotations,
        @Nullable List<FieldDiff> Fields,
        String Name,
        @Nullable List<ObjectDiff> Objects,
        String Type) {}
