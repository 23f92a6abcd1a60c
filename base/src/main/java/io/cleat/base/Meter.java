package io.cleat.base;

import java.util.Locale;

/**
 * What one piece of work that others wrote may cost: rendering a template, filtering a list. Everything is counted
 * before it is done or made, so nothing is ever made that is too large.
 *
 * <p>What was made stays counted though it is no longer used: then the sum bounds what is in use, and nobody needs to
 * know when a value goes. A meter serves one piece of work, on one thread.
 */
public final class Meter {
    /** Characters that are read, compared or copied in one step. */
    public static final int CHARS_PER_STEP = 64;

    /** What an element of a list or map counts for; with its objects it has 64 to 128 bytes. */
    public static final int CHARS_PER_ELEMENT = 64;

    private final Limits limits;
    private long steps;
    private long chars;
    private int depth;

    /**
     * @param steps of about a microsecond
     * @param chars characters of all texts made, of two bytes each at most
     * @param depth levels inside each other
     */
    public record Limits(long steps, long chars, int depth) {}

    public Meter(Limits limits) {
        this.limits = limits;
    }

    /**
     * Counts steps that are about to be done.
     *
     * @throws Refused they are more than are left
     */
    public void step(long more) throws Refused {
        if (more > limits.steps - steps) {
            throw spent(limits.steps, "steps", steps, more);
        }
        steps += more;
    }

    /**
     * Counts characters that are about to be looked at.
     *
     * @throws Refused they are more than the steps that are left allow
     */
    public void read(long more) throws Refused {
        step(1 + more / CHARS_PER_STEP);
    }

    /**
     * Counts a search for one text in another, which compares {@code part} again at each place.
     *
     * @throws Refused it may take more steps than are left
     */
    public void search(String text, String part) throws Refused {
        step(1 + (long) text.length() * (1 + part.length() / 16) / CHARS_PER_STEP);
    }

    /**
     * Counts characters that are about to be made.
     *
     * @throws Refused they are more than are left
     */
    public void make(long more) throws Refused {
        if (more > limits.chars - chars) {
            throw spent(limits.chars, "characters in memory", chars, more);
        }
        chars += more;
        read(more);
    }

    /**
     * Counts elements of a list or map that are about to be made.
     *
     * @throws Refused they are more than are left
     */
    public void makeElements(long more) throws Refused {
        make(more > limits.chars ? more : more * CHARS_PER_ELEMENT);
    }

    /**
     * Goes one level deeper; {@link #leave} goes back.
     *
     * @throws Refused it is the deepest level already
     */
    public void enter() throws Refused {
        if (depth == limits.depth) {
            throw new Refused(new Refusal.Invalid("it goes deeper than " + limits.depth + " levels"));
        }
        depth++;
    }

    public void leave() {
        depth--;
    }

    /** How many steps are left. */
    public long stepsLeft() {
        return limits.steps - steps;
    }

    private static Refused spent(long limit, String what, long used, long more) {
        return new Refused(new Refusal.Invalid(String.format(
                Locale.ROOT,
                "it needs more than %,d %s: %,d are used, and this needs %,d; make it smaller, or split it",
                limit,
                what,
                used,
                more)));
    }
}
