package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The form of the pool's files: a line with the kind of file and its version, one line of words per
 * fact, and a checksum of all before it. Words are percent-encoded, so any text can be one.
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
            text.append(String.join(" ", fact.stream().map(Facts::encode).toList())).append('\n');
        }
        return (text + "end " + checksum(text.toString()) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Takes the facts of a file.
     *
     * @param where the file, for messages
     * @throws DiskTrouble when it is torn, of another kind, or of a newer version
     */
    Facts read(byte[] bytes, String where) throws DiskTrouble {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int found = version(text, where);
        if (found > version) {
            throw unreadable(
                    where
                            + " has format version "
                            + found
                            + ", and this program reads up to "
                            + version
                            + "; start the newer program that wrote it");
        }
        int end = text.lastIndexOf("end ");
        if (end < 1
                || !text.substring(end).equals("end " + checksum(text.substring(0, end)) + "\n")) {
            throw unreadable(where + " is torn or was changed: its checksum does not fit");
        }
        for (String line : text.substring(text.indexOf('\n') + 1, end).split("\n", -1)) {
            if (!line.isEmpty()) {
                facts.add(Arrays.stream(line.split(" ", -1)).map(Facts::decode).toList());
            }
        }
        return this;
    }

    private int version(String text, String where) throws DiskTrouble {
        int end = text.indexOf('\n');
        if (end < 0 || !text.startsWith(title)) {
            throw unreadable(
                    where + " is torn or something else: it does not begin with '" + title + "'");
        }
        try {
            return Integer.parseInt(text.substring(title.length(), end));
        } catch (NumberFormatException notANumber) {
            throw unreadable(where + " names no format version");
        }
    }

    /** A word in characters that file names can have too; never empty unless {@code word} is. */
    static String encode(String word) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : word.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain =
                    (c >= '0' && c <= '9')
                            || (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || PLAIN.indexOf(c) >= 0;
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

    static DiskTrouble unreadable(String message) {
        return new DiskTrouble(message, Effect.NONE, Retry.NEVER);
    }
}
