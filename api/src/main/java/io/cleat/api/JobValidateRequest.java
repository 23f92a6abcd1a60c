package io.cleat.api;

import org.jspecify.annotations.Nullable;

/** The body of a validation. */
public record JobValidateRequest(@Nullable Job Job) {}
