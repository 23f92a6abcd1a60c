package io.cleat.server.session;

import io.cleat.base.Deadline;
import io.cleat.base.Time;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sessions that are open, at most one of each node, and the reign that they live in. Guarded by {@code lock}, never
 * held while something is sent or committed.
 */
final class OpenSessions {
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, NodeSession> sessions = new HashMap<>();
    private long reign;

    OpenSessions(Time time) {
        this.time = time;
    }

    /**
     * Nodes are let in.
     *
     * @param number of the reign, from 1
     */
    void begin(long number) {
        lock.lock();
        try {
            reign = number;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** No node is let in until the next reign, and all links are closed. */
    void end() {
        begin(0);
        closeAll();
    }

    /** The number of the reign; 0 between two. */
    long reign() {
        lock.lock();
        try {
            return reign;
        } finally {
            lock.unlock();
        }
    }

    /** The number of the reign, which is waited for; 0 when the deadline passes first. */
    long awaitReign(Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (reign == 0 && hasTime) {
                hasTime = time.await(changed, deadline);
            }
            return reign;
        } finally {
            lock.unlock();
        }
    }

    Optional<NodeSession> find(String nodeId) {
        lock.lock();
        try {
            return Optional.ofNullable(sessions.get(nodeId));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the place of the node's older link, once the last of what that one reported is settled: what is reported
     * here is newer.
     *
     * @param within the reign in which the node was let in
     * @return false if that reign has ended, or the older link has not by the deadline
     */
    boolean enter(NodeSession session, long within, Deadline deadline) throws InterruptedException {
        find(session.nodeId()).ifPresent(NodeSession::close);
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (reign == within && sessions.containsKey(session.nodeId()) && hasTime) {
                hasTime = time.await(changed, deadline);
            }
            return reign == within && sessions.putIfAbsent(session.nodeId(), session) == null;
        } finally {
            lock.unlock();
        }
    }

    void leave(NodeSession session) {
        lock.lock();
        try {
            sessions.remove(session.nodeId(), session);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Tasks of each node may read another variable. */
    private void markVariables() {
        lock.lock();
        try {
            sessions.values().forEach(NodeSession::markVariables);
        } finally {
            lock.unlock();
        }
    }

    /** Tasks of each node may find a service elsewhere. */
    private void markServices() {
        lock.lock();
        try {
            sessions.values().forEach(NodeSession::markServices);
        } finally {
            lock.unlock();
        }
    }

    /** The image may say something else of each node. */
    void markAll() {
        lock.lock();
        try {
            sessions.values().forEach(NodeSession::markAll);
        } finally {
            lock.unlock();
        }
    }

    /** The image may say something else of these. */
    void mark(AffectedAllocations affected) {
        if (affected.areVariables()) {
            markVariables();
        }
        if (affected.areServices()) {
            markServices();
        }
        if (affected.isAll()) {
            markAll();
            return;
        }
        affected.nodes().forEach(id -> find(id).ifPresent(NodeSession::markAll));
        affected.allocations().forEach((id, allocIds) -> find(id).ifPresent(session -> session.mark(allocIds)));
    }

    boolean isEmpty() {
        lock.lock();
        try {
            return sessions.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    void closeAll() {
        List<NodeSession> all;
        lock.lock();
        try {
            all = List.copyOf(sessions.values());
        } finally {
            lock.unlock();
        }
        all.forEach(NodeSession::close);
    }
}
