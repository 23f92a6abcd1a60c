package io.cleat.api;

import org.jspecify.annotations.Nullable;

/**
 * How jobs are placed.
 *
 * @param MemoryOversubscriptionEnabled always false: tasks have a limit of memory, and no reserve
 * @param NodeLimitForFeasibilityChecks always 0: each node is looked at
 * @param PauseEvalBroker whether evaluations wait, so that nothing is placed, moved or stopped
 * @param PreemptionConfig null for none of it
 * @param RejectJobRegistration whether jobs are refused, also new versions of known ones
 * @param SchedulerAlgorithm {@code binpack} or {@code spread}; empty for the first
 */
public record SchedulerConfiguration(
        long CreateIndex,
        boolean MemoryOversubscriptionEnabled,
        long ModifyIndex,
        int NodeLimitForFeasibilityChecks,
        boolean PauseEvalBroker,
        @Nullable PreemptionConfig PreemptionConfig,
        boolean RejectJobRegistration,
        String SchedulerAlgorithm) {}
