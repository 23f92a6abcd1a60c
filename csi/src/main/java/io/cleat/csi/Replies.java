package io.cleat.csi;

import com.google.protobuf.Message;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Checks of what plugins answer. The limits are wider than the specification's 128 bytes for a text and 4 KiB for a
 * map, since drivers in wide use exceed them, and narrow enough that no reply can fill our log or our memory.
 */
final class Replies {
    static final int MOST_TEXT = 1_024;
    static final int MOST_MAP = 64 << 10;
    static final int MOST_TOKEN = 4_096;
    static final int MOST_MESSAGE = 4_096;

    private Replies() {}

    /** A text that must be there, short enough and printable. */
    static String id(String field, String value) throws BadReply {
        if (value.isEmpty()) {
            throw new BadReply("has no " + field);
        }
        return text(field, value, MOST_TEXT);
    }

    /** A text that may be empty. */
    static String text(String field, String value, int most) throws BadReply {
        int size = value.getBytes(StandardCharsets.UTF_8).length;
        if (size > most) {
            throw new BadReply("has a " + field + " of " + size + " bytes, expected at most " + most);
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new BadReply("has a " + field + " with control characters");
        }
        return value;
    }

    static SortedMap<String, String> map(String field, Map<String, String> values) throws BadReply {
        long size = 0;
        for (Map.Entry<String, String> entry : values.entrySet()) {
            size += entry.getKey().length() + entry.getValue().length();
            if (entry.getKey().isEmpty()) {
                throw new BadReply("has a " + field + " with an empty key");
            }
        }
        if (size > MOST_MAP) {
            throw new BadReply("has a " + field + " of " + size + " characters, expected at most " + MOST_MAP);
        }
        return new TreeMap<>(values);
    }

    static long size(String field, long value) throws BadReply {
        if (value < 0) {
            throw new BadReply("has " + field + " " + value + ", expected 0 or more");
        }
        return value;
    }

    /** The token of the next page; a plugin that answers with the one it was asked with never ends. */
    static String nextToken(String next, String from) throws BadReply {
        text("next_token", next, MOST_TOKEN);
        if (!next.isEmpty() && next.equals(from)) {
            throw new BadReply("has the token it was asked with as its next: an endless list");
        }
        return next;
    }

    static OptionalLong optional(boolean present, String field, long value) throws BadReply {
        return present ? OptionalLong.of(size(field, value)) : OptionalLong.empty();
    }

    /** For replies that hold nothing: whatever a newer plugin puts there is left alone. */
    static Removal nothing(Message reply) {
        return Removal.DONE;
    }
}
