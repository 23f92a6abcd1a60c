package io.cleat.server.duty;

import io.cleat.base.Chance;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.server.commit.Committer;
import io.cleat.server.session.NodeSessions;
import io.cleat.server.vault.Vault;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All duties of a leader. They run from {@link #begin} to {@link #end}. Guarded by {@code lock}.
 */
public final class Duties {
    private final Committer<ClusterState, Change> committer;
    private final NodeSessions sessions;
    private final Vault vault;
    private final Time time;
    private final Threads threads;
    private final Chance chance;
    private final Ids ids;
    private final ReentrantLock lock = new ReentrantLock();
    private List<DutyLoop> loops = List.of();
    private final List<Thread> running = new ArrayList<>();

    public Duties(
            Committer<ClusterState, Change> committer,
            NodeSessions sessions,
            Vault vault,
            Time time,
            Threads threads,
            Chance chance,
            Ids ids) {
        this.committer = committer;
        this.sessions = sessions;
        this.vault = vault;
        this.time = time;
        this.threads = threads;
        this.chance = chance;
        this.ids = ids;
    }

    /**
     * A reign begins.
     *
     * @param reign its number, which goes out with each order
     */
    public void begin(long reign) {
        Deciding deciding = new Committing(committer, time, ids);
        FaultHandler faults = threads.faults();
        List<DutyLoop> begun =
                List.<Duty>of(
                                new PlacementDuty(deciding, ids, faults),
                                new HeartbeatDuty(deciding, sessions),
                                new AttachmentDuty("attach", deciding, new Attaching(ids, faults)),
                                new AttachmentDuty("release", deciding, new Detaching(ids, faults)),
                                new DrainDuty(deciding, faults),
                                new DeploymentDuty(deciding, faults),
                                new OperationDuty(deciding, sessions, vault, reign, faults),
                                new GarbageDuty(deciding))
                        .stream()
                        .map(duty -> new DutyLoop(duty, time, chance))
                        .toList();
        lock.lock();
        try {
            loops = begun;
            begun.forEach(loop -> running.add(threads.vital("duty/" + loop.name(), loop::run)));
        } finally {
            lock.unlock();
        }
    }

    /** The reign ends. What a duty was about to do is left to the next. */
    public void end() {
        lock.lock();
        try {
            loops = List.of();
            running.forEach(Thread::interrupt);
            running.clear();
        } finally {
            lock.unlock();
        }
    }

    /** The image has changed. Returns at once. */
    public void imageChanged(ClusterState before, ClusterState after) {
        current().forEach(loop -> loop.imageChanged(before, after));
    }

    /** Nothing is known of what has changed. */
    public void imageReplaced() {
        current().forEach(DutyLoop::ring);
    }

    private List<DutyLoop> current() {
        lock.lock();
        try {
            return loops;
        } finally {
            lock.unlock();
        }
    }
}
