package io.cleat.codec;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;

/**
 * One format: values of {@code T} (a record, or a sealed interface of records) to bytes and back.
 *
 * <p>An envelope is: the format's name in 4 ASCII letters, its version in 2 bytes, the CRC-32C of version and payload
 * in 4 bytes, the payload's length in 4 bytes, the payload in CBOR. Numbers are big-endian. A record is a map of its
 * components by name; a record of a sealed interface carries its simple name as {@code @}. Renaming either changes the
 * format: a new version, and a sample of the old one that stays readable.
 *
 * <p>Immutable; used by any thread.
 */
public final class RecordCodec<T> {
    private static final int HEADER = 4 + 2 + 4 + 4;

    private static final int LONGEST_PLACE = 120;

    private final String name;
    private final int version;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    private RecordCodec(String name, int version, Class<T> type, ObjectMapper mapper) {
        if (name.length() != 4 || version < 1 || version > 0xffff) {
            throw new InvariantBroken("a format has four letters and a version from 1", name + " " + version);
        }
        this.name = name;
        this.version = version;
        this.reader = mapper.readerFor(type);
        this.writer = mapper.writerFor(type);
    }

    /**
     * A format for what is stored. It refuses to write a {@link io.cleat.base.Secret}: secrets are encrypted before
     * they are stored.
     */
    public static <T> RecordCodec<T> stored(String name, int version, Class<T> type) {
        return new RecordCodec<>(name, version, type, Mappers.withoutSecrets());
    }

    /** A format for what is sent over a connection that only its two ends can read; writes secrets. */
    public static <T> RecordCodec<T> sent(String name, int version, Class<T> type) {
        return new RecordCodec<>(name, version, type, Mappers.withSecrets());
    }

    public int version() {
        return version;
    }

    /**
     * The value in its envelope.
     *
     * @throws Refused if it holds what could not be read back: half a character, a name, a text or a depth beyond
     *     {@link Limits}
     */
    public byte[] encode(T value) throws Refused {
        return encode(value, version);
    }

    /**
     * The value as a program wrote it that knew the formats of a feature level: at level 1 in version 1, and so on.
     *
     * @param level from 1; from this format's version on, this is {@link #encode(Object)}
     * @throws Refused {@link Refusal.Conflict} if the value holds what is {@link io.cleat.base.Since} a later level;
     *     else as {@link #encode(Object)}
     */
    public byte[] encode(T value, int level) throws Refused {
        int written = Math.min(level, version);
        return encode(
                value,
                written,
                written == version ? writer : Levels.at(new Levels.Reader(written, Integer.MAX_VALUE, false), writer));
    }

    /**
     * The value for the other end of a connection: components that it does not know are left out.
     *
     * @param wire the version of this format that the other end reads
     * @param level the feature level of the program that first had that version
     * @throws Refused {@link Refusal.Conflict} if it is of a kind, or holds a word, that is {@link io.cleat.base.Since}
     *     a later version; else as {@link #encode(Object)}
     */
    public byte[] encodeFor(T value, int wire, int level) throws Refused {
        return wire >= version
                ? encode(value)
                : encode(value, wire, Levels.at(new Levels.Reader(level, wire, true), writer));
    }

    private byte[] encode(T value, int written, ObjectWriter to) throws Refused {
        byte[] payload;
        try {
            payload = to.writeValueAsBytes(value);
        } catch (JacksonException e) {
            if (e.getCause() instanceof Levels.Newer newer) {
                throw new Refused(new Refusal.Conflict(String.valueOf(newer.getMessage())));
            }
            if (e.getCause() instanceof InvariantBroken broken) {
                throw broken;
            }
            throw new Refused(new Refusal.Invalid("this cannot be kept as a record of the format '"
                    + name
                    + "', because it could not be read back: "
                    + place(e)
                    + "; give it without that"));
        }
        return ByteBuffer.allocate(HEADER + payload.length)
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .putShort((short) written)
                .putInt(checksum(written, payload))
                .putInt(payload.length)
                .put(payload)
                .array();
    }

    /**
     * As {@link #encode}, for a file that keeps its old content if this one cannot be written.
     *
     * @throws DiskTrouble without effect, where {@code encode} refuses
     */
    public byte[] encodeForFile(T value) throws DiskTrouble {
        try {
            return encode(value);
        } catch (Refused refused) {
            throw new DiskTrouble(refused.refusal().message(), Effect.NONE, Retry.NEVER, refused);
        }
    }

