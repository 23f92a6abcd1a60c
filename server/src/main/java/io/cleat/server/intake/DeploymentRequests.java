package io.cleat.server.intake;

import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.codec.RecordCodec;
import io.cleat.server.decide.DeploymentReply;
import io.cleat.server.decide.FailDeployment;
import io.cleat.server.decide.PauseDeployment;
import io.cleat.server.decide.PromoteDeployment;
import io.cleat.server.decide.SetAllocationHealth;
import java.util.List;

/** Requests about deployments. Any thread. */
public final class DeploymentRequests {
    static final RecordCodec<DeploymentReply> REPLY = RecordCodec.stored("rdep", 1, DeploymentReply.class);

    /** How many allocations one decision is about. */
    private static final int AT_ONCE = 25;

    private final Commits commits;

    DeploymentRequests(Commits commits) {
        this.commits = commits;
    }

    /**
     * Holds a deployment.
     *
     * @param pause false to let it go on
     */
    public Done<DeploymentReply> pause(String id, boolean pause, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(new PauseDeployment(id, pause, commits.seed()), () -> List.of(id, pause), REPLY, asked);
    }

    /**
     * Promotes the canaries of a deployment.
     *
     * @param groups empty for all
     */
    public Done<DeploymentReply> promote(String id, List<String> groups, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(new PromoteDeployment(id, groups, commits.seed()), () -> List.of(id, groups), REPLY, asked);
    }

    /** Ends a deployment as failed. */
    public Done<DeploymentReply> fail(String id, Asked asked) throws Refused, LogTrouble, InterruptedException {
        return commits.once(new FailDeployment(id, commits.seed()), () -> List.of(id), REPLY, asked);
    }

    /**
     * Says of allocations of a deployment whether they are healthy. Many are said in parts, each of which may be said
     * twice; the last is kept with the request.
     */
    public Done<DeploymentReply> health(String id, List<String> healthy, List<String> unhealthy, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        List<String> well = healthy;
        List<String> ill = unhealthy;
        for (; well.size() > AT_ONCE; well = well.subList(AT_ONCE, well.size())) {
            said(id, well.subList(0, AT_ONCE), List.of(), asked);
        }
        for (; ill.size() > AT_ONCE; ill = ill.subList(AT_ONCE, ill.size())) {
            said(id, List.of(), ill.subList(0, AT_ONCE), asked);
        }
        return commits.once(
                new SetAllocationHealth(id, well, ill, commits.seed()),
                () -> List.of(id, healthy, unhealthy),
                REPLY,
                asked);
    }

    private void said(String id, List<String> healthy, List<String> unhealthy, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        commits.commit(new SetAllocationHealth(id, healthy, unhealthy, commits.seed()), asked.deadline());
    }
}
