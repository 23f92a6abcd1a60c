package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All faults of a job; {@code Error} holds them as one text. */
public record JobValidateResponse(
        boolean DriverConfigValidated,
        String Error,
        @Nullable List<String> ValidationErrors,
        String Warnings) {}
