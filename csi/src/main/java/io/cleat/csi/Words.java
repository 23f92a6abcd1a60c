package io.cleat.csi;

import io.cleat.base.Secret;
import io.cleat.base.VisibleText;
import java.util.Comparator;
import java.util.List;

/** What a plugin says, made fit to be shown. */
final class Words {
    /** More of a plugin's error text is of no use to a reader. */
    private static final int MOST = 2_000;

    /** Hiding shorter values would hide half of every sentence. */
    private static final int LEAST_HIDDEN = 4;

    private Words() {}

    /** Without the hidden values, without control characters, and not endless. */
    static String cleaned(String words, List<String> hidden) {
        String clean = words;
        // Longest first, so that no rest of a longer value stays when a shorter one is part of it.
        for (String value : hidden.stream()
                .filter(value -> value.length() >= LEAST_HIDDEN)
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList()) {
            clean = clean.replace(value, Secret.REDACTED);
        }
        if (clean.length() > MOST) {
            clean = VisibleText.head(clean, MOST) + " ... (" + clean.length() + " characters)";
        }
        return printable(clean);
    }

    static String quoted(String id) {
        return '"' + printable(id) + '"';
    }

    private static String printable(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints()
                .map(point -> Character.isISOControl(point) && point != '\n' ? ' ' : point)
                .forEach(out::appendCodePoint);
        return VisibleText.lines(out.toString());
    }
}
