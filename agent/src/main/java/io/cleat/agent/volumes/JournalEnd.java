package io.cleat.agent.volumes;

import io.cleat.base.DiskTrouble;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What stands behind the last whole batch of the journal's file: a write that was cut short, which nobody was told of,
 * or what was changed since it was written, which may have been acted upon.
 *
 * <p>A write that is cut short leaves a file that ends before it, or sectors of zeros in it. What has neither was
 * written to its end. A few changes cannot be told from a torn write, such as one that makes a file shorter: what is
 * taken for torn is therefore kept.
 */
final class JournalEnd {
    /** Name, version, checksum, length: see {@link io.cleat.codec.RecordCodec}. */
    static final int ENVELOPE = 4 + 2 + 4 + 4;

    /** What a disk writes whole or not at all, in bytes. */
    private static final int SECTOR = 512;

    private static final byte[] NAME = "vjrn".getBytes(StandardCharsets.US_ASCII);

    private JournalEnd() {}

    /** Whether the bytes from {@code at} on, which are no whole batch, are one that was cut short. */
    static boolean isTorn(byte[] bytes, int at) {
        if (hasUnwritten(bytes, at)) {
            return true;
        }
        int name = Math.min(NAME.length, bytes.length - at);
        if (!Arrays.equals(bytes, at, at + name, NAME, 0, name)) {
            return false;
        }
        int left = bytes.length - at - ENVELOPE;
        if (left < 0) {
            return true;
        }
        int length = ByteBuffer.wrap(bytes).getInt(at + ENVELOPE - Integer.BYTES);
        return length > left && !isWholeButItsLength(bytes, at);
    }

    /** No batch ends in a zero: the last byte of its map is an end mark. */
    private static boolean hasUnwritten(byte[] bytes, int at) {
        if (bytes[bytes.length - 1] == 0) {
            return true;
        }
        for (int sector = at / SECTOR * SECTOR; sector < bytes.length; sector += SECTOR) {
            if (isZero(bytes, Math.max(at, sector), Math.min(bytes.length, sector + SECTOR))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isZero(byte[] bytes, int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes[at] != 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWholeButItsLength(byte[] bytes, int at) {
        byte[] batch = Arrays.copyOfRange(bytes, at, bytes.length);
        ByteBuffer.wrap(batch).putInt(ENVELOPE - Integer.BYTES, batch.length - ENVELOPE);
        try {
            JournalFile.BATCH.decode(batch);
            return true;
        } catch (DiskTrouble unreadable) {
            return false;
        }
    }
}
