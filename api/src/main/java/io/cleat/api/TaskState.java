package io.cleat.api;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a task is in its life, with its last events. */
public record TaskState(
        @Nullable List<TaskEvent> Events,
        boolean Failed,
        @Nullable Instant FinishedAt,
        @Nullable Instant LastRestart,
        String Paused,
        long Restarts,
        @Nullable Instant StartedAt,
        String State) {}
