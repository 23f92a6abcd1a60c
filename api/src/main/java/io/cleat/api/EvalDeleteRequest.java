package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which evaluations to delete: those with these ids, or those that fit an expression.
 *
 * @param EvalIDs null or empty where the expression is meant
 * @param Filter on the {@link Evaluation}; empty where the ids are meant
 */
public record EvalDeleteRequest(@Nullable List<String> EvalIDs, String Filter) {}
