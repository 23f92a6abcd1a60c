package io.cleat.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the scheduler saw: how many nodes it looked at and why it left them out. {@code AllocationTime} in ns. */
public record AllocMetric(
        long AllocationTime,
        @Nullable Map<String, Integer> ClassExhausted,
        @Nullable Map<String, Integer> ClassFiltered,
        int CoalescedFailures,
        @Nullable Map<String, Integer> ConstraintFiltered,
        @Nullable Map<String, Integer> DimensionExhausted,
        String NodePool,
        @Nullable Map<String, Integer> NodesAvailable,
        int NodesEvaluated,
        int NodesExhausted,
        int NodesFiltered,
        int NodesInPool,
        @Nullable List<String> QuotaExhausted,
        @Nullable Map<String, Resources> ResourcesExhausted,
        @Nullable List<NodeScore> ScoreMetaData,
        @Nullable Map<String, Double> Scores) {}
