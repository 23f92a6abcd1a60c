package io.cleat.api;

/** Where below a task's {@code local} directory what was sent along is put. */
public record DispatchPayloadConfig(String File) {}
