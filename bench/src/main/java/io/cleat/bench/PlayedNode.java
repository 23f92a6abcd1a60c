package io.cleat.bench;

import io.cleat.base.LinkTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.model.ClientStatus;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.Link;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireFormat;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    private final PlayedWork work = new PlayedWork();
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
        Optional<ToServer.AllocReport> report = work.assigned(one);
        if (report.isEmpty()) {
            return;
        }
        if (report.get().status() == ClientStatus.RUNNING) {
            lock.lock();
            try {
                grantedAt.put(one.job().id().id(), System.nanoTime());
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
        link.send(new ToServer.Allocations(List.of(report.get())));
    }

    private void ordered(ToNode.Order order) throws LinkTrouble, InterruptedException {
        switch (order.call()) {
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
                        done(order);
                    } catch (LinkTrouble closed) {
                        link.close();
                    }
                });
            }
            default -> done(order);
        }
    }

    private void done(ToNode.Order order) throws LinkTrouble, InterruptedException {
        link.send(
                new ToServer.OrderDone(order.operationId(), new OrderOutcome.Done(PlayedWork.succeeded(order.call()))));
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
