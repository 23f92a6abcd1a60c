package io.cleat.api;

/**
 * A body with what stands in its headers.
 *
 * @param <T> a record of this package, {@link Rows} or a list of them, or an {@link java.util.Optional} of one
 */
public record Answer<T>(T body, AnswerMeta meta) {}
