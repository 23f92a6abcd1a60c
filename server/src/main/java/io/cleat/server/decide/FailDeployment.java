package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import java.util.Optional;

/**
 * Ends a deployment: nothing more of its job's version is spread, and where the job says so the last good version comes
 * back.
 *
 * @param seed a fresh id
 */
public record FailDeployment(String deploymentId, String seed) implements Command<DeploymentReply> {
    @Override
    public Decision<Change, DeploymentReply> decide(ClusterState newest, DecideContext context) {
        Optional<DeploymentRow> found = newest.deployments().get(deploymentId);
        Optional<Refusal> refusal = Deployments.refusal(found, "fail");
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        DeploymentRow row = found.orElseThrow();
        Optional<Long> reverted = Deployments.fail(work, row, "Deployment marked as failed");
        return work.accept(new DeploymentReply(Deployments.follow(work, row, seed), reverted.orElse(null)));
    }
}
