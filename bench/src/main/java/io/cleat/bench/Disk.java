package io.cleat.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** What the disk does by itself. */
public final class Disk {
    private Disk() {}

    /**
     * Serial appends of 1 KiB, each flushed, into a file whose space was written before, as the log's is.
     *
     * @return flushes per second
     */
    public static double flushesPerSecond(Path directory, Duration span) throws IOException {
        Path file = directory.resolve("flushes");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer space = ByteBuffer.allocateDirect(1 << 20);
            for (int i = 0; i < 64; i++) {
                channel.write(space.rewind());
            }
            channel.force(true);
            ByteBuffer record = ByteBuffer.allocateDirect(1024);
            long begin = System.nanoTime();
            long end = begin + span.toNanos();
            long count = 0;
            while (System.nanoTime() < end) {
                channel.write(record.rewind(), (count * 1024) % (64L << 20));
                channel.force(false);
                count++;
            }
            return count * 1e9 / (System.nanoTime() - begin);
        }
    }

    /** One file written from its beginning to its end, and flushed once. */
    public static double bytesPerSecond(Path file, long size) throws IOException {
        ByteBuffer part = ByteBuffer.allocateDirect(1 << 16);
        long begin = System.nanoTime();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (long written = 0; written < size; ) {
                written += channel.write(part.rewind());
            }
            channel.force(true);
        }
        return size * 1e9 / (System.nanoTime() - begin);
    }
}
