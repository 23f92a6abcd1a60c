package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A group of tasks placed on a node. Empty parts are left out, as Nomad does. Times in ns since the epoch. */
public record Allocation(
        long AllocModifyIndex,
        @OmitEmpty @Nullable AllocatedResources AllocatedResources,
        @OmitEmpty String ClientDescription,
        @OmitEmpty String ClientStatus,
        long CreateIndex,
        long CreateTime,
        @OmitEmpty String DeploymentID,
        @OmitEmpty @Nullable AllocDeploymentStatus DeploymentStatus,
        @OmitEmpty String DesiredDescription,
        @OmitEmpty String DesiredStatus,
        @OmitEmpty String EvalID,
        @OmitEmpty String FollowupEvalID,
        String ID,
        @OmitEmpty @Nullable Job Job,
        @OmitEmpty String JobID,
        @OmitEmpty @Nullable AllocMetric Metrics,
        long ModifyIndex,
        long ModifyTime,
        @OmitEmpty String Name,
        @OmitEmpty String Namespace,
        @OmitEmpty @Nullable NetworkStatus NetworkStatus,
        @OmitEmpty String NextAllocation,
        @OmitEmpty String NodeID,
        @OmitEmpty String NodeName,
        @OmitEmpty String PreviousAllocation,
        @OmitEmpty @Nullable Resources Resources,
        @OmitEmpty @Nullable Resources SharedResources,
        @OmitEmpty String SigningKeyID,
        @OmitEmpty String TaskGroup,
        @OmitEmpty @Nullable Map<String, Resources> TaskResources,
        @OmitEmpty @Nullable Map<String, TaskState> TaskStates) {}
