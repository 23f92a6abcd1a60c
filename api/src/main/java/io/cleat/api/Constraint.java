package io.cleat.api;

/** What a node must satisfy. */
public record Constraint(String LTarget, String Operand, String RTarget) {}
