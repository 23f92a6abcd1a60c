package io.cleat.log;

import io.cleat.base.Time;
import java.time.Duration;

/**
 * Says when a snapshot is due: after as many entries or bytes as the settings say, and earlier once the last one is a
 * while ago and a start would notice what was logged since. In each case not before a part of the last snapshot's own
 * size was logged: what is written of images has a bound by what is logged, however large they are.
 *
 * <p>Owned by the applying thread, but for {@link #written}.
 */
final class SnapshotPace {
    /** So many files of the log at a start make a snapshot due, however little they hold. */
    private static final int MOST_SEGMENTS = 64;

    /** For each byte of a snapshot, a part of one is logged before the next. */
    static final int PART = 4;

    /** What an entry takes at a start beside its bytes, in bytes. */
    static final int PER_ENTRY = 512;

    /** Between the beginnings of two snapshots; of a log that grows fast the settings decide. */
    static final Duration PAUSE = Duration.ofSeconds(2);

    private final LogSettings settings;
    private final Time time;
    private volatile long size;
    private boolean isCrowded;
    private int entries;
    private long bytes;
    private long begun;

    SnapshotPace(LogSettings settings, Time time) {
        this.settings = settings;
        this.time = time;
        this.begun = time.nanos();
    }

    /**
     * The log has been opened. Each opening begins another file of it, which only a snapshot lets go: a server that is
     * restarted often, and has little to do, would keep them all.
     *
     * @param segments how many files of it there are
     * @param snapshot the size of the newest snapshot; 0 for none
     */
    void opened(int segments, long snapshot) {
        isCrowded = segments >= MOST_SEGMENTS;
        size = snapshot;
    }

    /** Counts an applied entry of {@code more} bytes; true when a snapshot is due. */
    boolean isDueAfter(int more) {
        entries++;
        bytes += more;
        long weight = bytes + (long) entries * PER_ENTRY;
        boolean isMuch = entries >= settings.snapshotEntries() || bytes >= settings.snapshotBytes();
        boolean isSome = weight >= settings.soonBytes() && time.nanos() - begun >= PAUSE.toNanos();
        return isCrowded || ((isMuch || isSome) && weight >= size / PART);
    }

    /** A snapshot is begun: what is applied from now on is not in it. */
    void begin() {
        isCrowded = false;
        entries = 0;
        bytes = 0;
        begun = time.nanos();
    }

    /** A snapshot of so many bytes is on disk. Any thread. */
    void written(long snapshot) {
        size = snapshot;
    }
}
