package io.cleat.demo;

import io.cleat.base.Time;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tells the story: numbered steps, a mark and a time for all that was verified, what is waited for. One thread. */
final class Narrator {
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String GREEN = "\u001b[32m";
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";
    private static final String ERASE = "\r\u001b[K";
    private static final int WIDTH = 104;
    private static final Duration LONG = Duration.ofSeconds(1);
    private static final Duration VERY_LONG = Duration.ofSeconds(10);

    private final PrintWriter out;
    private final Look look;
    private final Time time;
    private final long begun;
    private long stepBegun;
    private int step;
    private int verified;
    private int inStep;
    private Duration told = Duration.ZERO;
    private boolean isWaiting;

    /**
     * How it may look.
     *
     * @param colours whether colours are wanted
     * @param isTerminal whether a line can be written over
     */
    record Look(boolean colours, boolean isTerminal) {}

    Narrator(PrintWriter out, Look look, Time time) {
        this.out = out;
        this.look = look;
        this.time = time;
        this.begun = time.nanos();
        this.stepBegun = begun;
    }

    void title(String text) {
        line(paint(BOLD, text));
    }

    /** Begins the next step; the one before was verified. */
    void step(String title) {
        endStep();
        step++;
        inStep = 0;
        stepBegun = time.nanos();
        line("");
        line(paint(BOLD, step + ". " + title));
    }

    /** One thing was looked at and is as it should be. */
    void verified(String what, String seen) {
        inStep++;
        verified++;
        line(String.format(
                Locale.ROOT,
                "   %s %s  %-20s %s",
                paint(GREEN, "✓"),
                paint(DIM, String.format(Locale.ROOT, "%6.2f s", seconds(stepBegun))),
                what,
                seen));
    }

    /** What a command printed. */
    void quote(String command, List<String> lines) {
        line("     " + paint(DIM, "$ ") + paint(BOLD, command));
        for (String one : lines) {
            wrapped(one).forEach(part -> line("     " + paint(DIM, "│ ") + part));
        }
    }

    void say(String text) {
        line(text);
    }

    /** Something is not there yet; said once it lasts. */
    void waiting(String what, Duration since, String seen) {
        if (since.compareTo(LONG) < 0) {
            told = Duration.ZERO;
        } else if (look.isTerminal()) {
            isWaiting = true;
            String text = "   … " + what + " (" + since.toSeconds() + " s): " + seen;
            out.print(ERASE + paint(DIM, cut(text)));
            out.flush();
        } else if (since.minus(told).compareTo(VERY_LONG) >= 0) {
            told = since;
            line("   … " + what + " (" + since.toSeconds() + " s): " + seen);
        }
    }

    void failed(CheckFailed failure) {
        line("   " + paint(RED, "✗") + " " + failure.what());
        line("     expected  " + failure.expected());
        line("     seen      " + failure.seen());
    }

    /** Ends the last step, and sums up. */
    void success() {
        endStep();
        line("");
        line(paint(GREEN, "✓ ")
                + paint(
                        BOLD,
                        String.format(
                                Locale.ROOT,
                                "%d steps, %d things verified from outside, %.1f s",
                                step,
                                verified,
                                seconds(begun))));
    }

    /**
     * Ends a story that does not end well.
     *
     * @param how such as {@code failed}
     */
    void failure(String how) {
        String where = step == 0 ? "before the first step" : "in step " + step;
        line("");
        line(paint(RED, "✗ ")
                + paint(BOLD, String.format(Locale.ROOT, "the demo %s %s, after %.1f s", how, where, seconds(begun))));
    }

    private void endStep() {
        if (step > 0) {
            line(paint(
                    DIM,
                    String.format(Locale.ROOT, "   step %d: %d verified, %.2f s", step, inStep, seconds(stepBegun))));
        }
    }

    private double seconds(long since) {
        return (time.nanos() - since) / 1e9;
    }

    private void line(String text) {
        out.print(isWaiting ? ERASE : "");
        isWaiting = false;
        out.print(text + "\n");
        out.flush();
    }

    /** A long line in parts, broken at spaces; each further part is indented a little more. */
    static List<String> wrapped(String line) {
        List<String> parts = new ArrayList<>();
        String left = line;
        String indent = line.substring(0, line.length() - line.stripLeading().length()) + "    ";
        while (left.length() > WIDTH) {
            int space = left.lastIndexOf(' ', WIDTH);
            if (space <= indent.length()) {
                break;
            }
            parts.add(left.substring(0, space));
            left = indent + left.substring(space + 1);
        }
        parts.add(left);
        return parts;
    }

    /** A line that is written over must not be wider than the terminal, which is not known. */
    private static String cut(String text) {
        return text.length() <= 79 ? text : text.substring(0, 78) + "…";
    }

    private String paint(String colour, String text) {
        return look.colours() ? colour + text + PLAIN : text;
    }
}
