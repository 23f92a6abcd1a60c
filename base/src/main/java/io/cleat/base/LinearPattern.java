package io.cleat.base;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression that a user wrote, in the syntax of RE2, which Go's {@code regexp} has: without back references
 * and lookaround. The time of a search grows with the text, never with its power, and neither the expression nor the
 * text can use up the stack. Expressions of users are compiled here and nowhere else.
 *
 * <p>Immutable; any thread.
 */
public final class LinearPattern {
    /** Characters of an expression. */
    public static final int PATTERN_CHARS = 1_000;

    /** Instructions of a compiled expression: {@code a{1000}} has a thousand. */
    public static final int PROGRAM = 5_000;

    /** Groups of an expression; each thread of a search holds their places. */
    public static final int GROUPS = 100;

    /** Characters of a text that is searched. */
    public static final int TEXT_CHARS = 4 << 20;

    /** Instructions that one search may run: about a fifth of a second. */
    public static final long WORK = 50_000_000;

    /** Instructions that a meter counts as one step. */
    private static final int WORK_PER_STEP = 50;

    private final Pattern pattern;
    private final int size;

    private LinearPattern(Pattern pattern) {
        this.pattern = pattern;
        this.size = pattern.programSize();
    }

    /**
     * Reads an expression.
     *
     * @throws Refused it is no expression, in Go's words, or too large
     */
    public static LinearPattern compile(String expression) throws Refused {
        if (expression.length() > PATTERN_CHARS) {
            throw refused("expression of " + expression.length() + " characters: the most is " + PATTERN_CHARS);
        }
        long size = ProgramSize.of(expression);
        if (size > PROGRAM) {
            throw refused("expression too large: its repeats make "
                    + size
                    + " instructions of it, the most is "
                    + PROGRAM
                    + ": `"
                    + expression
                    + "`");
        }
        LinearPattern compiled;
        try {
            compiled = new LinearPattern(Pattern.compile(expression));
        } catch (PatternSyntaxException unreadable) {
            throw refused(
                    "error parsing regexp: " + unreadable.getDescription() + ": `" + unreadable.getPattern() + "`");
        }
        if (compiled.size > PROGRAM || compiled.pattern.groupCount() > GROUPS) {
            throw refused("expression too large: the most is "
                    + PROGRAM
                    + " instructions and "
                    + GROUPS
                    + " groups: `"
                    + expression
                    + "`");
        }
        return compiled;
    }

    /**
     * Whether it is found somewhere in a text.
     *
     * @throws Refused the text is too long for it
     */
    public boolean isFoundIn(String text) throws Refused {
        return isFoundIn(text, new Meter(new Meter.Limits(WORK / WORK_PER_STEP, 0, 0)));
    }

    /**
     * Whether it is found somewhere in a text, at the cost of {@code meter}.
     *
     * @throws Refused the text is too long for it, or for the steps that are left
     */
    public boolean isFoundIn(String text, Meter meter) throws Refused {
        SearchedText searched = searched(text, meter);
        try {
            return pattern.matcher(searched).find();
        } catch (SearchedText.Spent spent) {
            throw tooLong(text);
        } finally {
            charge(searched, meter);
        }
    }

    /**
     * A text with all that matches replaced.
     *
     * @param by <code>$1</code>, <code>${1}</code>, <code>$name</code> and <code>${name}</code> stand for groups,
     *     <code>$$</code> for a dollar sign, as in Go
     * @throws Refused the text is too long for it, or the result for what is left
     */
    public String replaceAll(String text, String by, Meter meter) throws Refused {
        Replacement replacement = Replacement.of(by, pattern);
        SearchedText searched = searched(text, meter);
        MeteredText out = new MeteredText(meter);
        Matcher matcher = pattern.matcher(searched);
        int from = 0;
        try {
            while (matcher.find()) {
                out.add(text, from, matcher.start());
                replacement.addTo(out, matcher, text);
                from = matcher.end();
            }
        } catch (SearchedText.Spent spent) {
            throw tooLong(text);
        } finally {
            charge(searched, meter);
        }
        return out.add(text, from, text.length()).toString();
    }

    private SearchedText searched(String text, Meter meter) throws Refused {
        if (text.length() > TEXT_CHARS) {
            throw tooLong(text);
        }
        long work = Math.min(WORK, meter.stepsLeft() * WORK_PER_STEP);
        return new SearchedText(text, work / size);
    }

    /** A search looks no further than its meter allows, so there is always as much left. */
    private void charge(SearchedText searched, Meter meter) throws Refused {
        long steps = 1 + searched.looks() * size / WORK_PER_STEP;
        meter.step(Math.min(meter.stepsLeft(), steps));
    }

    private Refused tooLong(String text) {
        return refused("the expression `"
                + pattern.pattern()
                + "` takes too long on a text of "
                + text.length()
                + " characters: simplify what it repeats, or search less");
    }

    private static Refused refused(String what) {
        return new Refused(new Refusal.Invalid(what));
    }
}
