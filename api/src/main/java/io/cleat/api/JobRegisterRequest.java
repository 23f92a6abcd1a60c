package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * The body of a job's registration. {@code EnforceIndex} makes it fail unless the stored job's index is
 * {@code JobModifyIndex}.
 */
public record JobRegisterRequest(
        boolean EnforceIndex,
        int EvalPriority,
        @Nullable Job Job,
        long JobModifyIndex,
        String Namespace,
        boolean PolicyOverride,
        boolean PreserveCounts,
        boolean PreserveResources,
        String Region,
        @Nullable JobSubmission Submission) {}
