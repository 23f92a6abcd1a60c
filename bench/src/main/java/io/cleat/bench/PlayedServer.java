package io.cleat.bench;

import io.cleat.base.LinkTrouble;
import io.cleat.wire.Link;
import io.cleat.wire.Sessions;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A server that says what it is told to, and notes when each allocation's volume first came to each phase. Guarded by
 * {@code lock}.
 */
final class PlayedServer implements Sessions {
    private static final long PATIENCE_SECONDS = 60;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Map<ToServer.VolumePhase, Long>> seen = new HashMap<>();
    private @Nullable Link<ToNode, ToServer> link;
    private long version;

    @Override
    public void serve(Link<ToNode, ToServer> newLink) throws InterruptedException {
        try {
            newLink.receive();
            newLink.send(new ToNode.Welcome("bench", Duration.ofMinutes(10), 1, false));
            lock.lock();
            try {
                link = newLink;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            while (true) {
                if (newLink.receive() instanceof ToServer.Allocations allocations) {
                    note(allocations.reports(), System.nanoTime());
                }
            }
        } catch (LinkTrouble closed) {
            newLink.close();
        }
    }

    private void note(List<ToServer.AllocReport> reports, long now) {
        lock.lock();
        try {
            for (ToServer.AllocReport report : reports) {
                for (ToServer.VolumeReport volume : report.volumes().values()) {
                    seen.computeIfAbsent(report.allocId(), id -> new HashMap<>())
                            .putIfAbsent(volume.phase(), now);
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says that these allocations, and no others, are to run.
     *
     * @return {@link System#nanoTime} just before it was said
     */
    long assign(List<ToNode.Assignment> assignments) throws LinkTrouble, InterruptedException {
        Link<ToNode, ToServer> open = open();
        long now = System.nanoTime();
        open.send(new ToNode.Assignments(++version, "bench", assignments, false));
        return now;
    }

    private Link<ToNode, ToServer> open() throws InterruptedException {
        lock.lock();
        try {
            while (link == null) {
                changed.await();
            }
            return link;
        } finally {
            lock.unlock();
        }
    }

    /** When an allocation's volume was first said to be in that phase, waited for. */
    long await(String allocId, ToServer.VolumePhase phase) throws InterruptedException {
        long left = PATIENCE_SECONDS * 1_000_000_000L;
        lock.lock();
        try {
            while (left > 0) {
                Long at = seen.getOrDefault(allocId, Map.of()).get(phase);
                if (at != null) {
                    return at;
                }
                left = changed.awaitNanos(left);
            }
            throw new IllegalStateException(allocId + " is not " + phase + ", but " + seen.get(allocId));
        } finally {
            lock.unlock();
        }
    }
}
