package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How two versions of a block differ. */
public record ObjectDiff(
        @Nullable List<FieldDiff> Fields,
        String Name,
        @Nullable List<ObjectDiff> Objects,
        String Type) {}
