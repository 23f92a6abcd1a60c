package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import java.util.Optional;

/**
 * Holds a deployment, or lets it go on: while it is held, nothing more of its job's version is spread.
 *
 * @param pause false to go on
 * @param seed a fresh id
 */
public record PauseDeployment(String deploymentId, boolean pause, String seed) implements Command<DeploymentReply> {
    @Override
    public Decision<Change, DeploymentReply> decide(ClusterState newest, DecideContext context) {
        Optional<DeploymentRow> found = newest.deployments().get(deploymentId);
        Optional<Refusal> refusal = Deployments.refusal(found, pause ? "pause" : "resume");
        if (refusal.isPresent()) {
            return Work.refuse(refusal.get());
        }
        Work work = new Work(newest, context);
        DeploymentRow row = found.orElseThrow();
        DeploymentStatus wanted = pause ? DeploymentStatus.PAUSED : DeploymentStatus.RUNNING;
        if (row.status() == wanted) {
            return work.accept(new DeploymentReply("", null));
        }
        Deployments.end(work, row, wanted, pause ? "Deployment is paused" : "Deployment is running");
        if (pause) {
            return work.accept(new DeploymentReply("", null));
        }
        // The time that it was held is not counted against it.
        DeploymentRow running = work.state().deployments().get(deploymentId).orElseThrow();
        work.add(new Change.DeploymentPut(running.withGroups(
                group -> group.requireProgressBy() == null ? group : group.progressed(work.now()), work.now())));
        return work.accept(new DeploymentReply(Deployments.follow(work, row, seed), null));
    }
}
