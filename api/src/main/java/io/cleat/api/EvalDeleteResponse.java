package io.cleat.api;

/**
 * What deleting evaluations answers.
 *
 * @param Count how many are gone
 * @param Kept of those that fit the expression, how many are needed and stay; Cleat's own
 */
public record EvalDeleteResponse(long Count, long Index, long Kept) {}
