package io.cleat.codec;

import io.cleat.base.InputLimits;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.exc.StreamWriteException;

/**
 * How large the parts of a record may be, the same when it is written and when it is read: what was written is read
 * back. They lie above {@link InputLimits}, because a record holds what came in and something around it, and no lower
 * than those of older programs, whose records stay readable.
 */
final class Limits {
    /** Characters of a key of a map; an older program wrote so many. */
    static final int NAME_CHARS = Math.max(50_000, InputLimits.NAME_CHARS);

    /** Characters of a text. */
    static final int TEXT_CHARS = 64 * InputLimits.TEXT_CHARS;

    /** Lists and objects inside each other. */
    static final int DEPTH = 5 * InputLimits.DEPTH;

    /** Digits of a number. */
    static final int NUMBER_DIGITS = 10 * InputLimits.NUMBER_DIGITS;

    /** The reader counts the bytes of names, of which a character has at most three. */
    private static final int BYTES_PER_CHAR = 3;

    private static final int NOTABLE_CHARS = 80;

    private Limits() {}

    static StreamReadConstraints read() {
        return StreamReadConstraints.builder()
                .maxNameLength(BYTES_PER_CHAR * NAME_CHARS)
                .maxStringLength(TEXT_CHARS)
                .maxNestingDepth(DEPTH)
                .maxNumberLength(NUMBER_DIGITS)
                .build();
    }

    static StreamWriteConstraints write() {
        return StreamWriteConstraints.builder().maxNestingDepth(DEPTH).build();
    }

    static void checkName(String name, JsonGenerator to) {
        check("a name", name, NAME_CHARS, to);
    }

    static void checkText(String text, JsonGenerator to) {
        check("a text", text, TEXT_CHARS, to);
    }

    /** Whether a name can stand in a message as it is. */
    static boolean isNotable(String name) {
        return name.length() <= NOTABLE_CHARS && name.chars().noneMatch(c -> Character.isISOControl(c) || c > '~');
    }

    private static void check(String what, String text, int most, JsonGenerator to) {
        int length = text.length();
        if (length > most) {
            throw new StreamWriteException(
                    to, what + " of " + length + " characters, where at most " + most + " are read");
        }
        for (int i = 0; i < length; i++) {
            char unit = text.charAt(i);
            if (Character.isSurrogate(unit)) {
                if (!Character.isHighSurrogate(unit)
                        || i + 1 == length
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    throw new StreamWriteException(
                            to,
                            what
                                    + " with half a character, U+"
                                    + Integer.toHexString(unit)
                                    + " at place "
                                    + i
                                    + ", which is no Unicode");
                }
                i++;
            }
        }
    }
}
