package io.cleat.agent.alloc;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.driver.shim.IdRange;
import io.cleat.driver.shim.NumberedUsers;
import io.cleat.kernel.Processes;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The user ids of a node that its allocations have one each of. One is given on as late as can be, and never while a
 * process has it or a file of this machine gives it to somebody.
 *
 * <p>Who has ids is looked at for each allocation that has none yet: what was nobody's when a few thousand were made
 * ready may be somebody's by now. That reads the status of each process once.
 *
 * <p>Guarded by {@code lock}, which is held meanwhile.
 */
public final class OwnUsers {
    /** So many are looked at and kept ready. */
    private static final int MOST_READY = 4096;

    private final Optional<IdRange> range;
    private final Others others;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Long> given = new HashMap<>();
    private final Deque<Long> ready = new ArrayDeque<>();
    private long next;

    /** Who else on this machine has ids. */
    @FunctionalInterface
    public interface Others {
        /** The ids that are somebody's now. */
        LongPredicate look() throws Trouble;
    }

    private OwnUsers(Optional<IdRange> range, Others others, long next) {
        this.range = range;
        this.others = others;
        this.next = next;
    }

    /**
     * Of a range.
     *
     * @param node a name that is the node's, so that two of one machine begin at different ids
     */
    public static OwnUsers of(IdRange range, Others others, String node) {
        long first = range.first() + Math.floorMod((long) node.hashCode(), range.size());
        return new OwnUsers(Optional.of(range), others, first);
    }

    /** For a node whose drivers want none. */
    public static OwnUsers none() {
        return new OwnUsers(Optional.empty(), () -> id -> true, 0);
    }

    /** The processes and files of this machine. */
    public static Others ofThisMachine(Processes processes) {
        return () -> {
            NavigableSet<Long> running = processes.users();
            NumberedUsers named = numbered();
            return id -> running.contains(id) || named.has(id);
        };
    }

    private static NumberedUsers numbered() throws DiskTrouble {
        try {
            return NumberedUsers.ofThisMachine();
        } catch (IOException e) {
            throw new DiskTrouble("the users of this machine cannot be read: " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    /** An allocation has this one, as was written down of it. */
    void keep(String allocId, long id) {
        lock.lock();
        try {
            given.put(allocId, id);
            ready.remove(id);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The allocation's own; the same if it has one.
     *
     * @throws Trouble with no effect if all are taken
     */
    long take(String allocId) throws Trouble {
        lock.lock();
        try {
            Long own = given.get(allocId);
            if (own != null) {
                return own;
            }
            if (range.isEmpty()) {
                throw full();
            }
            LongPredicate taken = others.look();
            Long id = nextReady(taken);
            if (id == null) {
                makeReady(range.get(), taken);
                id = ready.poll();
            }
            if (id == null) {
                throw full();
            }
            given.put(allocId, id);
            return id;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing of the allocation is left. The id is another's once it was looked who has it. */
    void giveBack(String allocId) {
        lock.lock();
        try {
            given.remove(allocId);
        } finally {
            lock.unlock();
        }
    }

    /** The next one that is still nobody's; null if none of those that are ready is. */
    private @Nullable Long nextReady(LongPredicate taken) {
        Long id = ready.poll();
        while (id != null && taken.test(id)) {
            id = ready.poll();
        }
        return id;
    }

    /** Goes on in the range, so that the one which was given back last comes last. */
    private void makeReady(IdRange ids, LongPredicate taken) {
        Set<Long> ours = new HashSet<>(given.values());
        for (long seen = 0; seen < ids.size() && ready.size() < MOST_READY; seen++) {
            if (!ours.contains(next) && !taken.test(next)) {
                ready.add(next);
            }
            next = next == ids.last() ? ids.first() : next + 1;
        }
    }

    private KernelTrouble full() {
        return new KernelTrouble(
                "no user id is left for its tasks that name no user: of "
                        + range.map(ids -> "the " + ids.size() + " of -exec-users=" + ids)
                                .orElse("none")
                        + " each is an allocation's, a process's or a user's of this machine; end"
                        + " allocations, give the agent a larger range, or name a user in the job",
                Effect.NONE,
                Retry.AFTER_OBSERVING);
    }
}
