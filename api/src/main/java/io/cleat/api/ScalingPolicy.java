package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Between which counts a group may be scaled. Of a policy that users send only {@code Enabled} (default true),
 * {@code Max} (required), {@code Min} (default: the group's count) and {@code Policy} are read.
 *
 * @param Policy what an autoscaler reads
 * @param Target {@code Namespace}, {@code Job} and {@code Group}
 * @param Type {@code horizontal}
 */
public record ScalingPolicy(
        long CreateIndex,
        @Nullable Boolean Enabled,
        @Nullable String ID,
        @Nullable Long Max,
        @Nullable Long Min,
        long ModifyIndex,
        @Nullable RawJson Policy,
        @Nullable Map<String, String> Target,
        @Nullable String Type) {}
