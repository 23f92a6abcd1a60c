package io.cleat.clusterapi;

import io.cleat.base.EarlyEnd;
import io.cleat.server.commit.Saved;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** An image that changes only when a query waits for it: to the next of a list. */
public final class FixedImages implements Images {
    private final Deque<ClusterState> next = new ArrayDeque<>();
    private ClusterState state;

    public FixedImages(ClusterState state) {
        this.state = state;
    }

    /** Another one, at once. */
    void show(ClusterState now) {
        state = now;
    }

    void then(ClusterState later) {
        next.add(later);
    }

    @Override
    public ClusterState read(boolean stale) {
        return state;
    }

    @Override
    public Saved<ClusterState> save() {
        return Intake.saved(state);
    }

    @Override
    public ClusterState readNewer(boolean stale, Versions wanted, long index, Duration longest, EarlyEnd early) {
        while (index > 0 && wanted.of().applyAsLong(state) <= index && !next.isEmpty()) {
            state = next.remove();
        }
        return state;
    }
}
