package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An allocation as a list shows it. Times in ns since the epoch. */
public record AllocationStub(
        @OmitEmpty @Nullable AllocatedResources AllocatedResources,
        String ClientDescription,
        String ClientStatus,
        long CreateIndex,
        long CreateTime,
        @Nullable AllocDeploymentStatus DeploymentStatus,
        String DesiredDescription,
        String DesiredStatus,
        DesiredTransition DesiredTransition,
        String EvalID,
        String FollowupEvalID,
        String ID,
        String JobID,
        String JobType,
        long JobVersion,
        long ModifyIndex,
        long ModifyTime,
        String Name,
        String Namespace,
        String NextAllocation,
        String NodeID,
        String NodeName,
        @Nullable List<String> PreemptedAllocations,
        String PreemptedByAllocation,
        @Nullable RawJson RescheduleTracker,
        String TaskGroup,
        @Nullable Map<String, TaskState> TaskStates) {}
