package io.cleat.server.duty;

import io.cleat.base.FaultHandler;
import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.AdvanceDeployment;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Ends deployments that are done or have failed, and promotes canaries that may be. */
final class DeploymentDuty implements Duty {
    private static final Duration IDLE = Duration.ofHours(1);

    /** After how long a deployment is looked at again whose decision was refused. */
    private static final Duration AGAIN = Duration.ofSeconds(5);

    private final Deciding deciding;
    private final FaultHandler faults;

    DeploymentDuty(Deciding deciding, FaultHandler faults) {
        this.faults = faults;
        this.deciding = deciding;
    }

    @Override
    public String name() {
        return "deployment";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(TableName.DEPLOYMENTS, TableName.ALLOCATIONS);
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        ClusterState state = deciding.newest();
        Instant now = deciding.now();
        Duration idle = IDLE;
        for (DeploymentRow row : state.deployments().all()) {
            if (row.status() != DeploymentStatus.RUNNING) {
                continue;
            }
            Duration left;
            try {
                left = advance(state, row, now);
            } catch (RuntimeException | Error fault) {
                faults.contain("duty/deployment, deployment " + row.id(), fault);
                left = AFTER_FAULT;
            }
            idle = left.compareTo(idle) < 0 ? left : idle;
        }
        return idle;
    }

    private Duration advance(ClusterState state, DeploymentRow row, Instant now)
            throws LogTrouble, InterruptedException {
        if (AdvanceDeployment.due(state, row, now).isPresent()) {
            return deciding.commit(new AdvanceDeployment(row.id(), deciding.seed())) instanceof Answer.Accepted<?>
                    ? IDLE
                    : AGAIN;
        }
        Duration least = IDLE;
        for (String group : row.groups().keySet()) {
            Optional<Instant> by = AdvanceDeployment.deadline(state, row, group);
            Duration left = by.map(at -> Duration.between(now, at)).orElse(IDLE);
            least = left.compareTo(least) < 0 ? left : least;
        }
        return least;
    }
}
