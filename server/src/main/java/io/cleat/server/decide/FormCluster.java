package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.util.Optional;

/** Gives the cluster its id, once. */
public record FormCluster(String clusterId) implements Command<FormCluster.Reply> {
    /** @param clusterId the one it has */
    public record Reply(String clusterId) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<String> known = newest.clusterId();
        if (known.isEmpty()) {
            work.add(new Change.ClusterFormed(clusterId));
        }
        return work.accept(new Reply(known.orElse(clusterId)));
    }

    @Override
    public boolean goesOnInRecovery() {
        return true;
    }
}
