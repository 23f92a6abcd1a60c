package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Promotes the canaries of all groups, or of some. */
public record DeploymentPromoteRequest(
        boolean All, String DeploymentID, @Nullable List<String> Groups) {}
