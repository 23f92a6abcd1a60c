package io.cleat.bench;

import io.cleat.base.LinkTrouble;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import io.cleat.wire.Link;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.ToServer.VolumePhase;
import io.cleat.wire.WireFormat;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A node that does at once whatever a server wants, but detaches slowly. Guarded by {@code lock}. */
final class PlayedNode {
    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final long PATIENCE_SECONDS = 120;

    private final SystemTime time = new SystemTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Allocation ids by job, once all their volumes were granted. */
    private final Map<String, Long> grantedAt = new HashMap<>();

    private final Map<String, VolumePhase> said = new HashMap<>();
    private final Link<ToServer, ToNode> link;
    private final Threads threads;
    private final Duration detaching;
    private int detaches;

    /**
     * Connects, greets, and serves until the link closes.
     *
     * @param detaching how long each detach takes
     */
    PlayedNode(Link<ToServer, ToNode> link, Threads threads, Duration detaching)
            throws LinkTrouble, InterruptedException {
        this.link = link;
        this.threads = threads;
        this.detaching = detaching;
        link.send(new ToServer.Hello(WireFormat.VERSION, "secret", ModelSpecs.node("n1"), null));
        threads.vitalWork("bench/node", this::serve);
        threads.vitalWork("bench/heart", this::beat);
    }

    private void beat() throws InterruptedException {
        try {
            for (long number = 0; ; number++) {
                link.send(new ToServer.Heartbeat(number));
                time.sleep(HEARTBEAT);
            }
        } catch (LinkTrouble closed) {
            link.close();
        }
    }

    private void serve() throws InterruptedException {
        try {
            while (true) {
                switch (link.receive()) {
                    case ToNode.Assignments assignments -> {
                        for (ToNode.Assignment one : assignments.allocations()) {
                            assigned(one);
                        }
                    }
                    case ToNode.AssignmentChanges changes -> {
                        for (ToNode.Assignment one : changes.allocations()) {
                            assigned(one);
                        }
                    }
                    case ToNode.Order order -> ordered(order);
                    default -> {}
                }
            }
        } catch (LinkTrouble closed) {
            link.close();
        }
    }

    private void assigned(ToNode.Assignment one) throws LinkTrouble, InterruptedException {
        boolean isGranted = one.volumes().values().stream().allMatch(v -> v.grant() != null);
        VolumePhase before;
        lock.lock();
        try {
            before = said.getOrDefault(one.allocId(), VolumePhase.NONE);
        } finally {
            lock.unlock();
        }
        if (one.desired() != DesiredStatus.RUN && before == VolumePhase.PUBLISHED) {
            say(one, ClientStatus.COMPLETE, VolumePhase.UNPUBLISHED);
        } else if (isGranted && before == VolumePhase.NONE) {
            lock.lock();
            try {
                grantedAt.put(one.job().id().id(), System.nanoTime());
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            say(one, ClientStatus.RUNNING, VolumePhase.PUBLISHED);
        }
    }

    private void say(ToNode.Assignment one, ClientStatus status, VolumePhase phase)
            throws LinkTrouble, InterruptedException {
        lock.lock();
        try {
            said.put(one.allocId(), phase);
        } finally {
            lock.unlock();
        }
        Map<String, ToServer.VolumeReport> volumes = new HashMap<>();
        one.volumes().forEach((alias, volume) -> {
            ToNode.Grant grant = volume.grant();
            volumes.put(
                    alias,
                    new ToServer.VolumeReport(volume.volume(), grant == null ? 0 : grant.epoch(), phase, 0, null));
        });
        link.send(new ToServer.Allocations(
                List.of(new ToServer.AllocReport(one.allocId(), status, "", Map.of(), volumes, null, null))));
    }

    private void ordered(ToNode.Order order) throws LinkTrouble, InterruptedException {
        switch (order.call()) {
            case ControllerCall.Publish _ -> done(order, new ControllerReply.Published(Secrets.none()));
            case ControllerCall.Validate _ -> done(order, new ControllerReply.Confirmed());
            case ControllerCall.Unpublish _ -> {
                lock.lock();
                try {
                    detaches++;
                    changed.signalAll();
                } finally {
                    lock.unlock();
                }
                threads.vitalWork("bench/detach", () -> {
                    time.sleep(detaching);
                    try {
                        done(order, new ControllerReply.Unpublished());
                    } catch (LinkTrouble closed) {
                        link.close();
                    }
                });
            }
            default -> throw new IllegalStateException("not played: " + order);
        }
    }

    private void done(ToNode.Order order, ControllerReply reply) throws LinkTrouble, InterruptedException {
        link.send(new ToServer.OrderDone(order.operationId(), new OrderOutcome.Done(reply)));
    }

    /** When all volumes of the job were granted and attached, waited for. */
    long awaitGranted(String job) throws InterruptedException {
        long left = PATIENCE_SECONDS * 1_000_000_000L;
        lock.lock();
        try {
            while (left > 0) {
                Long at = grantedAt.get(job);
                if (at != null) {
                    return at;
                }
                left = changed.awaitNanos(left);
            }
            throw new IllegalStateException(
                    "not attached within " + PATIENCE_SECONDS + " s: the volumes of job " + job);
        } finally {
            lock.unlock();
        }
    }

    /** How many detaches were ordered so far. */
    int detaches() {
        lock.lock();
        try {
            return detaches;
        } finally {
            lock.unlock();
        }
    }

    void close() {
        link.close();
    }
}
