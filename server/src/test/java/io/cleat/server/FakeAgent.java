package io.cleat.server;

import io.cleat.base.Deadline;
import io.cleat.base.LinkTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.NodeFacts;
import io.cleat.wire.Connector;
import io.cleat.wire.Link;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node that does nothing by itself: the test says what it reports, and sees what it was told. Guarded by
 * {@code lock}.
 */
public final class FakeAgent implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final Time time = new SystemTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<ToNode> heard = new ArrayList<>();
    private final Link<ToServer, ToNode> link;
    private final Map<String, ToNode.Assignment> assignments = new TreeMap<>();

    /** The newest version that this node was told all of, and its lineage; null before. */
    private ToServer.@Nullable Obeyed told;

    private boolean isClosed;

    private FakeAgent(Link<ToServer, ToNode> link) {
        this.link = link;
    }

    /** Connects and greets; the first answer is the first message heard. */
    public static FakeAgent connect(Connector connector, String secret, NodeFacts facts, Threads threads)
            throws Exception {
        return connect(connector, WireFormat.VERSION, secret, facts, null, threads);
    }

    public static FakeAgent connect(
            Connector connector,
            int version,
            String secret,
            NodeFacts facts,
            ToServer.@Nullable Obeyed obeyed,
            Threads threads)
            throws Exception {
        FakeAgent agent = new FakeAgent(connector.connect(Deadline.in(new SystemTime(), LIMIT)));
        agent.say(new ToServer.Hello(version, secret, facts, obeyed));
        threads.vitalWork("fake-agent/" + facts.id(), agent::read);
        return agent;
    }

    private void read() throws InterruptedException {
        try {
            while (true) {
                ToNode message = link.receive();
                change(() -> {
                    heard.add(message);
                    take(message);
                });
            }
        } catch (LinkTrouble end) {
            change(() -> isClosed = true);
        }
    }

    private void take(ToNode message) {
        switch (message) {
            case ToNode.Assignments part -> {
                put(part.allocations());
                if (!part.more()) {
                    told = new ToServer.Obeyed("", part.version(), 1, part.lineage());
                }
            }
            case ToNode.AssignmentChanges changes -> {
                if (told == null || told.version() != changes.since()) {
                    throw new AssertionError("changes since " + changes.since() + ", not " + told);
                }
                put(changes.allocations());
                changes.gone().forEach(assignments::remove);
                told = new ToServer.Obeyed("", changes.version(), 1, changes.lineage());
            }
            default -> {}
        }
    }

    private void put(List<ToNode.Assignment> newest) {
        newest.forEach(each -> assignments.put(each.allocId(), each));
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

    public void say(ToServer message) throws LinkTrouble, InterruptedException {
        link.send(message);
    }

    /** Waits for a message of this kind that was not returned before. */
    public <M extends ToNode> M hear(Class<M> kind) throws InterruptedException {
        return await(
                kind.getSimpleName(),
                () -> heard.stream().filter(kind::isInstance).findFirst().map(message -> {
                    heard.remove(message);
                    return kind.cast(message);
                }));
    }

    /** Waits until the newest assignments satisfy {@code wanted}, and gives what it found. */
    public <T> T assigned(String what, Function<List<ToNode.Assignment>, Optional<T>> wanted)
            throws InterruptedException {
        return await(what, () -> told == null ? Optional.empty() : wanted.apply(List.copyOf(assignments.values())));
    }

    /** What this node has acted on, if it acts on all that it hears. */
    public ToServer.Obeyed obeyed(String clusterId) throws InterruptedException {
        return await(
                "assignments",
                () -> Optional.ofNullable(told)
                        .map(newest -> new ToServer.Obeyed(clusterId, newest.version(), 1, newest.lineage())));
    }

    /** Whether something of this kind was heard and not taken. */
    public boolean hasHeard(Class<? extends ToNode> kind) {
        lock.lock();
        try {
            return heard.stream().anyMatch(kind::isInstance);
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }

    public void awaitClosed() throws InterruptedException {
        await("the end of the link", () -> isClosed ? Optional.of(true) : Optional.empty());
    }

    private <T> T await(String what, Supplier<Optional<T>> look) throws InterruptedException {
        Deadline deadline = Deadline.in(time, LIMIT);
        lock.lock();
        try {
            Optional<T> found = look.get();
            boolean hasTime = true;
            while (found.isEmpty() && hasTime) {
                hasTime = time.await(changed, deadline);
                found = look.get();
            }
            return found.orElseThrow(() -> new AssertionError("not heard: " + what + "; heard " + heard));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        link.close();
    }
}
