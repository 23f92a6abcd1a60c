package io.cleat.testkit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * Bytes that were something once: changed, cut, torn, or made to promise more than there is. The same seed makes the
 * same damage.
 */
public final class HostileBytes {
    private static final int HEADER = 14;

    /** Beginnings of values in CBOR that promise much: texts, bytes, lists, maps, big numbers. */
    private static final List<byte[]> PROMISES = List.of(
            new byte[] {0x7a, 0x7f, -1, -1, -1},
            new byte[] {0x7b, 0x7f, -1, -1, -1, -1, -1, -1, -1},
            new byte[] {0x5a, 0x7f, -1, -1, -1},
            new byte[] {0x5b, 0x7f, -1, -1, -1, -1, -1, -1, -1},
            new byte[] {(byte) 0x9a, 0x7f, -1, -1, -1},
            new byte[] {(byte) 0xba, 0x7f, -1, -1, -1},
            new byte[] {(byte) 0xc2, 0x5a, 0x3f, -1, -1, -1},
            new byte[] {(byte) 0xc4, (byte) 0x82, 0x1a, 0x7f, -1, -1, -1, 0x01},
            new byte[] {(byte) 0x7f},
            new byte[] {(byte) 0x9f},
            new byte[] {(byte) 0xbf},
            new byte[] {(byte) 0xff},
            new byte[] {(byte) 0xf6},
            new byte[] {(byte) 0xd9, (byte) 0xd9, (byte) 0xf7});

    private final Random random;

    public HostileBytes(long seed) {
        this.random = new Random(seed * 0x9e3779b97f4a7c15L);
    }

    /** Damaged bytes, of about the same length. */
    public byte[] damaged(byte[] good) {
        byte[] bytes = good.clone();
        int times = 1 + random.nextInt(4);
        for (int i = 0; i < times; i++) {
            bytes = once(bytes);
        }
        return bytes;
    }

    /** As {@link #damaged}, inside an envelope of a record, whose sum and length are made to fit. */
    public byte[] resealed(byte[] envelope) {
        byte[] payload = damaged(Arrays.copyOfRange(envelope, HEADER, envelope.length));
        return sealed(envelope, payload);
    }

    /** The envelope around other bytes. */
    public static byte[] sealed(byte[] envelope, byte[] payload) {
        CRC32C sum = new CRC32C();
        sum.update(envelope, 4, 2);
        sum.update(payload);
        return ByteBuffer.allocate(HEADER + payload.length)
                .put(envelope, 0, 6)
                .putInt((int) sum.getValue())
                .putInt(payload.length)
                .put(payload)
                .array();
    }

    private byte[] once(byte[] bytes) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(bytes.length);
        return switch (random.nextInt(8)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> placed(bytes, at, PROMISES.get(random.nextInt(PROMISES.size())));
            case 2 -> spliced(bytes, at, PROMISES.get(random.nextInt(PROMISES.size())));
            case 3 -> spliced(bytes, at, filled((byte) 0x81, 1 + random.nextInt(20_000)));
            case 4 -> spliced(bytes, at, random(1 + random.nextInt(64)));
            case 5 -> spliced(bytes, at, Arrays.copyOfRange(bytes, at, bytes.length));
            default -> {
                bytes[at] = (byte) random.nextInt();
                yield bytes;
            }
        };
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] filled(byte with, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, with);
        return bytes;
    }

    private static byte[] placed(byte[] bytes, int at, byte[] over) {
        System.arraycopy(over, 0, bytes, at, Math.min(over.length, bytes.length - at));
        return bytes;
    }

    private static byte[] spliced(byte[] bytes, int at, byte[] in) {
        byte[] more = new byte[bytes.length + in.length];
        System.arraycopy(bytes, 0, more, 0, at);
        System.arraycopy(in, 0, more, at, in.length);
        System.arraycopy(bytes, at, more, at + in.length, bytes.length - at);
        return more;
    }
}
