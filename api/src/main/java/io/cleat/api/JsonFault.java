package io.cleat.api;

import io.cleat.base.InputLimits;
import io.cleat.base.VisibleText;
import java.time.Instant;
import java.util.Collection;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * What is wrong with JSON that could not be read: what was expected, and where. What was given is left out, and so are
 * the library's own words: both may quote a secret.
 */
final class JsonFault {
    /** How much of a name is shown. */
    static final int SHOWN = 64;

    private JsonFault() {}

    static String text(JacksonException unreadable) {
        return switch (unreadable) {
            case JacksonIOException broken -> "the JSON ended early: " + broken.getOriginalMessage();
            case StreamConstraintsException _ ->
                "the JSON is beyond what is read"
                        + place(unreadable)
                        + ": at most "
                        + InputLimits.DEPTH
                        + " levels, "
                        + InputLimits.NAME_CHARS
                        + " characters of a name, "
                        + InputLimits.TEXT_CHARS
                        + " of a text, "
                        + InputLimits.NUMBER_DIGITS
                        + " digits of a number";
            case InvalidNullException absent ->
                "expected " + expected(absent.getTargetType()) + path(absent) + ", given null" + line(absent);
            case MismatchedInputException mismatch ->
                "expected " + expected(mismatch.getTargetType()) + place(mismatch);
            default -> "the JSON is not well-formed" + place(unreadable);
        };
    }

    private static String expected(Class<?> type) {
        if (type == int.class || type == Integer.class || type == long.class || type == Long.class) {
            return "a whole number in range";
        }
        if (type == double.class || type == Double.class) {
            return "a number";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == String.class) {
            return "a text";
        }
        if (type == Instant.class) {
            return "a time such as 2026-01-02T03:04:05Z";
        }
        return type != null && Collection.class.isAssignableFrom(type) ? "a list" : "an object";
    }

    private static String place(JacksonException unreadable) {
        return path(unreadable) + line(unreadable);
    }

    private static String path(JacksonException unreadable) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : unreadable.getPath()) {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(VisibleText.cut(step.getPropertyName(), SHOWN));
            }
        }
        return path.isEmpty() ? "" : " at " + path;
    }

    private static String line(JacksonException unreadable) {
        TokenStreamLocation location = unreadable.getLocation();
        return location == null || location.getLineNr() <= 0
                ? ""
                : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }
}
