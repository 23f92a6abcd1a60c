package io.cleat.agent.report;

import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToServer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What is to be said to the server, gathered until the link takes it. State is marked and read when
 * it is sent, so that a slow link sends the newest state once; events are kept in order, the oldest
 * dropped beyond a bound, since they are for people.
 *
 * <p>Guarded by {@code lock}, never held while state is read.
 */
public final class Outbox implements News {
    private static final int EVENTS_KEPT = 1000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> dirtyAllocations = new LinkedHashSet<>();
    private final ArrayDeque<NodeEvent> nodeEvents = new ArrayDeque<>();
    private final Map<VolumeId, ArrayDeque<VolumeEvent>> volumeEvents = new LinkedHashMap<>();
    private final List<ToServer> others = new ArrayList<>();
    private boolean dirtyFacts;

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
        change(() -> keep(nodeEvents, event));
    }

    @Override
    public void volumeEvent(VolumeId volume, VolumeEvent event) {
        change(() -> keep(volumeEvents.computeIfAbsent(volume, v -> new ArrayDeque<>()), event));
    }

    @Override
    public void orderDone(ToServer.OrderDone done) {
        say(done);
    }

    /** Something that is sent as it is. */
    void say(ToServer message) {
        change(() -> others.add(message));
    }

    /**
     * A new link knows nothing: every allocation is to be said again. The facts went with the
     * greeting.
     */
    void startOver(Collection<String> allocIds) {
        change(
                () -> {
                    others.clear();
                    dirtyAllocations.addAll(allocIds);
                });
    }

    /**
     * Waits until there is something to say, and takes all of it.
     *
     * @param facts what the node says of itself now
     * @param allocations how an allocation is now; empty once it is gone
     */
    List<ToServer> take(
            Supplier<NodeFacts> facts, Function<String, Optional<ToServer.AllocReport>> allocations)
            throws InterruptedException {
        List<ToServer> messages = new ArrayList<>();
        List<String> dirty;
        boolean sayFacts;
        lock.lockInterruptibly();
        try {
            while (isEmpty()) {
                changed.await();
            }
            sayFacts = dirtyFacts;
            dirtyFacts = false;
            dirty = List.copyOf(dirtyAllocations);
            dirtyAllocations.clear();
            if (!nodeEvents.isEmpty()) {
                messages.add(new ToServer.NodeEvents(List.copyOf(nodeEvents)));
                nodeEvents.clear();
            }
            volumeEvents.forEach(
                    (volume, events) ->
                            messages.add(new ToServer.VolumeEvents(volume, List.copyOf(events))));
            volumeEvents.clear();
            messages.addAll(others);
            others.clear();
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
        return !dirtyFacts
                && dirtyAllocations.isEmpty()
                && nodeEvents.isEmpty()
                && volumeEvents.isEmpty()
                && others.isEmpty();
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

    private static <T> void keep(ArrayDeque<T> events, T event) {
        if (events.size() == EVENTS_KEPT) {
            events.poll();
        }
        events.add(event);
    }
}
