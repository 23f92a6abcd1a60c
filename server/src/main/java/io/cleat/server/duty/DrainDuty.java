package io.cleat.server.duty;

import io.cleat.base.FaultHandler;
import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.AdvanceDrain;
import io.cleat.server.decide.Draining;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;

/** Empties the nodes that are drained, one phase after the other. */
final class DrainDuty implements Duty {
    private static final Duration IDLE = Duration.ofHours(1);

    /** After how long a node is looked at again whose decision was refused. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Deciding deciding;
    private final FaultHandler faults;

    DrainDuty(Deciding deciding, FaultHandler faults) {
        this.faults = faults;
        this.deciding = deciding;
    }

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(TableName.NODES, TableName.ALLOCATIONS, TableName.CLAIMS, TableName.ATTACHMENTS);
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        ClusterState state = deciding.newest();
        Instant now = deciding.now();
        Duration idle = IDLE;
        for (NodeRow node : state.drainingNodes()) {
            try {
                boolean isRefused = Draining.of(state, node).isDue(now)
                        && deciding.commit(new AdvanceDrain(node.id(), deciding.seed())) instanceof Answer.Rejected<?>;
                idle = isRefused && AGAIN.compareTo(idle) < 0 ? AGAIN : idle;
            } catch (RuntimeException | Error fault) {
                faults.contain("duty/drain, node " + node.id(), fault);
                idle = AFTER_FAULT.compareTo(idle) < 0 ? AFTER_FAULT : idle;
            }
            Instant forceAt = Objects.requireNonNull(node.drain()).forceAt();
            if (forceAt != null && now.isBefore(forceAt)) {
                Duration left = Duration.between(now, forceAt);
                idle = left.compareTo(idle) < 0 ? left : idle;
            }
        }
        return idle;
    }
}
