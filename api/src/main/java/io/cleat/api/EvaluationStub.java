package io.cleat.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An evaluation as another one refers to it. */
public record EvaluationStub(
        String BlockedEval,
        long CreateIndex,
        long CreateTime,
        String DeploymentID,
        String ID,
        String JobID,
        long ModifyIndex,
        long ModifyTime,
        String Namespace,
        String NextEval,
        String NodeID,
        String PreviousEval,
        int Priority,
        String Status,
        String StatusDescription,
        String TriggeredBy,
        String Type,
        @Nullable Instant WaitUntil) {}
