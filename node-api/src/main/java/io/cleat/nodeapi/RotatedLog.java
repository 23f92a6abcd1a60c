package io.cleat.nodeapi;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.http.PieceReader;
import io.cleat.kernel.LocalFiles;
import io.cleat.kernel.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A task's output in its rotated files {@code NAME.0}, {@code NAME.1} and so on, read as one text.
 *
 * <p>A task may own the directory they are in, so no link in it is followed.
 *
 * <p>Only the shim writes them, so that what an agent was not there to see is read like the rest. The shim ends a file
 * before it begins the next: a file is left only once the next one exists and nothing more was found in it since. A
 * file stays open while it is read, so that its rest is read though it was deleted meanwhile.
 */
final class RotatedLog implements PieceReader {
    private static final int PIECE = 64 * 1024;
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final Place directory;
    private final String name;
    private final boolean follow;
    private final BooleanSupplier isOver;
    private final Time time;
    private final ByteBuffer buffer = ByteBuffer.allocate(PIECE);
    private long index;
    private long position;
    private @Nullable FileChannel file;

    /**
     * @param name of the files, without their number
     * @param follow whether to wait for more at the end
     * @param isOver whether nothing more will be written, after which a followed output ends too
     */
    private RotatedLog(Place directory, String name, boolean follow, BooleanSupplier isOver, Time time) {
        this.directory = directory;
        this.name = name;
        this.follow = follow;
        this.isOver = isOver;
        this.time = time;
    }

    /**
     * Opens the output at a place.
     *
     * @param offset bytes from the beginning of what is kept, or back from its end. Who follows from 0 before the end
     *     is sent the newest file from its beginning: so clients ask for what was just written
     */
    static RotatedLog open(
            Place directory,
            String name,
            long offset,
            boolean fromEnd,
            boolean follow,
            BooleanSupplier isOver,
            Time time)
            throws DiskTrouble {
        RotatedLog log = new RotatedLog(directory, name, follow, isOver, time);
        NavigableMap<Long, Long> sizes = log.sizes();
        long total = sizes.values().stream().mapToLong(Long::longValue).sum();
        long back =
                offset == 0 && follow && !sizes.isEmpty() ? sizes.lastEntry().getValue() : offset;
        log.seek(sizes, fromEnd ? Math.max(0, total - back) : offset);
        return log;
    }

    private void seek(NavigableMap<Long, Long> sizes, long offset) {
        long left = offset;
        for (var each : sizes.entrySet()) {
            index = each.getKey();
            position = Math.min(left, each.getValue());
            left -= each.getValue();
            if (left <= 0) {
                return;
            }
        }
    }

    @Override
    public Step next(Duration wait) throws DiskTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, wait);
        while (true) {
            // Asked before looking: what is written before the end is then surely seen.
            boolean ended = !follow || isOver.getAsBoolean();
            Step step = look();
            if (step != null) {
                return step;
            }
            if (ended) {
                return new End();
            }
            if (deadline.isExpired()) {
                return new Quiet();
            }
            time.sleep(deadline.atMost(LOOK_EVERY).left());
        }
    }

    /** What there is now; null if there is nothing new. */
    private @Nullable Piece look() throws DiskTrouble {
        try {
            Piece piece = read();
            while (piece == null) {
                Long after = sizes().higherKey(index);
                if (after == null) {
                    return null;
                }
                // The next file exists, so this one is complete now; it may have grown before that.
                piece = read();
                if (piece == null) {
                    close();
                    index = after;
                    position = 0;
                    piece = read();
                }
            }
            return piece;
        } catch (IOException e) {
            throw trouble(e);
        }
    }

    private @Nullable Piece read() throws IOException {
        FileChannel open = file();
        if (open == null) {
            return null;
        }
        buffer.clear();
        int read = open.read(buffer, position);
        if (read <= 0) {
            return null;
        }
        position += read;
        return new Piece(Arrays.copyOf(buffer.array(), read), "alloc/logs/" + name + "." + index, position);
    }

    private @Nullable FileChannel file() throws IOException {
        if (file == null) {
            try {
                file = LocalFiles.open(directory.child(name + "." + index));
            } catch (NoSuchFileException notYetOrRotatedAway) {
                return null;
            }
        }
        return file;
    }

    /** The files that are there, by number, with their sizes. */
    private NavigableMap<Long, Long> sizes() throws DiskTrouble {
        NavigableMap<Long, Long> sizes = new TreeMap<>();
        try {
            LocalFiles.sizes(directory).tailMap(name + ".", false).forEach((file, size) -> {
                if (file.startsWith(name + ".")
                        && file.substring(name.length() + 1).matches("\\d{1,18}")) {
                    sizes.put(Long.parseLong(file.substring(name.length() + 1)), size);
                }
            });
        } catch (NoSuchFileException notYet) {
            return sizes;
        } catch (IOException e) {
            throw trouble(e);
        }
        return sizes;
    }

    private DiskTrouble trouble(IOException e) {
        return new DiskTrouble(
                "reading the output " + name + " in " + directory + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
    }

    @Override
    public void close() {
        FileChannel open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException readOnly) {
                // Nothing was written through it, so nothing is lost.
                return;
            }
        }
    }
}
