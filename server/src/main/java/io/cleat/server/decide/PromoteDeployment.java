package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Promotes the canaries of a deployment: the rest of the group follows.
 *
 * @param groups the groups; empty for all
 * @param seed a fresh id
 */
public record PromoteDeployment(String deploymentId, List<String> groups, String seed)
        implements Command<DeploymentReply> {
    public PromoteDeployment {
        groups = List.copyOf(groups);
    }

    @Override
    public Decision<Change, DeploymentReply> decide(ClusterState newest, DecideContext context) {
        Optional<DeploymentRow> found = newest.deployments().get(deploymentId);
        Optional<Refusal> refusal =
                Deployments.refusal(found, "promote").or(() -> notReady(newest, found.orElseThrow()));
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        DeploymentRow row = found.orElseThrow();
        Deployments.promote(work, row, this::isMeant);
        return work.accept(new DeploymentReply(Deployments.follow(work, row, seed), null));
    }

    private boolean isMeant(String group) {
        return groups.isEmpty() || groups.contains(group);
    }

    private Optional<Refusal> notReady(ClusterState state, DeploymentRow row) {
        for (String group : groups) {
            if (!row.groups().containsKey(group)) {
                return Optional.of(new Refusal.Conflict("deployment "
                        + row.id()
                        + " has no group \""
                        + group
                        + "\"; its groups are "
                        + row.groups().keySet().stream().sorted().toList()));
            }
        }
        boolean any = false;
        for (Map.Entry<String, DeploymentRow.Group> each : row.groups().entrySet()) {
            DeploymentRow.Group group = each.getValue();
            if (!group.isUnpromoted() || !isMeant(each.getKey())) {
                continue;
            }
            any = true;
            int healthy = AdvanceDeployment.healthyCanaries(state, row, each.getKey());
            if (healthy < group.desiredCanaries()) {
                return Optional.of(new Refusal.Conflict("Task group \""
                        + each.getKey()
                        + "\" has "
                        + healthy
                        + "/"
                        + group.desiredCanaries()
                        + " healthy allocations: it can be promoted once all its canaries are healthy"));
            }
        }
        return any ? Optional.empty() : Optional.of(new Refusal.Conflict("no canaries to promote"));
    }
}
