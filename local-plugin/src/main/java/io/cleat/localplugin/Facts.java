package io.cleat.localplugin;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The form of the pool's files: a line with the kind of file and its version, one line of words per fact, and a
 * checksum of all before it. Words are percent-encoded, so any text can be one.
 */
final class Facts {
    private static final String PLAIN = "._:/,=+@-";

    private final String title;
    private final int version;
    private final List<List<String>> facts = new ArrayList<>();

    /**
     * @param kind such as {@code volume}
     * @param version the version that is written, and the newest that is read
     */
    Facts(String kind, int version) {
        this.title = "cleat local " + kind + " ";
        this.version = version;
    }

    Facts add(String fact, String... words) {
        List<String> line = new ArrayList<>(List.of(fact));
        line.addAll(Arrays.asList(words));
        facts.add(List.copyOf(line));
        return this;
    }

    /** Each fact's words, its own name first. */
    List<List<String>> all() {
        return List.copyOf(facts);
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder(title).append(version).append('\n');
        for (List<String> fact : facts) {
            text.append(String.join(" ", fact.stream().map(Facts::encode).toList()))
                    .append('\n');
        }
        return (text + "end " + checksum(text.toString()) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Takes the facts of a file.
     *
     * @param where the file, for messages
     * @throws RecordDamaged when it is torn, of another kind, or of a newer version
     */
    Facts read(byte[] bytes, String where) throws RecordDamaged {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int found = version(text, bytes.length, where);
        int end = text.lastIndexOf("\nend ") + 1;
        boolean isWhole = end > 0 && text.substring(end).equals("end " + checksum(text.substring(0, end)) + "\n");
        if (found > version) {
            throw unreadable(where
                    + " has format version "
                    + found
                    + ", and this program reads up to "
                    + version
                    + (isWhole
                            ? "; start the newer program that wrote it"
                            : "; start the newer program that wrote it, if one did: its"
                                    + " checksum does not fit, so it may be damaged"));
        }
        if (end == 0) {
            throw unreadable(where
                    + " is torn: it ends at byte "
                    + bytes.length
                    + " without its last line, which is 'end' and a checksum");
        }
        int lines = (int) text.chars().filter(c -> c == '\n').count();
        if (!isWhole) {
            throw unreadable(where
                    + " is torn or was changed: the checksum at its end does not fit its "
                    + lines
                    + " lines, "
                    + bytes.length
                    + " bytes");
        }
        int number = 1;
        for (String line : text.substring(text.indexOf('\n') + 1, end).split("\n", -1)) {
            number++;
            if (!line.isEmpty()) {
                facts.add(words(line, number, where));
            }
        }
        return this;
    }

    private static List<String> words(String line, int number, String where) throws RecordDamaged {
        try {
            return Arrays.stream(line.split(" ", -1)).map(Facts::decode).toList();
        } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
            throw unreadable(where + " has an unreadable line " + number + ": " + encode(line));
        }
    }

    private int version(String text, int length, String where) throws RecordDamaged {
        if (text.isEmpty()) {
            throw unreadable(where + " is empty");
        }
        int end = text.indexOf('\n');
        if (end < 0 || !text.startsWith(title)) {
            int same = 0;
            while (same < Math.min(text.length(), title.length()) && text.charAt(same) == title.charAt(same)) {
                same++;
            }
            throw unreadable(where
                    + " is torn or something else: it has "
                    + length
                    + " bytes, and from byte "
                    + same
                    + " on does not begin with '"
                    + title
                    + "'");
        }
        try {
            return Integer.parseInt(text.substring(title.length(), end));
        } catch (NumberFormatException notANumber) {
            throw unreadable(where + " names no format version in its first line");
        }
    }

    /** A word in characters that file names can have too; never empty unless {@code word} is. */
    static String encode(String word) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : word.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain =
                    (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || PLAIN.indexOf(c) >= 0;
            encoded.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return encoded.toString();
    }

    private static String decode(String word) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(word.length());
        for (int i = 0; i < word.length(); i++) {
            if (word.charAt(i) == '%') {
                bytes.write(HexFormat.fromHexDigits(word, i + 1, i + 3));
                i += 2;
            } else {
                bytes.write(word.charAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String checksum(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    static RecordDamaged unreadable(String message) {
        return new RecordDamaged(message);
    }
}
