package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** What an operator wants of an allocation; null means nothing. */
public record DesiredTransition(
        @Nullable Boolean ForceReschedule,
        @Nullable Boolean Migrate,
        @Nullable Boolean MigrateDisablePlacement,
        @Nullable Boolean NoShutdownDelay,
        @Nullable Boolean Reschedule) {}
