package io.cleat.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that jobs name together. One is there once a node was started in it; {@code all} has every node, and
 * {@code default} those that were started in none.
 *
 * @param SchedulerConfiguration always null: the cluster's counts
 */
public record NodePool(
        long CreateIndex,
        String Description,
        @Nullable Map<String, String> Meta,
        long ModifyIndex,
        String Name,
        @Nullable RawJson SchedulerConfiguration) {}
