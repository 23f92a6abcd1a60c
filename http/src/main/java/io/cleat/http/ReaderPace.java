package io.cleat.http;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How fast one client takes its answer. Who takes a little now and then is never idle, and would hold its share of the
 * memory for as long as it likes: it is cut. Only the time counts in which bytes wait for the client, so a stream in
 * which little happens is never too slow.
 *
 * <p>The request's thread writes, another one watches. Guarded by {@code lock}, never held while bytes are written or
 * the client is cut.
 */
final class ReaderPace implements AutoCloseable {
    /** Bytes in each second that a client must take while bytes wait for it. */
    static final long FLOOR = 1024;

    /** How long it is measured. Who made bytes wait for less than half of that is not judged. */
    static final Duration WINDOW = Duration.ofSeconds(60);

    /** Bytes of one write; they count once the client, or the kernel for it, has taken them. */
    static final int PIECE = 32 * 1024;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Time time;
    private final Runnable cut;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closed = lock.newCondition();
    private boolean isClosed;

    /** Whether a write is under way. */
    private boolean isWriting;

    /** When the write under way began, or the window if that was later. */
    private long since;

    /** How long the window's writes before that one took. */
    private long waited;

    /** Bytes that were taken in the window. */
    private long taken;

    /** @param cut ends the client's connection, and with it a write that waits; called at most once */
    ReaderPace(Time time, Runnable cut) {
        this.time = time;
        this.cut = cut;
    }

    /** What is written to it is written to {@code to}, and measured. */
    OutputStream over(OutputStream to) {
        return new Measured(to);
    }

    /** Looks at the end of each window, until the client is cut or this is closed. */
    void watch() throws InterruptedException {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = awaitWindow() && isFastEnough();
        }
    }

    /** False once it is closed. */
    private boolean awaitWindow() throws InterruptedException {
        Deadline end = Deadline.in(time, WINDOW);
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (!isClosed && hasTime) {
                hasTime = time.await(closed, end);
            }
            return !isClosed;
        } finally {
            lock.unlock();
        }
    }

    /** Judges the window that ends now, cuts a client that is too slow, and begins the next. */
    boolean isFastEnough() {
        boolean isTooSlow;
        lock.lock();
        try {
            long now = time.nanos();
            long wait = waited + (isWriting ? now - since : 0);
            isTooSlow = wait >= WINDOW.toNanos() / 2 && taken < FLOOR * (wait / SECOND);
            waited = 0;
            taken = 0;
            since = now;
        } finally {
            lock.unlock();
        }
        if (isTooSlow) {
            cut.run();
        }
        return !isTooSlow;
    }

    /** Ends watching. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            closed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void begins() {
        lock.lock();
        try {
            isWriting = true;
            since = time.nanos();
        } finally {
            lock.unlock();
        }
    }

    private void ends(long bytes) {
        lock.lock();
        try {
            isWriting = false;
            waited += time.nanos() - since;
            taken += bytes;
        } finally {
            lock.unlock();
        }
    }

    private final class Measured extends OutputStream {
        private final OutputStream to;

        Measured(OutputStream to) {
            this.to = to;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int done = 0; done < length; done += PIECE) {
                int piece = Math.min(PIECE, length - done);
                int from = offset + done;
                measured(() -> to.write(bytes, from, piece), piece);
            }
        }

        @Override
        public void flush() throws IOException {
            measured(to::flush, 0);
        }

        @Override
        public void close() throws IOException {
            measured(to::close, 0);
        }

        private void measured(Act act, long bytes) throws IOException {
            begins();
            try {
                act.run();
            } finally {
                ends(bytes);
            }
        }
    }

    /** One call of what is written to. */
    private interface Act {
        void run() throws IOException;
    }
}
