package io.cleat.api;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One run of the scheduler for a job. Empty parts are left out. Times in ns since the epoch. */
public record Evaluation(
        @OmitEmpty String BlockedEval,
        @OmitEmpty @Nullable Map<String, Boolean> ClassEligibility,
        @OmitEmpty long CreateIndex,
        @OmitEmpty long CreateTime,
        @OmitEmpty String DeploymentID,
        @OmitEmpty boolean EscapedComputedClass,
        @OmitEmpty @Nullable Map<String, AllocMetric> FailedTGAllocs,
        @OmitEmpty String ID,
        @OmitEmpty String JobID,
        @OmitEmpty long JobModifyIndex,
        @OmitEmpty @Nullable List<String> MissingNonNodeResources,
        @OmitEmpty long ModifyIndex,
        @OmitEmpty long ModifyTime,
        @OmitEmpty String Namespace,
        @OmitEmpty String NextEval,
        @OmitEmpty String NodeID,
        @OmitEmpty @Nullable PlanAnnotations PlanAnnotations,
        @OmitEmpty String PreviousEval,
        @OmitEmpty int Priority,
        @OmitEmpty @Nullable Map<String, Integer> QueuedAllocations,
        @OmitEmpty @Nullable List<EvaluationStub> RelatedEvals,
        @OmitEmpty long SnapshotIndex,
        @OmitEmpty String Status,
        @OmitEmpty String StatusDescription,
        @OmitEmpty String TriggeredBy,
        @OmitEmpty String Type,
        @OmitEmpty @Nullable Instant WaitUntil) {}
