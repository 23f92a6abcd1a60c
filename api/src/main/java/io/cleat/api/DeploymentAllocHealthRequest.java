package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says of allocations of a deployment whether they are healthy. */
public record DeploymentAllocHealthRequest(
        String DeploymentID,
        @Nullable List<String> HealthyAllocationIDs,
        @Nullable List<String> UnhealthyAllocationIDs) {}
