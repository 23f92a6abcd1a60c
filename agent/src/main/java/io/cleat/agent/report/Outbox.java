package io.cleat.agent.report;

import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.SaidByNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireFormat;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What is to be said to the server, gathered until the link takes it. State is marked and read when it is sent, so that
 * a slow link sends the newest state once; events are kept in order, the oldest dropped beyond a bound, since they are
 * for people. Everything else is bounded by its bytes: beyond them it is dropped and the link ends, since the server
 * asks on its next link for what it has not heard.
 *
 * <p>Guarded by {@code lock}, never held while state is read.
 */
public final class Outbox implements News {
    /** How many bytes may wait of what is neither state nor event; a page of a plugin's list may have as many alone. */
    static final long BYTES = 16 << 20;

    /** What a message takes beside its bytes. */
    private static final int OVERHEAD = 64;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> dirtyAllocations = new LinkedHashSet<>();
    private final WaitingEvents events = new WaitingEvents();
    private final List<ToServer> others = new ArrayList<>();
    private boolean dirtyFacts;

    /** Of {@link #others}. */
    private long bytes;

    /** Whether something was dropped that the server has to ask for. */
    private boolean isOverfull;

    @Override
    public void allocationChanged(String allocId) {
        change(() -> dirtyAllocations.add(allocId));
    }

    @Override
    public void factsChanged() {
        change(() -> dirtyFacts = true);
    }

    @Override
    public void nodeEvent(NodeEvent event) {
        change(() -> events.add(event));
    }

    @Override
    public void volumeEvent(VolumeId volume, VolumeEvent event) {
        change(() -> events.add(volume, event));
    }

    @Override
    public void orderDone(ToServer.OrderDone done) {
        say(done);
    }

    /** Something that is sent as it is; dropped with the link if that ends before. */
    public void say(ToServer message) {
        long bytes = bytes(message);
        if (bytes > BYTES && message instanceof ToServer.OrderDone(String operationId, var _)) {
            put(tooLarge(operationId, bytes), OVERHEAD);
        } else {
            put(message, bytes);
        }
    }

    private static ToServer tooLarge(String operationId, long bytes) {
        return new ToServer.OrderDone(
                operationId,
                new OrderOutcome.Failed(
                        Effect.UNKNOWN,
                        "ResourceExhausted",
                        "the plugin's answer has "
                                + bytes
                                + " bytes and at most "
                                + BYTES
                                + " are taken; ask for fewer entries on one page"));
    }

    private void put(ToServer message, long more) {
        change(() -> {
            if (isOverfull || bytes + more > BYTES) {
                isOverfull = true;
                clearOthers();
            } else {
                others.add(message);
                bytes += more;
            }
        });
    }

    private void clearOthers() {
        others.clear();
        bytes = 0;
    }

    private static long bytes(ToServer message) {
        long sum = 0;
        for (ToServer clean : SaidByNode.clean(message)) {
            try {
                sum += OVERHEAD + WireFormat.TO_SERVER.encode(clean).length;
            } catch (Refused unfit) {
                // The link says so when it is sent; it does not wait here for long.
                sum += OVERHEAD;
            }
        }
        return sum;
    }

    /** A new link knows nothing: every allocation is to be said again. The facts went with the greeting. */
    void startOver(Collection<String> allocIds) {
        change(() -> {
            clearOthers();
            isOverfull = false;
            dirtyAllocations.addAll(allocIds);
        });
    }

    /**
     * Waits until there is something to say, and takes all of it.
     *
     * @param facts what the node says of itself now
     * @param allocations how an allocation is now; empty once it is gone
     * @throws LinkTrouble more waited than may: this link is to end
     */
    List<ToServer> take(Supplier<NodeFacts> facts, Function<String, Optional<ToServer.AllocReport>> allocations)
            throws LinkTrouble, InterruptedException {
        List<ToServer> messages = new ArrayList<>();
        List<String> dirty;
        boolean sayFacts;
        lock.lockInterruptibly();
        try {
            while (isEmpty()) {
                changed.await();
            }
            if (isOverfull) {
                throw new LinkTrouble(
                        "the server takes what this node says too slowly: more than " + BYTES + " bytes wait",
                        Effect.UNKNOWN,
                        Retry.SAME_CALL);
            }
            sayFacts = dirtyFacts;
            dirtyFacts = false;
            dirty = List.copyOf(dirtyAllocations);
            dirtyAllocations.clear();
            messages.addAll(events.take());
            messages.addAll(others);
            clearOthers();
        } finally {
            lock.unlock();
        }
        List<ToServer> state = new ArrayList<>();
        if (sayFacts) {
            state.add(new ToServer.Facts(facts.get()));
        }
        List<ToServer.AllocReport> reports =
                dirty.stream().map(allocations).flatMap(Optional::stream).toList();
        if (!reports.isEmpty()) {
            state.add(new ToServer.Allocations(reports));
        }
        state.addAll(messages);
        return state;
    }

    private boolean isEmpty() {
        return !dirtyFacts && dirtyAllocations.isEmpty() && events.isEmpty() && others.isEmpty() && !isOverfull;
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
