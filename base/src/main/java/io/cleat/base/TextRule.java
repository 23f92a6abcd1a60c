package io.cleat.base;

import java.util.Locale;
import java.util.Optional;

/**
 * The rule for texts that come from outside. Every text is valid Unicode, so that it can be written as UTF-8 and read
 * back as it was; it holds no NUL, which ends a text for the kernel; and it has at most {@link InputLimits#TEXT_CHARS}
 * characters. A text that becomes part of a path, a header, a label or a line on a terminal is also one line: no
 * control characters, no line breaks, and nothing that turns the direction of the text after it. {@link VisibleText}
 * shows texts that break it.
 */
public final class TextRule {
    /** How much of a text a message quotes. */
    private static final int QUOTED = 64;

    private static final int FIRST_TURN = 0x202A;
    private static final int LAST_TURN = 0x202E;
    private static final int FIRST_ISOLATE = 0x2066;
    private static final int LAST_ISOLATE = 0x2069;

    private TextRule() {}

    /** What is wrong with any text, such as a template; empty if nothing is. */
    public static Optional<String> fault(String text) {
        if (text.length() > InputLimits.TEXT_CHARS) {
            return tooLong(text, InputLimits.TEXT_CHARS);
        }
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == 0) {
                return Optional.of("holds a NUL character at position " + at + "; remove it");
            }
            if (Character.isSurrogate(c)) {
                if (isPair(text, at)) {
                    at++;
                } else {
                    return Optional.of("is not valid Unicode: half of a surrogate pair stands at position " + at);
                }
            }
        }
        return Optional.empty();
    }

    /** What is wrong with a text that is to be one line; empty if nothing is. */
    public static Optional<String> lineFault(String text) {
        if (text.length() > InputLimits.LINE_CHARS) {
            return tooLong(text, InputLimits.LINE_CHARS);
        }
        Optional<String> fault = fault(text);
        for (int at = 0; at < text.length() && fault.isEmpty(); at++) {
            if (isControl(text.charAt(at))) {
                return Optional.of(
                        "holds the control character " + code(text.charAt(at)) + " at position " + at + "; remove it");
            }
        }
        return fault;
    }

    /** The text in quotes, cut and made visible, for a message that says what was given. */
    public static String quoted(String text) {
        return "\"" + VisibleText.cut(text, QUOTED) + "\"";
    }

    private static boolean isPair(String text, int at) {
        return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }

    /** Also line breaks beyond ASCII, and what turns the direction of text. */
    private static boolean isControl(char c) {
        return Character.isISOControl(c)
                || c == 0x2028
                || c == 0x2029
                || (c >= FIRST_TURN && c <= LAST_TURN)
                || (c >= FIRST_ISOLATE && c <= LAST_ISOLATE);
    }

    private static String code(char c) {
        return String.format(Locale.ROOT, "U+%04X", (int) c);
    }

    private static Optional<String> tooLong(String text, int most) {
        return Optional.of("has " + text.length() + " characters; at most " + most + " are allowed");
    }
}
