package io.cleat.api;

import java.util.Map;

/** How many allocations of each group are in which state. */
public record JobSummary(
        JobChildren Children,
        long CreateIndex,
        String JobID,
        long ModifyIndex,
        String Namespace,
        Map<String, TaskGroupSummary> Summary) {}
