package io.cleat.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An allocation's part in a deployment. */
public record AllocDeploymentStatus(
        boolean Canary,
        @Nullable Boolean Healthy,
        long ModifyIndex,
        @Nullable Instant Timestamp) {}
