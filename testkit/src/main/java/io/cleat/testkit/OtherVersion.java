package io.cleat.testkit;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Records as a program of another age would have written them. */
public final class OtherVersion {
    private static final int VERSION = 4;
    private static final int CHECKSUM = 6;
    private static final int LENGTH = 10;
    private static final int PAYLOAD = 14;

    private OtherVersion() {}

    /** The bytes, with another version in the first envelope from {@code at} on, whole and with its checksum. */
    public static byte[] of(byte[] bytes, int at, int version) {
        byte[] other = bytes.clone();
        ByteBuffer envelope = ByteBuffer.wrap(other, at, other.length - at).slice();
        envelope.putShort(VERSION, (short) version);
        CRC32C crc = new CRC32C();
        crc.update(other, at + VERSION, 2);
        crc.update(other, at + PAYLOAD, envelope.getInt(LENGTH));
        envelope.putInt(CHECKSUM, (int) crc.getValue());
        return other;
    }
}