    /** What is wrong, and the components that lead there, without any values. */
    private static String place(JacksonException e) {
        String what = e.getOriginalMessage();
        if (e.getPath().isEmpty()) {
            return what;
        }
        StringBuilder place = new StringBuilder();
        for (JacksonException.Reference step : e.getPath()) {
            if (place.length() > LONGEST_PLACE) {
                return what + ", below " + place;
            }
            if (step.getPropertyName() == null) {
                place.append('[').append(step.getIndex()).append(']');
            } else {
                place.append(place.isEmpty() ? "" : ".").append(shown(step.getPropertyName()));
            }
        }
        return what + ", at " + place;
    }

    private static String shown(String name) {
        return Limits.isNotable(name) ? name : "(a name of " + name.length() + " characters)";
    }

    /**
     * Reads an envelope. Lengths are believed only as far as there are bytes.
     *
     * @throws DiskTrouble if it is of another format, of a newer version, torn, or damaged
     */
    public T decode(byte[] bytes) throws DiskTrouble {
        ByteBuffer envelope = ByteBuffer.wrap(bytes);
        if (bytes.length < HEADER) {
            throw unreadable("only " + bytes.length + " bytes, a header has " + HEADER);
        }
        byte[] magic = new byte[4];
        envelope.get(magic);
        String found = new String(magic, StandardCharsets.US_ASCII);
        if (!found.equals(name)) {
            throw unreadable("at byte 0 it says it is of the format '" + printable(found) + "'");
        }
        int foundVersion = envelope.getShort() & 0xffff;
        int crc = envelope.getInt();
        int length = envelope.getInt();
        if (length != envelope.remaining()) {
            throw unreadable("its header promises "
                    + length
                    + " bytes, there are "
                    + envelope.remaining()
                    + (length >= 0 && length < envelope.remaining()
                            ? "; what it knows nothing of begins at byte " + (HEADER + length)
                            : "; it ends at byte " + bytes.length));
        }
        byte[] payload = payload(bytes);
        if (checksum(foundVersion, payload) != crc) {
            throw unreadable("its checksum does not fit its bytes, of which any from byte 4 on may be wrong");
        }
        // Not before: a damaged version is no newer one.
        if (foundVersion > version) {
            throw unreadable("it has version "
                    + foundVersion
                    + ", this program reads up to "
                    + version
                    + "; use the program that wrote it, or a newer one");
        }
        T value;
        try {
            value = reader.readValue(payload);
        } catch (JacksonException e) {
            throw unreadable(e.getOriginalMessage() + at(e));
        } catch (RuntimeException | StackOverflowError e) {
            // Bytes that nobody here wrote, and a library that did not expect them.
            throw unreadable(e.toString());
        }
        if (value == null) {
            throw unreadable("it holds nothing");
        }
        return value;
    }

    /**
     * Reads the one record that a file holds.
     *
     * @param wayOn what its loss means and what a person can do about it, in sentences
     * @throws DiskTrouble naming the file, where {@link #decode} would throw, or if it cannot be read
     */
    public T decodeFile(Path file, String wayOn) throws DiskTrouble {
        try {
            return decode(Files.readAllBytes(file));
        } catch (IOException failed) {
            throw new DiskTrouble("cannot read " + file + ": " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        } catch (DiskTrouble unreadable) {
            throw new DiskTrouble(
                    file + " cannot be used: " + unreadable.reason() + ". " + wayOn,
                    Effect.NONE,
                    Retry.NEVER,
                    unreadable);
        }
    }

    /**
     * Whether bytes that cannot be read are a record of this format as a newer program writes it: then nothing is wrong
     * with them.
     */
    public boolean isNewer(byte[] bytes) {
        if (bytes.length < HEADER || !Arrays.equals(bytes, 0, 4, name.getBytes(StandardCharsets.US_ASCII), 0, 4)) {
            return false;
        }
        ByteBuffer envelope = ByteBuffer.wrap(bytes);
        int found = envelope.getShort(4) & 0xffff;
        return found > version
                && envelope.getInt(10) == bytes.length - HEADER
                && envelope.getInt(6) == checksum(found, payload(bytes));
    }

    /** Where in the file a payload cannot be read, as far as that is known. */
    private static String at(JacksonException e) {
        long offset = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
        return offset < 0 ? "" : ", at byte " + (HEADER + offset);
    }

    /** Words go to terminals. */
    private static String printable(String found) {
        StringBuilder text = new StringBuilder();
        for (char letter : found.toCharArray()) {
            text.append(letter > ' ' && letter < 0x7f ? letter : '.');
        }
        return text.toString();
    }

    private static byte[] payload(byte[] bytes) {
        return Arrays.copyOfRange(bytes, HEADER, bytes.length);
    }

    private static int checksum(int version, byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(version >>> 8);
        crc.update(version);
        crc.update(payload);
        return (int) crc.getValue();
    }

    private DiskTrouble unreadable(String why) {
        return new DiskTrouble("cannot read a record of the format '" + name + "': " + why, Effect.NONE, Retry.NEVER);
    }
}
