package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stored versions of a job, newest first. */
public record JobVersionsResponse(
        @Nullable List<JobDiff> Diffs,
        long Index,
        boolean KnownLeader,
        long LastContact,
        String NextToken,
        List<Job> Versions) {}
