package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * A variable in a list, where its items are not shown. Times in ns since the epoch.
 *
 * @param Lock left out while nobody has locked it
 */
public record VariableMetadata(
        long CreateIndex,
        long CreateTime,
        @OmitEmpty @Nullable VariableLock Lock,
        long ModifyIndex,
        long ModifyTime,
        String Namespace,
        String Path) {}
