package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.VisibleText;
import java.util.HashMap;
import java.util.Map;

/**
 * What a shim wrote or answered: a first line with a word and a version, then lines of a key and a value. Keys that
 * this program does not know are passed over; of a key that comes twice the first holds. An answer may come from inside
 * of a container, and then be anything: whatever it is, it ends in values within their ranges or in
 * {@link KernelTrouble} of a few words.
 */
final class ShimText {
    private static final String REFUSED = "1 refused ";

    /** More of it is of no use to a reader. */
    private static final int MOST_WORDS = 1_000;

    private final String what;
    private final Map<String, String> values = new HashMap<>();

    private ShimText(String what) {
        this.what = what;
    }

    /**
     * Reads a file.
     *
     * @param what the word it begins with, such as {@code cleat-exit}
     * @param version the newest version that can be read
     */
    static ShimText file(String what, int version, String text) throws KernelTrouble {
        ShimText file = new ShimText(what);
        String[] lines = text.split("\n", -1);
        if (!lines[0].startsWith(what + " ")) {
            throw file.unreadable("it begins with " + quoted(lines[0]));
        }
        long found = file.number(lines[0].substring(what.length() + 1));
        if (found > version) {
            throw file.unreadable("it has version " + found + ", this program reads up to " + version);
        }
        file.fill(lines);
        return file;
    }

    /**
     * Reads an answer to a request, which begins with {@code 1 ok}.
     *
     * @throws KernelTrouble with no effect, in the shim's words, when it refused
     */
    static ShimText reply(String text) throws KernelTrouble {
        ShimText reply = new ShimText("answer");
        String[] lines = text.split("\n", -1);
        if (lines[0].startsWith(REFUSED)) {
            throw new KernelTrouble(
                    "the shim refused: " + VisibleText.cut(lines[0].substring(REFUSED.length()), MOST_WORDS),
                    Effect.NONE,
                    Retry.NEVER);
        }
        if (!lines[0].equals("1 ok")) {
            throw reply.unreadable("it begins with " + quoted(lines[0]));
        }
        reply.fill(lines);
        return reply;
    }

    private void fill(String[] lines) {
        for (int i = 1; i < lines.length; i++) {
            int space = lines[i].indexOf(' ');
            if (space > 0) {
                values.putIfAbsent(lines[i].substring(0, space), lines[i].substring(space + 1));
            }
        }
    }

    String word(String key) throws KernelTrouble {
        String value = values.get(key);
        if (value == null) {
            throw unreadable("it lacks '" + key + "'");
        }
        return value;
    }

    /** The kernel's boot that a record is of. */
    BootId boot() throws KernelTrouble {
        String value = word("boot");
        if (value.isBlank()) {
            throw unreadable("its boot id is empty");
        }
        return new BootId(value);
    }

    private String wordOr(String key, String absent) {
        return values.getOrDefault(key, absent);
    }

    /** A text that people read. */
    String wordsOr(String key, String absent) {
        return VisibleText.cut(wordOr(key, absent), MOST_WORDS);
    }

    /** A number from {@code least} to {@code most}. */
    long number(String key, int field, long least, long most) throws KernelTrouble {
        long number = number(key, field);
        if (number < least || number > most) {
            throw unreadable("'" + key + "' is " + number + ", expected " + least + " to " + most);
        }
        return number;
    }

    private long number(String key, int field) throws KernelTrouble {
        String[] fields = word(key).split(" ", -1);
        if (field >= fields.length) {
            throw unreadable("'" + key + "' is " + quoted(word(key)));
        }
        return number(fields[field]);
    }

    private long number(String digits) throws KernelTrouble {
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException malformed) {
            throw unreadable(quoted(digits) + " is no number");
        }
    }

    private static String quoted(String text) {
        return "'" + VisibleText.cut(text, 100) + "'";
    }

    private KernelTrouble unreadable(String why) {
        return new KernelTrouble("'" + what + "' cannot be read: " + why, Effect.NONE, Retry.NEVER);
    }
}
