package io.cleat.log;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one durable member by Apache Ratis, in this process, flushed before anything is acknowledged, without a
 * network.
 *
 * <p>Room: entries are refused while the file system has less than the reserve. Should the library run out of room all
 * the same (others write there too), it cannot append any more; the log is then closed and opened again as soon as
 * there is room. One that is started without room is opened as soon as there is. Any other failed write or flush, and a
 * division that closes by itself, is a fault: what the kernel threw away after a failed flush may look written when
 * read again.
 *
 * <p>Any thread; {@link #append} from one.
 */
public final class RatisLog implements ReplicatedLog {
    static final Logger LOG = LoggerFactory.getLogger(RatisLog.class);

    /** The directory of the library's own files, inside the log's. */
    static final String STORAGE = "ratis";

    /** Of what the library tells, warnings and worse; held here, else the level is forgotten. */
    private static final java.util.logging.Logger LIBRARY = java.util.logging.Logger.getLogger("org.apache.ratis");

    static {
        LIBRARY.setLevel(java.util.logging.Level.WARNING);
    }

    private static final Duration WATCH = Duration.ofMillis(200);
    private static final Duration ROOM_RETRY = Duration.ofSeconds(5);

    private final LogSettings settings;
    private final Reserve reserve;
    private final Time time;
    private final Threads threads;
    private final Ids ids;
    private final FaultHandler faults;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private volatile @Nullable LogApplier applier;
    private volatile @Nullable Opening opening;
    private volatile @Nullable Thread watcher;
    private volatile @Nullable DirectoryLock held;
    private volatile @Nullable Throwable failure;
    private volatile boolean isFaulted;
    private volatile boolean isLeading;
    private volatile long term;
    private volatile @Nullable Ready ready;
    private volatile long lastApplied = -1;

    /** One that has room while there are bytes. */
    public RatisLog(LogSettings settings, Time time, Threads threads, Ids ids, FaultHandler faults) {
        this(settings, Room.ofBytes(), time, threads, ids, faults);
    }

    public RatisLog(LogSettings settings, Room room, Time time, Threads threads, Ids ids, FaultHandler faults) {
        this.reserve = new Reserve(settings, room, time);
        this.settings = settings;
        this.time = time;
        this.threads = threads;
        this.ids = ids;
        this.faults = faults;
    }

    @Override
    public void start(LogApplier newApplier) throws Trouble {
        Path directory = settings.directory();
        held = DirectoryLock.of(directory);
        LogIdentity identity = LogIdentity.of(directory, settings.clusterId(), ids);
        StoredFiles files = StoredFiles.of(directory, identity);
        boolean holdsLog = !files.segments().isEmpty() || files.newestSnapshot().isPresent();
        if (identity.isFormatted() && !holdsLog) {
            throw new DiskTrouble(
                    directory
                            + " held the log of cluster "
                            + identity.cluster()
                            + ", and its files are gone: put "
                            + files.current()
                            + " back, from a copy if need be; nodes that have acted on what the copy"
                            + " lacks put the cluster into recovery. With an empty directory it is"
                            + " another cluster, which none of these nodes obeys: see"
                            + " docs/other-past.md",
                    Effect.NONE,
                    Retry.NEVER);
        }
        if (holdsLog) {
            LogCheck.require(files);
            LogCheck.endFault(files).ifPresent(words -> LOG.warn("{}: {}", directory, words));
        }
        applier = newApplier;
        if (identity.isFormatted() && !reserve.canBegin()) {
            LOG.warn("{} is full: the log opens as soon as there is room", reserve.words());
        } else {
            opening = open(identity, newApplier);
        }
        if (!identity.isFormatted()) {
            identity = identity.formatted(directory);
        }
        LogIdentity known = identity;
        watcher = threads.vital("log/watch", () -> watch(known), () -> isClosed.get() || isFaulted);
    }

    private Opening open(LogIdentity identity, LogApplier target) throws DiskTrouble, LogTrouble {
        StoredFiles files = StoredFiles.of(settings.directory(), identity);
        long dropped = TornTail.cut(files.current(), settings.directory());
        if (dropped > 0) {
            LOG.warn(
                    "The log in {} ended in a record that was not written to its end: {} bytes"
                            + " were taken off, and are kept beside it in the newest torn-*",
                    settings.directory(),
                    dropped);
        }
        failure = null;
        return Opening.of(settings, identity, target, new Callbacks(target), time, threads, faults, lastApplied);
    }

    @Override
    public void append(byte[] entry, Completion completion) {
        if (entry.length > LogSettings.ENTRY_BYTES) {
            throw new IllegalArgumentException(
                    "an entry of " + entry.length + " bytes; at most " + LogSettings.ENTRY_BYTES);
        }
        Opening now = opening;
        if (now == null || !isLeading || isFaulted || isClosed.get()) {
            completion.told(new Outcome.NotAppended(notLeading()));
        } else if (reserve.isUsedUp()) {
            completion.told(new Outcome.NotAppended(full()));
        } else {
            now.append(entry, completion);
        }
    }

    @Override
    public void barrier(Completion completion) {
        Opening now = opening;
        if (now == null || !isLeading || isFaulted || isClosed.get()) {
            completion.told(new Outcome.NotAppended(notLeading()));
            return;
        }
        Ready asked = new Ready(now, term);
        if (asked.equals(ready)) {
            // Nobody but this member appends, and it tells of an entry once that is applied.
            completion.told(new Outcome.Applied(now.machine().lastApplied()));
            return;
        }
        now.barrier(outcome -> {
            if (outcome instanceof Outcome.Applied) {
                ready = asked;
            }
            completion.told(outcome);
        });
    }

    /**
     * In which term of which opening the library has answered a barrier: from then on all that earlier terms committed
     * is applied.
     */
    private record Ready(Opening opening, long term) {}

    @Override
    public void takeSnapshot() {
        Opening now = opening;
        if (now != null) {
            now.requestSnapshot();
        }
    }

    /** The one member's own. */
    @Override
    public int commonLevel() {
        LogApplier own = applier;
        return own == null ? 1 : own.newestLevel();
    }

    @Override
    public LogStatus status() {
        Opening now = opening;
        return new LogStatus(
                !isFaulted && !isClosed.get() && applier != null,
                isLeading,
                term,
                now == null ? lastApplied : now.machine().lastApplied(),
                now == null ? -1 : now.machine().snapshotIndex(),
                now == null ? 0 : now.machine().flushes(),
                settings.directory(),
                refusing());
    }

    /** The watcher may be opening the log again: what it opened is to be closed too. */
    private static void end(Thread watching) {
        watching.interrupt();
        boolean isInterrupted = false;
        while (watching.isAlive() && !watching.equals(Thread.currentThread())) {
            try {
                watching.join();
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Refusal> refusing() {
        Throwable failed = failure;
        return (failed != null && isOutOfRoom(failed)) || reserve.isUsedUp() ? Optional.of(full()) : Optional.empty();
    }

    private Refusal full() {
        return new Refusal.Exhausted(reserve.words(), ROOM_RETRY);
    }

    @Override
    public void close() {
        if (!isClosed.compareAndSet(false, true)) {
            return;
        }
        Thread watching = watcher;
        if (watching != null) {
            end(watching);
        }
        isLeading = false;
        Opening last = opening;
        if (last != null) {
            last.close();
            lastApplied = last.machine().lastApplied();
        }
        DirectoryLock lock = held;
        if (lock != null) {
            lock.close();
        }
    }

    private Refusal notLeading() {
        return refusing()
                .orElseGet(() -> new Refusal.NoLeader("the log in " + settings.directory() + " does not lead"));
    }

    @Override
    public Optional<Refusal> tight() {
        return reserve.isTouched() ? Optional.of(full()) : Optional.empty();
    }

    /** Ends, or repairs, an opening that cannot go on. */
    private void watch(LogIdentity identity) throws InterruptedException {
        while (!isClosed.get() && !isFaulted) {
            time.sleep(WATCH);
            Opening now = opening;
            Throwable failed = failure;
            if (isClosed.get() || (now != null && failed == null && now.isAlive())) {
                continue;
            }
            isLeading = false;
            if (now == null) {
                openOnceThereIsRoom(identity);
            } else if (failed == null || !isOutOfRoom(failed)) {
                stopForGood(
                        now,
                        failed == null
                                ? "the log closed by itself; see the lines before"
                                : "the log could not write: " + failed,
                        failed);
            } else {
                reopen(now, identity, failed);
            }
        }
    }

    private void stopForGood(Opening now, String what, @Nullable Throwable failed) {
        isFaulted = true;
        now.abandon("the log has ended");
        faults.fault("log " + settings.directory(), new LogTrouble(what, Effect.UNKNOWN, Retry.NEVER, failed));
    }

    private void reopen(Opening now, LogIdentity identity, Throwable failed) throws InterruptedException {
        LOG.warn("{} is full ({}): the log takes no entries until there is room", reserve.words(), failed.toString());
        if (!now.close()) {
            stopForGood(now, "the log did not close after it was full: " + failed, failed);
            return;
        }
        lastApplied = now.machine().lastApplied();
        LogApplier target = applier;
        if (target != null) {
            target.following(term);
        }
        openOnceThereIsRoom(identity);
    }

    private void openOnceThereIsRoom(LogIdentity identity) throws InterruptedException {
        LogApplier target = applier;
        while (target != null && !isClosed.get()) {
            if (reserve.canOpen()) {
                try {
                    opening = open(identity, target);
                    LOG.info("{} has room again: the log is open", reserve.words());
                    return;
                } catch (DiskTrouble | LogTrouble again) {
                    if (!isOutOfRoom(again) && !isClosed.get()) {
                        isFaulted = true;
                        faults.fault("log " + settings.directory(), again);
                        return;
                    }
                }
            }
            time.sleep(WATCH);
        }
    }

    private static boolean isOutOfRoom(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (message != null
                    && (message.contains("No space left on device") || message.contains("Disk quota exceeded"))) {
                return true;
            }
        }
        return false;
    }

    /** What an opening tells. The next one is made only after this one is closed. */
    private final class Callbacks implements RatisMachine.Events {
        private final LogApplier target;

        Callbacks(LogApplier target) {
            this.target = target;
        }

        @Override
        public void leading(long newTerm) {
            if (!isClosed.get()) {
                term = newTerm;
                isLeading = true;
                target.leading(newTerm);
            }
        }

        @Override
        public void following(long oldTerm) {
            isLeading = false;
            target.following(oldTerm);
        }

        @Override
        public void logFailed(Throwable cause) {
            isLeading = false;
            failure = cause;
        }

        @Override
        public void stopped() {
            isFaulted = true;
            isLeading = false;
        }

        @Override
        public void ended() {
            isLeading = false;
        }
    }
}
