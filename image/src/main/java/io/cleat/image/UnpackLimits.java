package io.cleat.image;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;

/**
 * What one image may take.
 *
 * @param time from the first byte read to the last file, in whole seconds
 * @param bytes of all files of the layers that are unpacked for it
 * @param entries of all those layers together: files, directories, links, and what they hide
 * @param ratio how many bytes may come from one byte of a layer, once it holds more than 16 MiB
 */
public record UnpackLimits(Duration time, long bytes, int entries, int ratio) {
    void write(DataOutputStream to) throws IOException {
        to.writeLong(time.toMillis());
        to.writeLong(bytes);
        to.writeInt(entries);
        to.writeInt(ratio);
    }

    static UnpackLimits read(DataInputStream from) throws IOException {
        return new UnpackLimits(Duration.ofMillis(from.readLong()), from.readLong(), from.readInt(), from.readInt());
    }

    /** 10 minutes, 20 GB, a million entries, 200 times as large. */
    public static UnpackLimits standard() {
        return new UnpackLimits(Duration.ofMinutes(10), 20_000_000_000L, 1_000_000, 200);
    }
}
