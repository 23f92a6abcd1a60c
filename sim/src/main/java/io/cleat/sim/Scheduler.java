package io.cleat.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Runs all threads of a run on the one that calls {@link #step}, in the order that the seed says, and keeps virtual
 * time, which passes only while all wait.
 *
 * <p>Owned by that thread; what runs on it may call it too.
 */
final class Scheduler {
    /** How long a step takes. */
    private static final long STEP = 1_000;

    /** One in so many steps is held up, as by a busy machine. */
    private static final int HOLD_UP = 300;

    private static final int LONGEST_HOLD_UP_MS = 1_500;

    private static final long WINDOW = 1_000_000_000;
    private static final int MOST_IN_WINDOW = 3_000;

    private final SimThreads threads = new SimThreads();
    private final Random random;
    private final List<Ready> ready = new ArrayList<>();
    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();
    private final Map<String, Integer> inWindow = new HashMap<>();
    private long windowBegin;
    private long nanos;
    private long numbers;
    private long steps;
    private boolean isCalm;

    Scheduler(Random random) {
        this.random = random;
    }

    /** A piece of a thread that can run. */
    private record Ready(SimProcess owner, String thread, Runnable piece) {}

    /** Something that is to happen at a moment. */
    static final class Alarm implements Comparable<Alarm> {
        private final long at;
        private final long number;
        private @Nullable Runnable what;

        private Alarm(long at, long number, Runnable what) {
            this.at = at;
            this.number = number;
            this.what = what;
        }

        void cancel() {
            what = null;
        }

        private void ring() {
            Runnable due = what;
            if (due != null) {
                due.run();
            }
        }

        @Override
        public int compareTo(Alarm other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(number, other.number);
        }
    }

    SimThreads threads() {
        return threads;
    }

    long nanos() {
        return nanos;
    }

    long steps() {
        return steps;
    }

    /** Nobody is held up from now on. */
    void calmDown() {
        isCalm = true;
    }

    void execute(SimProcess owner, String thread, Runnable piece) {
        ready.add(new Ready(owner, thread, piece));
    }

    /** Has {@code what} run on the scheduling thread after {@code pause}. */
    Alarm in(Duration pause, Runnable what) {
        return at(nanos + Math.max(0, pause.toNanos()), what);
    }

    Alarm at(long moment, Runnable what) {
        Alarm alarm = new Alarm(moment, numbers++, what);
        alarms.add(alarm);
        return alarm;
    }

    /**
     * Runs one piece of one thread; if none can run, lets time pass to the next alarm.
     *
     * @return false if nothing will ever happen again
     */
    boolean step() {
        ring();
        if (ready.isEmpty()) {
            Alarm next = alarms.peek();
            if (next == null) {
                return false;
            }
            nanos = Math.max(nanos, next.at);
            ring();
            return true;
        }
        Ready chosen = take(random.nextInt(ready.size()));
        if (!chosen.owner.isAlive()) {
            return true;
        }
        if (!isCalm && random.nextInt(HOLD_UP) == 0) {
            in(Duration.ofMillis(random.nextInt(LONGEST_HOLD_UP_MS)), () -> ready.add(chosen));
            return true;
        }
        steps++;
        nanos += STEP;
        requireProgress(chosen.thread);
        chosen.piece.run();
        return true;
    }

    /** That time hardly passes means that somebody does the same again and again. */
    private void requireProgress(String thread) {
        if (nanos - windowBegin > WINDOW) {
            windowBegin = nanos;
            inWindow.clear();
        }
        int times = inWindow.merge(thread, 1, Integer::sum);
        if (times > MOST_IN_WINDOW) {
            throw new AssertionError(thread + " runs again and again, " + times + " times within one second");
        }
    }

    private Ready take(int index) {
        Ready last = ready.removeLast();
        return index == ready.size() ? last : ready.set(index, last);
    }

    private void ring() {
        for (Alarm next = alarms.peek(); next != null && next.at <= nanos; next = alarms.peek()) {
            alarms.poll();
            next.ring();
        }
    }
}
