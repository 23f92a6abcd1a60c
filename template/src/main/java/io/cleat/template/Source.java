package io.cleat.template;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.VisibleText;

/**
 * A template's text, for saying where something is.
 *
 * @param name what the user calls it
 */
record Source(String name, String text, Template.Delimiters delimiters) {
    /** Characters of a message: what it quotes may be a whole file. */
    private static final int LONGEST = 1_000;

    /** Something about the place {@code at} is not as it should be. */
    Refused refused(int at, String what) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < Math.min(at, text.length()); i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new Refused(new Refusal.Malformed(
                "template: " + shortened(name) + ":" + line + ":" + (at - lineStart + 1) + ": " + shortened(what)));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : VisibleText.head(text, LONGEST) + "...";
    }
}
