package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.AllocHealth;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import java.util.List;
import java.util.Optional;

/**
 * A person says whether allocations of a deployment are healthy, where nothing else does.
 *
 * @param seed a fresh id
 */
public record SetAllocationHealth(String deploymentId, List<String> healthy, List<String> unhealthy, String seed)
        implements Command<DeploymentReply> {
    public SetAllocationHealth {
        healthy = List.copyOf(healthy);
        unhealthy = List.copyOf(unhealthy);
    }

    @Override
    public Decision<Change, DeploymentReply> decide(ClusterState newest, DecideContext context) {
        Optional<DeploymentRow> found = newest.deployments().get(deploymentId);
        Optional<Refusal> refusal =
                Deployments.refusal(found, "set the health of allocations of").or(() -> unknown(newest));
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        healthy.forEach(id -> set(work, id, true));
        unhealthy.forEach(id -> set(work, id, false));
        return work.accept(new DeploymentReply(Deployments.follow(work, found.orElseThrow(), seed), null));
    }

    private Optional<Refusal> unknown(ClusterState newest) {
        for (List<String> ids : List.of(healthy, unhealthy)) {
            for (String id : ids) {
                boolean isOwn = newest.allocation(id)
                        .map(row -> row.deploymentId().equals(deploymentId))
                        .orElse(false);
                if (!isOwn) {
                    return Optional.of(
                            new Refusal.Conflict("allocation " + id + " is not part of deployment " + deploymentId));
                }
            }
        }
        return Optional.empty();
    }

    private void set(Work work, String allocId, boolean isHealthy) {
        AllocationRow row = work.state().allocation(allocId).orElseThrow();
        AllocHealth health = new AllocHealth(deploymentId, isHealthy, work.now());
        work.add(new Change.AllocationPut(row.health(health)));
        Deployments.healthKnown(work, row, isHealthy);
    }
}
