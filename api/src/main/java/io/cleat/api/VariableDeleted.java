package io.cleat.api;

/** A variable is gone, with the version that has it no more. */
public record VariableDeleted(long Index) {}
