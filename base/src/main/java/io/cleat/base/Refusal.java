package io.cleat.base;

import java.time.Duration;
import java.util.List;

/**
 * The system says no: an expected answer, a value. A consumer switches over the kinds without a default, so that a new
 * kind is a compile error at every boundary.
 */
public sealed interface Refusal {
    /** What the user reads: what was given, what was expected, which object, what to do next. */
    String message();

    /** There is no such object. The message is the wire's text, such as {@code volume not found: v1}. */
    record NotFound(String message) implements Refusal {}

    /** The request cannot be read: bad syntax, a missing or unreadable parameter. */
    record Malformed(String message) implements Refusal {}

    /** The request can be read, and what it asks for is not allowed or not possible; all faults at once. */
    record Invalid(List<String> faults) implements Refusal {
        public Invalid {
            faults = List.copyOf(faults);
        }

        public Invalid(String fault) {
            this(List.of(fault));
        }

        @Override
        public String message() {
            return String.join("\n", faults);
        }
    }

    /** Something that exists stands in the way: a claim, a newer version, a name already taken. */
    record Conflict(String message) implements Refusal {}

    /** A queue is full, or a quota is used up. */
    record Exhausted(String what, Duration retryAfter) implements Refusal {
        @Override
        public String message() {
            return what + " is full; try again in " + retryAfter.toSeconds() + " s";
        }
    }

    /** The caller may not. */
    record Forbidden(String message) implements Refusal {}

    /** No member can decide now. */
    record NoLeader(String message) implements Refusal {}

    /** Our own fault, met while this was worked on; nothing was changed. The log says more. */
    record Fault(String message) implements Refusal {}

    /** A plugin, node or peer did not do its part; carries its words. */
    record Failed(String message, Effect effect) implements Refusal {}
}
