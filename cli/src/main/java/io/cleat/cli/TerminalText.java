package io.cleat.cli;

import io.cleat.base.VisibleText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts of others as a terminal is given them: what would act on it is shown as its escape, as {@link VisibleText} has
 * it. Not used for what goes into a file or to another program.
 */
final class TerminalText {
    /** Our own titles, which are bold (ECMA-48 section 8.3.117). */
    private static final Pattern BOLD = Pattern.compile("\u001b\\[[01]m");

    /** Colours and the like, and an end of line as some programs write it. */
    private static final Pattern HARMLESS = Pattern.compile("\u001b\\[[0-9;:]{0,40}m|\r(?=\n)");

    /** What may be the beginning of one. */
    private static final Pattern BEGUN = Pattern.compile("(?:\u001b(?:\\[[0-9;:]{0,40})?|\r)\\z");

    private static final String PLAIN = "\u001b[0m";

    private final StringBuilder pending = new StringBuilder();
    private boolean coloured;

    /** An answer of ours, with texts of others in it. */
    static String answer(String text, boolean colours) {
        return colours ? shown(text, BOLD) : VisibleText.lines(text);
    }

    /**
     * Words of which nobody knows whose they are, such as an error's: lines after the first are indented, so that none
     * can be taken for ours.
     */
    static String words(String text) {
        return VisibleText.lines(text.stripTrailing()).replace("\n", "\n  ");
    }

    /** The next piece of what a task printed, as far as it can be shown; its colours stay. */
    String next(String piece) {
        String text = pending + piece;
        pending.setLength(0);
        Matcher begun = BEGUN.matcher(text);
        if (begun.find()) {
            pending.append(text, begun.start(), text.length());
            text = text.substring(0, begun.start());
        }
        String shown = shown(text, HARMLESS);
        coloured |= shown.indexOf('\u001b') >= 0;
        return shown;
    }

    /** What is left, and the end of all colours. */
    String end() {
        String rest = shown(pending.toString(), HARMLESS);
        pending.setLength(0);
        return rest + (coloured ? PLAIN : "");
    }

    private static String shown(String text, Pattern kept) {
        StringBuilder shown = new StringBuilder(text.length());
        Matcher parts = kept.matcher(text);
        int from = 0;
        while (parts.find()) {
            shown.append(VisibleText.lines(text.substring(from, parts.start())));
            shown.append(parts.group());
            from = parts.end();
        }
        return shown.append(VisibleText.lines(text.substring(from))).toString();
    }
}
