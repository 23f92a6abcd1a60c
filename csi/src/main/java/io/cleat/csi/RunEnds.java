package io.cleat.csi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * During which calls runs of one plugin instance ended. It outlives the runs, each of which has a channel of its own.
 *
 * <p>Of several calls in flight at an end none is proven guilty: each is a suspect, and is made again alone. A suspect
 * during which the plugin ends again is withheld: it is not made before a person has restarted or replaced the plugin.
 * So a call that ends its plugin does so twice, and the plugin goes on.
 *
 * <p>Guarded by {@code lock}, never held during a call.
 */
public final class RunEnds {
    /** A call during which the plugin ended so often is withheld. */
    public static final int MOST_ENDS = 2;

    /** Calls that are remembered; those beyond it are believed again. */
    static final int MOST_SUSPECTS = 4096;

    private final Time time;
    private final Duration heardWithin;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();

    @GuardedBy("lock")
    private final Set<Made> inFlight = new HashSet<>();

    @GuardedBy("lock")
    private final LinkedHashMap<Subject, Suspect> suspects = new LinkedHashMap<>();

    /** Of the last end; as many as were in flight. */
    @GuardedBy("lock")
    private final List<During> during = new ArrayList<>();

    @GuardedBy("lock")
    private int waitingAlone;

    @GuardedBy("lock")
    private long runs;

    @GuardedBy("lock")
    private boolean lastByItself;

    /** @param heardWithin how long after a connection broke it is waited to hear that the plugin has ended */
    public RunEnds(Time time, Duration heardWithin) {
        this.time = time;
        this.heardWithin = heardWithin;
    }

    /** For a plugin of whose ends nobody tells. */
    static RunEnds untold(Time time) {
        return new RunEnds(time, Duration.ZERO);
    }

    /** Why a run ended. */
    public enum Reason {
        /** By itself, or killed by somebody who did not ask us. */
        BY_ITSELF,
        /** This agent ended it since it was not healthy. */
        UNHEALTHY,
        /** Somebody asked us to stop or restart it. */
        ASKED
    }

    /**
     * A call during which a run ended.
     *
     * @param call such as {@code NodeStageVolume of volume "v1"}
     * @param isWithheld whether it is not made again
     */
    public record During(String call, boolean isWithheld) {}

    /** What a call is about: the same call made again has the same. */
    private record Subject(String call, String of) {
        @Override
        public String toString() {
            return of.isEmpty() ? call : call + " of " + of;
        }
    }

    private static final class Suspect {
        int ends;
        boolean withheld;
    }

    /** How a call stands to the end of a run. */
    enum Verdict {
        /** The run goes on, or is not known to have ended. */
        GOES_ON,
        /** The run ended during the call, which may be made again. */
        ENDED,
        /** As {@link #ENDED}, and the call is not made again. */
        WITHHELD
    }

    /** A call from before it is made until it is known how it ended. */
    final class Made implements AutoCloseable {
        private final Subject subject;
        private final boolean alone;
        private final long run;

        private Made(Subject subject, boolean alone, long run) {
            this.subject = subject;
            this.alone = alone;
            this.run = run;
        }

        /**
         * The connection broke after the call was sent: says whether the plugin ended, for which it is waited a little.
         */
        Verdict broke() throws InterruptedException {
            Deadline deadline = Deadline.in(time, heardWithin);
            lock.lockInterruptibly();
            try {
                while (runs == run && !deadline.isExpired()) {
                    time.await(moved, deadline);
                }
                return runs != run && lastByItself ? count(this) : Verdict.GOES_ON;
            } finally {
                lock.unlock();
            }
        }

        /** The plugin has answered, so this call does not end it. */
        void answered() {
            lock.lock();
            try {
                suspects.remove(subject);
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                inFlight.remove(this);
                moved.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Begins a call. Waits while one is made alone, and if this one is a suspect, until all others have ended, which
     * each does by its deadline.
     *
     * @param ending of the call, not made yet
     * @throws CsiTrouble if it is withheld, or the deadline passes first
     */
    Made begin(Ending ending, Deadline deadline) throws CsiTrouble, InterruptedException {
        Call<?, ?, ?> call = ending.call();
        Subject subject = new Subject(call.name(), call.subject());
        lock.lockInterruptibly();
        try {
            Suspect suspect = suspects.get(subject);
            if (suspect != null && suspect.withheld) {
                throw ending.withheld();
            }
            boolean alone = suspect != null;
            waitingAlone += alone ? 1 : 0;
            try {
                while (!admits(alone)) {
                    if (!time.await(moved, deadline)) {
                        throw ending.crowded();
                    }
                }
            } finally {
                waitingAlone -= alone ? 1 : 0;
                moved.signalAll();
            }
            Made made = new Made(subject, alone, runs);
            inFlight.add(made);
            return made;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private boolean admits(boolean alone) {
        return alone
                ? inFlight.isEmpty()
                : waitingAlone == 0 && inFlight.stream().noneMatch(made -> made.alone);
    }

    /**
     * A run has ended, of which its calls in flight hear; said before its channel is closed. An end that somebody asked
     * for makes all calls anew.
     */
    public void ended(Reason reason) {
        lock.lock();
        try {
            runs++;
            lastByItself = reason == Reason.BY_ITSELF;
            if (reason == Reason.ASKED) {
                suspects.clear();
            }
            during.clear();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The calls during which the last run ended, if it did by itself; asked once its channel is closed. Waits until
     * they have heard of it, or until {@code deadline}.
     */
    public List<During> during(Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long now = runs;
            while (inFlight.stream().anyMatch(made -> made.run < now) && !deadline.isExpired()) {
                time.await(moved, deadline);
            }
            return List.copyOf(during);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Verdict count(Made made) {
        Suspect suspect = suspects.computeIfAbsent(made.subject, absent -> new Suspect());
        suspect.ends++;
        suspect.withheld = made.alone && suspect.ends >= MOST_ENDS;
        if (suspects.size() > MOST_SUSPECTS) {
            suspects.pollFirstEntry();
        }
        during.add(new During(made.subject.toString(), suspect.withheld));
        return suspect.withheld ? Verdict.WITHHELD : Verdict.ENDED;
    }
}
