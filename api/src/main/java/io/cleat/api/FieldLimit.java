package io.cleat.api;

import io.cleat.base.TextRule;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a field may not be.
 *
 * @param shown what it has to be, for a page; empty where its words say it
 * @param isWrong of a value as the wire has it
 * @param text what whoever gives such a value is told; {@code %s} stands for the value
 */
public record FieldLimit(String shown, Predicate<@Nullable Object> isWrong, String text) {
    /** It has to say something. */
    static FieldLimit needed(String text) {
        return new FieldLimit("required", value -> !JobField.says(value), text);
    }

    /** It may say nothing. */
    static FieldLimit refused(String text) {
        return new FieldLimit("refused", JobField::says, text);
    }

    /** A number, or a duration in nanoseconds; nothing counts as 0. */
    static FieldLimit atLeast(long least, String text) {
        String shown = least == 0 ? "not negative" : least == 1 ? "positive" : "at least " + least;
        return new FieldLimit(shown, value -> number(value) < least, text);
    }

    /** Likewise. */
    static FieldLimit between(long least, long most, String text) {
        return new FieldLimit(least + " to " + most, value -> number(value) < least || number(value) > most, text);
    }

    /** A text that is one of these. */
    static FieldLimit among(List<String> words, String text) {
        return new FieldLimit("", value -> !words.contains(value == null ? "" : value), text);
    }

    /** Adds what is wrong with a value. */
    void check(@Nullable Object value, Faults faults) {
        if (isWrong.test(value)) {
            faults.add(text.formatted(value instanceof String given ? TextRule.quoted(given) : value));
        }
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }
}
