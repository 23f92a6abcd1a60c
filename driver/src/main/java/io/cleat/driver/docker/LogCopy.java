package io.cleat.driver.docker;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Time;
import io.cleat.exchange.HttpReply;
import io.cleat.kernel.TextPath;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what the engine keeps of one container's output into the task's files, while it runs and to its end. The
 * engine keeps some while nobody copies, so an agent that died goes on where it was.
 *
 * <p>{@link #run} is on a thread of the kernel of its own: a disk may hang. Guarded by {@code lock}, never held during
 * a call or a write.
 */
final class LogCopy {
    private static final Logger LOG = LoggerFactory.getLogger(LogCopy.class);

    /** A quiet stream is asked for anew after this: its engine may be another by then. */
    private static final Duration QUIET = Duration.ofMinutes(2);

    private static final Duration AGAIN = Duration.ofSeconds(1);

    /** Between two notes of how far it is. */
    private static final Duration NOTE = Duration.ofMillis(500);

    /** How long the end of a stream is waited for whose container has ended. */
    private static final Duration TAIL = Duration.ofSeconds(2);

    private final Engine engine;
    private final Containers containers;
    private final String name;
    private final Path cursorFile;
    private final LogFiles out;
    private final LogFiles errors;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean isEnded;
    private boolean isDone;
    private boolean isClosed;
    private long lost;
    private @Nullable HttpReply reply;
    private LogCursor cursor = LogCursor.START;
    private @Nullable Deadline noted;

    /**
     * What is to be copied, and where to.
     *
     * @param name of the container
     * @param task of the files
     * @param cursor where it is noted how far it is
     */
    record Task(String name, String task, Path logs, int files, long bytes, Path cursor) {
        /** As the container's labels say; empty if its output is not kept. */
        static Optional<Task> of(Container container, Path cursors) {
            String logs = container.label(Labels.LOGS);
            Optional<Path> directory = TextPath.of(logs);
            if (logs.isEmpty() || directory.isEmpty()) {
                return Optional.empty();
            }
            try {
                return Optional.of(new Task(
                        container.name(),
                        container.label(Labels.TASK),
                        directory.get(),
                        Integer.parseInt(container.label(Labels.LOG_FILES)),
                        Long.parseLong(container.label(Labels.LOG_SIZE)),
                        cursors.resolve(container.name())));
            } catch (NumberFormatException notOurs) {
                return Optional.empty();
            }
        }
    }

    LogCopy(Engine engine, Containers containers, Task task, Time time) {
        this.engine = engine;
        this.containers = containers;
        this.name = task.name();
        this.cursorFile = task.cursor();
        this.out = new LogFiles(task.logs(), task.task() + ".stdout", task.files(), task.bytes());
        this.errors = new LogFiles(task.logs(), task.task() + ".stderr", task.files(), task.bytes());
        this.time = time;
    }

    /** Returns when all is copied, or the container is gone, or it is closed. */
    void run() throws InterruptedException {
        try {
            begin();
            while (!isClosed()) {
                try {
                    boolean wasEnded = hasEnded();
                    pass(!wasEnded);
                    if (wasEnded) {
                        return;
                    }
                } catch (EngineAnswer answer) {
                    if (answer.status() == EngineAnswer.ABSENT
                            || containers.find(name).isEmpty()) {
                        return;
                    }
                    LOG.debug("the output of {} is asked for again: {}", name, answer.reason());
                    time.sleep(AGAIN);
                } catch (DriverTrouble away) {
                    LOG.debug("the output of {} is asked for again: {}", name, away.reason());
                    time.sleep(AGAIN);
                }
            }
        } catch (DriverTrouble away) {
            LOG.warn("the output of {} is not copied any more: {}", name, away.reason());
        } finally {
            note(true);
            closeFiles();
            lock.lock();
            try {
                isDone = true;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    private boolean hasEnded() throws DriverTrouble {
        return containers.find(name).filter(Container::lives).isEmpty();
    }

    private void begin() {
        LogCursor before = LogCursor.read(cursorFile);
        try {
            if (before.isStart()) {
                out.goOn();
                errors.goOn();
            } else {
                out.goOn(before.out());
                errors.goOn(before.errors());
            }
        } catch (IOException failed) {
            LOG.warn("the files of the output of {} cannot be opened: {}", name, failed.toString());
        }
        cursor = before;
    }

    /** Copies from the cursor on, to the end of what there is or, following, of the stream. */
    private void pass(boolean follow) throws DriverTrouble {
        String since =
                cursor.isStart() ? "" : "&since=" + Math.max(1, cursor.at().getEpochSecond() - 1);
        String target = "/containers/"
                + Engine.encoded(name)
                + "/logs?stdout=true&stderr=true&timestamps=true&follow="
                + follow
                + since;
        Skipping skipping = new Skipping(cursor);
        try (HttpReply stream = engine.stream("GET", target, null, Map.of(), QUIET)) {
            if (!holds(stream)) {
                return;
            }
            OutputFrames frames = new OutputFrames(stream.body());
            for (Optional<OutputFrames.Frame> next = frames.next(); next.isPresent(); next = frames.next()) {
                take(next.get(), skipping);
                note(false);
            }
        } catch (SocketTimeoutException quiet) {
            return;
        } catch (IOException cut) {
            if (!hasEndedForUs()) {
                throw engine.cut("GET", "GET /containers/" + name + "/logs", cut);
            }
        } catch (ClosedSelectorException closed) {
            return;
        } finally {
            note(true);
        }
    }

    private boolean hasEndedForUs() {
        lock.lock();
        try {
            return isEnded || isClosed;
        } finally {
            lock.unlock();
        }
    }

    private boolean holds(HttpReply stream) {
        lock.lock();
        try {
            reply = stream;
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** Leaves out what was copied before. */
    private static final class Skipping {
        private final Instant at;
        private long left;

        Skipping(LogCursor cursor) {
            this.at = cursor.at();
            this.left = cursor.isStart() ? 0 : cursor.entries();
        }

        boolean isOld(Instant moment) {
            if (moment.isBefore(at)) {
                return true;
            }
            if (moment.equals(at) && left > 0) {
                left--;
                return true;
            }
            return false;
        }
    }

    private void take(OutputFrames.Frame frame, Skipping skipping) {
        byte[] bytes = frame.bytes();
        int space = 0;
        while (space < bytes.length && bytes[space] != ' ' && space < 64) {
            space++;
        }
        Instant moment = cursor.at();
        int from = 0;
        try {
            String stamp = new String(bytes, 0, space, StandardCharsets.US_ASCII);
            moment = OffsetDateTime.parse(stamp).toInstant();
            from = Math.min(bytes.length, space + 1);
        } catch (DateTimeException none) {
            // An engine that says no time of an entry: then all of it is the task's.
            from = 0;
        }
        if (skipping.isOld(moment)) {
            return;
        }
        ByteBuffer rest = ByteBuffer.wrap(bytes, from, bytes.length - from);
        try {
            (frame.errors() ? errors : out).write(rest);
        } catch (IOException full) {
            lose(rest.remaining());
        }
        cursor = cursor.after(moment, out.end(), errors.end());
    }

    private void lose(int bytes) {
        lock.lock();
        try {
            lost += bytes;
        } finally {
            lock.unlock();
        }
    }

    private void note(boolean now) {
        if (cursor.isStart() || (!now && noted != null && !noted.isExpired())) {
            return;
        }
        noted = Deadline.in(time, NOTE);
        try {
            cursor.write(cursorFile);
        } catch (DiskTrouble full) {
            LOG.debug("how far the output of {} is copied is not noted: {}", name, full.reason());
        }
    }

    private void closeFiles() {
        try {
            out.close();
            errors.close();
        } catch (IOException nothingIsLost) {
            LOG.debug("closing the output of {}: {}", name, nothingIsLost.toString());
        }
    }

    /** Bytes that were not kept so far. */
    long lost() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /** The container has ended: waits until all it said is copied, or for as long as that. */
    void awaitDone(Duration most) throws InterruptedException {
        Deadline deadline = Deadline.in(time, most);
        Deadline tail = Deadline.in(time, TAIL);
        HttpReply slow = null;
        lock.lockInterruptibly();
        try {
            isEnded = true;
            while (!isDone && !tail.isExpired()) {
                time.await(changed, tail);
            }
            slow = isDone ? null : reply;
        } finally {
            lock.unlock();
        }
        // Some engines do not end the stream: what is left is then asked for without following.
        HttpReply.abandon(slow);
        lock.lockInterruptibly();
        try {
            while (!isDone && !deadline.isExpired()) {
                time.await(changed, deadline);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the copying, wherever it is. */
    void close() {
        HttpReply now;
        lock.lock();
        try {
            isClosed = true;
            now = reply;
        } finally {
            lock.unlock();
        }
        HttpReply.abandon(now);
    }
}
