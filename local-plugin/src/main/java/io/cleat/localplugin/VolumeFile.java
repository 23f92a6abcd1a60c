package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The text of the file that describes a volume: a line with the format's version, one line of words
 * per fact, and a checksum of all before it. Words are percent-encoded, so any text can be one.
 *
 * <p>Every version ever written is read for ever (src/test/resources/history).
 */
final class VolumeFile {
    static final int VERSION = 1;

    private static final String TITLE = "cleat local volume ";
    private static final String PLAIN = "._:/,=+@-";

    private VolumeFile() {}

    static byte[] write(Volume volume) {
        List<String> lines = new ArrayList<>();
        lines.add(TITLE + VERSION);
        lines.add(line("id", volume.id()));
        lines.add(line("name", volume.name()));
        lines.add(line("type", volume.type().word()));
        lines.add(line("bytes", Long.toString(volume.bytes())));
        lines.add(line("order", Long.toString(volume.order())));
        for (Volume.Attachment a : volume.attachments()) {
            lines.add(line("attachment", a.node(), a.mode().name(), access(a.readOnly())));
        }
        for (Volume.Staging s : volume.stagings()) {
            List<String> words = new ArrayList<>(List.of("staging", s.node(), s.path()));
            words.addAll(s.flags());
            lines.add(line(words.toArray(new String[0])));
        }
        for (Volume.Publication p : volume.publications()) {
            lines.add(
                    line("publication", p.node(), p.path(), p.mode().name(), access(p.readOnly())));
        }
        String body = String.join("\n", lines) + "\n";
        return (body + "end " + checksum(body) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * @param where the file, for messages
     * @throws DiskTrouble when the text is torn, is no volume, or is of a newer version
     */
    static Volume read(byte[] bytes, String where) throws DiskTrouble {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int version = version(text, where);
        if (version > VERSION) {
            throw unreadable(
                    where
                            + " has format version "
                            + version
                            + ", and this program reads up to "
                            + VERSION
                            + "; start the newer program that wrote it");
        }
        int end = text.lastIndexOf("end ");
        if (end < 1
                || !text.substring(end).equals("end " + checksum(text.substring(0, end)) + "\n")) {
            throw unreadable(where + " is torn or was changed: its checksum does not fit");
        }
        Reading reading = new Reading();
        for (String line : text.substring(text.indexOf('\n') + 1, end).split("\n", -1)) {
            if (!line.isEmpty()) {
                reading.take(words(line), where);
            }
        }
        return reading.volume(where);
    }

    private static int version(String text, String where) throws DiskTrouble {
        int end = text.indexOf('\n');
        if (end < 0 || !text.startsWith(TITLE)) {
            throw unreadable(where + " is torn or no volume's file: its first line is not a title");
        }
        try {
            return Integer.parseInt(text.substring(TITLE.length(), end));
        } catch (NumberFormatException notANumber) {
            throw unreadable(where + " names no format version");
        }
    }

    /** The facts read so far. */
    private static final class Reading {
        private String id = "";
        private String name = "";
        private String type = "";
        private long bytes;
        private long order;
        private final List<Volume.Attachment> attachments = new ArrayList<>();
        private final List<Volume.Staging> stagings = new ArrayList<>();
        private final List<Volume.Publication> publications = new ArrayList<>();

        void take(List<String> words, String where) throws DiskTrouble {
            try {
                switch (words.get(0)) {
                    case "id" -> id = words.get(1);
                    case "name" -> name = words.get(1);
                    case "type" -> type = words.get(1);
                    case "bytes" -> bytes = Long.parseLong(words.get(1));
                    case "order" -> order = Long.parseLong(words.get(1));
                    case "attachment" ->
                            attachments.add(
                                    new Volume.Attachment(
                                            words.get(1),
                                            Mode.valueOf(words.get(2)),
                                            isReadOnly(words.get(3))));
                    case "staging" ->
                            stagings.add(
                                    new Volume.Staging(
                                            words.get(1),
                                            words.get(2),
                                            words.subList(3, words.size())));
                    case "publication" ->
                            publications.add(
                                    new Volume.Publication(
                                            words.get(1),
                                            words.get(2),
                                            Mode.valueOf(words.get(3)),
                                            isReadOnly(words.get(4))));
                    default -> throw unreadable(where + " has an unknown fact " + words.get(0));
                }
            } catch (IllegalArgumentException | IndexOutOfBoundsException wrong) {
                throw unreadable(where + " has an unreadable line: " + words);
            }
        }

        Volume volume(String where) throws DiskTrouble {
            VolumeType kind =
                    VolumeType.of(type)
                            .orElseThrow(() -> unreadable(where + " has no known type: " + type));
            if (id.isEmpty() || name.isEmpty()) {
                throw unreadable(where + " names no id or no name");
            }
            return new Volume(id, name, kind, bytes, order, attachments, stagings, publications);
        }
    }

    private static String access(boolean readOnly) {
        return readOnly ? "ro" : "rw";
    }

    private static boolean isReadOnly(String access) {
        return switch (access) {
            case "ro" -> true;
            case "rw" -> false;
            default -> throw new IllegalArgumentException(access);
        };
    }

    private static String line(String... words) {
        StringBuilder line = new StringBuilder();
        for (String word : words) {
            line.append(line.isEmpty() ? "" : " ").append(encode(word));
        }
        return line.toString();
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

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        for (String word : line.split(" ", -1)) {
            words.add(decode(word));
        }
        return words;
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

    private static DiskTrouble unreadable(String message) {
        return new DiskTrouble(message, Effect.NONE, Retry.NEVER);
    }
}
