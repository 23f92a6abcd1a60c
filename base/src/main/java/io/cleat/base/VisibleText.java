package io.cleat.base;

/**
 * Texts of others, made fit to be shown. What acts on a terminal or hides in it is written as it is in JSON,
 * {@code \}{@code u001b}: control characters, marks of direction and other invisible ones, line and paragraph
 * separators, halves of surrogate pairs. All else stays. Inside of JSON texts the value stays the same.
 */
public final class VisibleText {
    private VisibleText() {}

    /** One line: an end of line is written as its escape too. */
    public static String line(String text) {
        return shown(text, false);
    }

    /** Lines, whose ends and tabs stay as they are. */
    public static String lines(String text) {
        return shown(text, true);
    }

    /**
     * One line of at most {@code most} characters of {@code text}; of a longer one its beginning and how long it was.
     * Costs no more than {@code most}, however long the text.
     */
    public static String cut(String text, int most) {
        return cut(text, most, false);
    }

    /** As {@link #cut(String, int)}, with ends of lines and tabs as they are. */
    public static String cutLines(String text, int most) {
        return cut(text, most, true);
    }

    private static String cut(String text, int most, boolean severalLines) {
        if (text.length() <= most) {
            return shown(text, severalLines);
        }
        return shown(head(text, most), severalLines) + " ... (" + text.length() + " characters)";
    }

    /**
     * The first {@code most} characters of {@code text} as they are, or one less where they would end with the first
     * half of a pair.
     */
    public static String head(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        boolean isHalf = most > 0 && Character.isHighSurrogate(text.charAt(most - 1));
        return text.substring(0, isHalf ? most - 1 : most);
    }

    /** Whether a character can be seen and does nothing else; a space is one. */
    public static boolean isVisible(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }

    private static String shown(String text, boolean severalLines) {
        if (staysWhole(text, severalLines)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> {
            if (stays(point, severalLines)) {
                shown.appendCodePoint(point);
            } else {
                for (char unit : Character.toChars(point)) {
                    shown.append(String.format("\\u%04x", (int) unit));
                }
            }
        });
        return shown.toString();
    }

    private static boolean staysWhole(String text, boolean severalLines) {
        int point;
        for (int at = 0; at < text.length(); at += Character.charCount(point)) {
            point = text.codePointAt(at);
            if (!stays(point, severalLines)) {
                return false;
            }
        }
        return true;
    }

    private static boolean stays(int point, boolean severalLines) {
        // Most are of these, and looking a type up takes longer than all else that is done here.
        boolean isPlain = point >= ' ' && point <= '~';
        return isPlain || isVisible(point) || (severalLines && (point == '\n' || point == '\t'));
    }
}
