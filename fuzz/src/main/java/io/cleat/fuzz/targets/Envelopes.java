package io.cleat.fuzz.targets;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Damage behind a checksum that fits: what a program with a bug, or a person with the file, may write. */
final class Envelopes {
    private static final int HEADER = 4 + 2 + 4 + 4;

    private Envelopes() {}

    /** The bytes with the checksum and length of an envelope of {@code RecordCodec}. */
    static byte[] fitting(byte[] envelope) {
        if (envelope.length < HEADER) {
            return envelope;
        }
        byte[] made = envelope.clone();
        CRC32C sum = new CRC32C();
        sum.update(made, 4, 2);
        sum.update(made, HEADER, made.length - HEADER);
        ByteBuffer.wrap(made).putInt(6, (int) sum.getValue()).putInt(10, made.length - HEADER);
        return made;
    }

    /** The bytes with a last four that are the sum of those before them, as of a log entry. */
    static byte[] summed(byte[] entry) {
        if (entry.length < Integer.BYTES) {
            return entry;
        }
        byte[] made = entry.clone();
        CRC32C sum = new CRC32C();
        sum.update(made, 0, made.length - Integer.BYTES);
        ByteBuffer.wrap(made).putInt(made.length - Integer.BYTES, (int) sum.getValue());
        return made;
    }
}
