package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** What a change of a deployment answers. */
public record DeploymentUpdateResponse(
        long DeploymentModifyIndex,
        long EvalCreateIndex,
        String EvalID,
        long Index,
        @Nullable Long RevertedJobVersion) {}
