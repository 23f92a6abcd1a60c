package io.cleat.api;

/** The place of a task in the life of its group. */
public record Lifecycle(String Hook, boolean Sidecar) {}
