package io.cleat.server.intake;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.server.commit.Committer;
import io.cleat.server.commit.Saved;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.time.Duration;

/** Images for those who only look. Any thread. */
public final class Reads implements Images {
    /** How long a read waits for this member to lead. */
    private static final Duration LEAD_WITHIN = Duration.ofSeconds(10);

    private final Committer<ClusterState, Change> committer;
    private final ImageWaiters waiters;
    private final Time time;
    private final Chance chance;

    Reads(Committer<ClusterState, Change> committer, ImageWaiters waiters, Time time, Chance chance) {
        this.committer = committer;
        this.waiters = waiters;
        this.time = time;
        this.chance = chance;
    }

    /** @throws Refused no member leads, or another one does */
    @Override
    public ClusterState read(boolean stale) throws Refused, LogTrouble, InterruptedException {
        ClusterState known = known();
        return stale && known.clusterId().isPresent()
                ? known
                : committer.read(Deadline.in(time, LEAD_WITHIN)).image();
    }

    /** @throws Refused no member leads, or another one does */
    @Override
    public Saved<ClusterState> save() throws Refused, LogTrouble, InterruptedException {
        return committer.save(Deadline.in(time, LEAD_WITHIN));
    }

    /** What this member has, however little that is: asks nobody and does not wait. */
    public ClusterState known() {
        return committer.applied().image();
    }

    @Override
    public ClusterState readNewer(boolean stale, Versions wanted, long index, Duration longest, EarlyEnd early)
            throws Refused, LogTrouble, InterruptedException {
        ClusterState first = read(stale);
        if (index <= 0 || wanted.of().applyAsLong(first) > index) {
            return first;
        }
        long jitter = chance.below(longest.toNanos() / 16 + 1);
        Deadline deadline = Deadline.in(time, longest.plusNanos(jitter));
        return waiters.await(
                wanted.tables(), wanted.row(), image -> wanted.of().applyAsLong(image) > index, deadline, early);
    }
}
