package io.cleat.server.intake;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import io.cleat.server.commit.Applied;
import io.cleat.server.commit.AppliedDecision;
import io.cleat.server.commit.DecisionListener;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last decisions that changed something users see, for any number of readers. Each reader has a place of its own
 * and pays for what it reads; one that is slow delays neither the log nor another reader. What is kept is bounded:
 * {@link #KEPT} decisions of {@link #KEPT_BYTES} together, which share all that they did not change.
 *
 * <p>Any thread. Guarded by {@code lock}; no caller's code runs under it.
 */
public final class RecentDecisions implements DecisionListener<ClusterState, Change> {
    /** How many decisions are kept. */
    public static final int KEPT = 10_000;

    /**
     * How many bytes the kept decisions have together, as the log has them; in memory a few times as many. The newest
     * is kept however large it is: its size is bounded where it is decided.
     */
    public static final long KEPT_BYTES = 8 << 20;

    private static final Set<TableName> SHOWN = Set.of(
            TableName.NODES,
            TableName.JOBS,
            TableName.EVALUATIONS,
            TableName.ALLOCATIONS,
            TableName.VOLUMES,
            TableName.PLUGINS);

    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();

    /** By version. */
    private final NavigableMap<Long, AppliedDecision<ClusterState, Change>> kept = new TreeMap<>();

    /** Of all in {@link #kept}. */
    private long keptBytes;

    /** All decisions up to this version are gone. */
    private long goneUpTo;

    public RecentDecisions(Time time) {
        this.time = time;
    }

    /** What a reader comes to next. */
    public sealed interface Step {}

    /** A decision. */
    public record Decided(AppliedDecision<ClusterState, Change> decision) implements Step {}

    /**
     * The reader came too late for what was decided from {@code from} to {@code to}, both included; whether anything of
     * it would have been shown is not known.
     */
    public record Missed(long from, long to) implements Step {}

    /** Nothing came in time. */
    public record Quiet() implements Step {}

    @Override
    public void applied(AppliedDecision<ClusterState, Change> decision) {
        if (SHOWN.stream()
                .allMatch(table ->
                        decision.before().version(table) == decision.after().version(table))) {
            return;
        }
        lock.lock();
        try {
            kept.put(decision.version(), decision);
            keptBytes += decision.bytes();
            while (kept.size() > KEPT || (keptBytes > KEPT_BYTES && kept.size() > 1)) {
                AppliedDecision<ClusterState, Change> oldest =
                        kept.pollFirstEntry().getValue();
                keptBytes -= oldest.bytes();
                goneUpTo = oldest.version();
            }
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void installed(Applied<ClusterState> after) {
        lock.lock();
        try {
            kept.clear();
            keptBytes = 0;
            goneUpTo = after.version();
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A reader of what was decided from version {@code from} on; of one that is still to come too.
     *
     * @param from 0 for all that is kept
     */
    public Reader reader(long from) {
        lock.lock();
        try {
            return new Reader(from == 0 ? goneUpTo + 1 : from);
        } finally {
            lock.unlock();
        }
    }

    /** A place among the decisions. For one thread. */
    public final class Reader {
        private long next;

        private Reader(long next) {
            this.next = next;
        }

        /** The next decision; waits for one until {@code deadline}. */
        public Step next(Deadline deadline) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                Step step = look();
                while (step instanceof Quiet && time.await(more, deadline)) {
                    step = look();
                }
                return step;
            } finally {
                lock.unlock();
            }
        }

        private Step look() {
            if (next <= goneUpTo) {
                Missed missed = new Missed(next, goneUpTo);
                next = goneUpTo + 1;
                return missed;
            }
            Map.Entry<Long, AppliedDecision<ClusterState, Change>> there = kept.ceilingEntry(next);
            if (there != null) {
                next = there.getKey() + 1;
                return new Decided(there.getValue());
            }
            return new Quiet();
        }
    }
}
