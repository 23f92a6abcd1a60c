package io.cleat.kernel;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The ranges of a file that hold data, in order; what lies between them are holes, which read as zeros and take no room
 * (lseek(2), SEEK_DATA). A file system that does not know holds one range.
 */
public final class DataRanges implements AutoCloseable {
    private final Path file;
    private final int descriptor;

    private DataRanges(Path file, int descriptor) {
        this.file = file;
        this.descriptor = descriptor;
    }

    /** From {@code start} on, in bytes, and not at {@code end}. */
    public record Range(long start, long end) {
        public long length() {
            return end - start;
        }
    }

    public static DataRanges open(Path file) throws KernelTrouble {
        int descriptor = Libc.blocking(() -> Libc.open(file.toString(), Libc.O_RDONLY));
        if (descriptor < 0) {
            throw failed("opening " + file, descriptor);
        }
        return new DataRanges(file, descriptor);
    }

    /** The bytes of {@code file} that hold data: near to what it takes on its disk. */
    public static long bytes(Path file) throws KernelTrouble {
        long bytes = 0;
        try (DataRanges ranges = open(file)) {
            for (Optional<Range> range = ranges.from(0);
                    range.isPresent();
                    range = ranges.from(range.get().end())) {
                bytes += range.get().length();
            }
        }
        return bytes;
    }

    /** The first range, or the rest of one, at or after {@code position}. */
    public Optional<Range> from(long position) throws KernelTrouble {
        long start = Libc.lseek(descriptor, position, Libc.SEEK_DATA);
        if (start == -Errno.ENXIO) {
            return Optional.empty();
        }
        long end = start < 0 ? start : Libc.lseek(descriptor, start, Libc.SEEK_HOLE);
        if (end < 0) {
            throw failed("looking for holes in " + file, (int) end);
        }
        return Optional.of(new Range(start, end));
    }

    @Override
    public void close() {
        Libc.close(descriptor);
    }

    private static KernelTrouble failed(String what, int result) {
        return new KernelTrouble(what + " failed: " + Errno.text(-result), Effect.NONE, Retry.SAME_CALL);
    }
}
