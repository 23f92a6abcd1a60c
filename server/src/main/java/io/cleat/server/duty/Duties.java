package io.cleat.server.duty;

import io.cleat.base.Chance;
import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.InWork;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Watched;
import io.cleat.server.commit.Committer;
import io.cleat.server.session.LockTimes;
import io.cleat.server.session.NodeSessions;
import io.cleat.server.vault.Vault;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** All duties of a leader. They run from {@link #begin} to {@link #end}. Guarded by {@code lock}. */
public final class Duties {
    private final Committer<ClusterState, Change> committer;
    private final NodeSessions sessions;
    private final Vault vault;
    private final LockTimes locks;
    private final Time time;
    private final Threads threads;
    private final Chance chance;
    private final Ids ids;
    private final InWork inWork;
    private final Garbage garbage;
    private final ReentrantLock lock = new ReentrantLock();
    private List<DutyLoop> loops = List.of();
    private volatile @Nullable PlacementDuty placement;
    private final List<Thread> running = new ArrayList<>();

    public Duties(
            Committer<ClusterState, Change> committer,
            NodeSessions sessions,
            Vault vault,
            LockTimes locks,
            Time time,
            Threads threads,
            Chance chance,
            Ids ids,
            InWork inWork,
            Garbage garbage) {
        this.committer = committer;
        this.sessions = sessions;
        this.vault = vault;
        this.locks = locks;
        this.time = time;
        this.threads = threads;
        this.chance = chance;
        this.ids = ids;
        this.inWork = inWork;
        this.garbage = garbage;
    }

    /**
     * A reign begins.
     *
     * @param reign its number, which goes out with each order
     */
    public void begin(long reign) {
        locks.begin();
        Deciding deciding = new Committing(committer, time, ids);
        FaultHandler faults = threads.faults();
        BooleanSupplier isRecovering = () -> deciding.newest().isRecovering();
        PlacementDuty planner = new PlacementDuty(deciding, ids, faults, inWork);
        placement = planner;
        List<DutyLoop> begun = List.<Duty>of(
                        planner,
                        new DutyGroup(
                                "heartbeat",
                                List.of(new HeartbeatDuty(deciding, sessions), new LockDuty(deciding, locks))),
                        new AttachmentDuty("attach", deciding, new Attaching(ids, faults)),
                        new AttachmentDuty("release", deciding, new Detaching(ids, faults)),
                        new DrainDuty(deciding, faults),
                        new DeploymentDuty(deciding, faults),
                        new OperationDuty(deciding, OperationDuty.Links.of(sessions), vault, reign, faults),
                        new PeriodicDuty(deciding, faults),
                        new HostVolumeDuty(deciding, new HostVolumeCalls(sessions, threads, time), faults),
                        new RemainderDuty(deciding),
                        new GarbageDuty(deciding, garbage))
                .stream()
                .map(duty -> new DutyLoop(duty, isRecovering, time, chance))
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
        current().forEach(DutyLoop::signal);
    }

    /** The evaluation that is being planned, for a watchdog. */
    public Optional<Watched.Head> planning() {
        PlacementDuty duty = placement;
        return duty == null ? Optional.empty() : duty.planning();
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
