package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How two versions of a job differ; {@code Type} is None, Added, Deleted or Edited. */
public record JobDiff(
        @Nullable List<FieldDiff> Fields,
        String ID,
        @Nullable List<ObjectDiff> Objects,
        @Nullable List<TaskGroupDiff> TaskGroups,
        String Type) {}
