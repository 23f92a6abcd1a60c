package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;

/** Extended headers of tar: lines {@code LENGTH KEY=VALUE} (POSIX pax). */
final class PaxRecords {
    static final String PATH = "path";
    static final String LINK = "linkpath";

    private static final int MOST_DIGITS = 8;
    private static final Pattern NUMBER = Pattern.compile("(-?[0-9]{1,18})(\\.[0-9]*)?");

    private PaxRecords() {}

    /** Adds the records that concern this program; a later one of the same key holds. */
    static void read(byte[] bytes, Map<String, String> into) throws ArtifactTrouble {
        int at = 0;
        while (at < bytes.length) {
            int space = at;
            int length = 0;
            while (space < bytes.length && bytes[space] >= '0' && bytes[space] <= '9') {
                if (space - at >= MOST_DIGITS) {
                    throw damaged();
                }
                length = length * 10 + (bytes[space] - '0');
                space++;
            }
            int end = at + length;
            if (space == at || space >= bytes.length || bytes[space] != ' ' || end > bytes.length || end <= space + 1) {
                throw damaged();
            }
            int equals = space + 1;
            while (equals < end && bytes[equals] != '=') {
                equals++;
            }
            if (equals == end || bytes[end - 1] != '\n') {
                throw damaged();
            }
            String key = new String(bytes, space + 1, equals - space - 1, StandardCharsets.ISO_8859_1);
            if (concerns(key)) {
                into.put(key, value(Arrays.copyOfRange(bytes, equals + 1, end - 1)));
            }
            at = end;
        }
    }

    /** The others are of no use here, and what they hold may be anything. */
    private static boolean concerns(String key) {
        return switch (key) {
            case PATH, LINK, "size", "uid", "gid", "mtime" -> true;
            default -> key.startsWith("GNU.sparse.");
        };
    }

    private static String value(byte[] bytes) throws ArtifactTrouble {
        for (byte each : bytes) {
            if (each == 0) {
                throw UnpackMeter.refused("an extended header of it has a NUL in a value");
            }
        }
        return TarHeader.text(bytes);
    }

    /**
     * A number, of which a fraction is cut off.
     *
     * @param otherwise if there is none
     */
    static long number(Map<String, String> records, String key, long otherwise) throws ArtifactTrouble {
        String text = records.get(key);
        if (text == null || text.isEmpty()) {
            return otherwise;
        }
        var number = NUMBER.matcher(text);
        if (!number.matches()) {
            throw damaged();
        }
        return Long.parseLong(number.group(1));
    }

    private static ArtifactTrouble damaged() {
        return UnpackMeter.refused("an extended header of it is damaged");
    }
}
