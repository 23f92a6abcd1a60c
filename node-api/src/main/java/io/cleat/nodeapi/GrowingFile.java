package io.cleat.nodeapi;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import io.cleat.http.FileQuery;
import io.cleat.http.PieceReader;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.FileReads;
import io.cleat.kernel.Place;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One file of an allocation, followed where that is asked for. Owned by one thread. */
final class GrowingFile implements PieceReader {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofMillis(200);

    private final FileReads reads;
    private final Place place;
    private final FileQuery query;
    private final Time time;
    private final long inode;
    private long position;
    private long left;
    private @Nullable Step ready;
    private boolean over;

    GrowingFile(FileReads reads, Place place, FileLook found, FileQuery query, Time time) {
        this.reads = reads;
        this.place = place;
        this.query = query;
        this.time = time;
        this.inode = found.inode();
        this.position = query.fromEnd() ? Math.max(0, found.size() - query.offset()) : query.offset();
        this.left = query.most();
    }

    /** Reads the first piece, which {@link #next} then gives. */
    void begin() throws KernelTrouble, InterruptedException {
        ready = read();
    }

    @Override
    public Step next(Duration wait) throws KernelTrouble, InterruptedException {
        Deadline deadline = Deadline.in(time, wait);
        while (true) {
            Step step = ready == null ? look() : ready;
            ready = null;
            if (step != null) {
                return step;
            }
            if (over || !query.follow()) {
                return new End();
            }
            if (deadline.isExpired()) {
                return new Quiet();
            }
            time.sleep(deadline.atMost(LOOK_EVERY).left());
        }
    }

    /** Null if there is nothing new. */
    private @Nullable Step look() throws KernelTrouble, InterruptedException {
        if (over || left == 0) {
            return null;
        }
        if (!query.follow()) {
            return read();
        }
        Optional<FileLook> now = reads.look(place, soon());
        // Another file of that name is not the one that is followed.
        if (now.isEmpty() || now.get().inode() != inode) {
            over = true;
            return new Changed(query.path(), Changed.DELETED);
        }
        if (now.get().size() < position) {
            position = 0;
            return new Changed(query.path(), Changed.TRUNCATED);
        }
        return now.get().size() > position ? read() : null;
    }

    private @Nullable Step read() throws KernelTrouble, InterruptedException {
        if (position > Long.MAX_VALUE - FileReads.MOST) {
            // No file reaches there, and the kernel takes no such place.
            return null;
        }
        byte[] bytes = reads.read(place, position, (int) Math.min(FileReads.MOST, left), soon())
                .bytes();
        if (bytes.length == 0) {
            return null;
        }
        position += bytes.length;
        left -= bytes.length;
        return new Piece(bytes, query.path(), position);
    }

    private Deadline soon() {
        return Deadline.in(time, LIMIT);
    }

    /** Nothing is held between two pieces. */
    @Override
    public void close() {
        over = true;
    }
}
