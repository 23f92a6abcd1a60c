package io.cleat.clusterapi.deployments;

import io.cleat.api.Deployment;
import io.cleat.api.DeploymentState;
import io.cleat.api.Nanos;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.JobRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Deployments; how far they are is looked up among the allocations. */
public final class DeploymentView {
    private DeploymentView() {}

    public static Deployment of(ClusterState state, DeploymentRow row) {
        Map<String, DeploymentState> groups = new TreeMap<>();
        List<AllocationRow> allocations = state.allocationsOfDeployment(row);
        long modified = row.modifyVersion();
        for (AllocationRow allocation : allocations) {
            modified = Math.max(modified, allocation.modifyVersion());
        }
        row.groups()
                .forEach((name, group) -> groups.put(
                        name,
                        group(
                                group,
                                allocations.stream()
                                        .filter(a -> a.group().equals(name))
                                        .toList())));
        return new Deployment(
                row.createVersion(),
                Nanos.of(row.createdAt()),
                state.job(row.job()).map(job -> job.spec().priority()).orElse(0),
                row.id(),
                false,
                state.job(row.job())
                        .map(JobRow::createVersion)
                        .filter(created -> created <= row.createVersion())
                        .orElse(0L),
                row.job().id(),
                row.jobModifyVersion(),
                row.jobModifyVersion(),
                row.jobNumber(),
                modified,
                Nanos.of(row.modifiedAt()),
                row.job().namespace(),
                row.status().wire(),
                row.statusDescription(),
                groups);
    }

    private static DeploymentState group(DeploymentRow.Group group, List<AllocationRow> allocations) {
        int healthy = 0;
        int unhealthy = 0;
        List<String> canaries = new ArrayList<>();
        for (AllocationRow allocation : allocations) {
            healthy += allocation.isHealthy() && !allocation.isTerminal() ? 1 : 0;
            unhealthy += allocation.isUnhealthy() ? 1 : 0;
            if (allocation.isCanary()) {
                canaries.add(allocation.id());
            }
        }
        return new DeploymentState(
                group.autoPromote(),
                group.autoRevert(),
                group.desiredCanaries(),
                group.desiredTotal(),
                healthy,
                allocations.size(),
                canaries.isEmpty() ? null : canaries,
                group.progressDeadline().toNanos(),
                group.promoted(),
                group.requireProgressBy(),
                unhealthy);
    }
}
