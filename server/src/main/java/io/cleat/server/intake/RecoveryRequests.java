package io.cleat.server.intake;

import io.cleat.base.Deadline;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.server.decide.AbandonHoldings;
import io.cleat.server.decide.EndRecovery;
import io.cleat.server.session.NodeSessions;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import java.util.List;
import java.util.Set;

/** What a person decides about a recovery. Any thread. */
public final class RecoveryRequests {
    private final Commits commits;
    private final NodeSessions sessions;

    RecoveryRequests(Commits commits, NodeSessions sessions) {
        this.commits = commits;
        this.sessions = sessions;
    }

    /** The known nodes that have not said yet what they hold; none if there is no recovery. */
    public List<NodeRow> unheard() {
        ClusterState state = commits.newest();
        Set<String> told = sessions.toldInRecovery();
        return state.isRecovering()
                ? state.nodes().stream()
                        .filter(node -> !told.contains(node.id()))
                        .toList()
                : List.of();
    }

    /**
     * Ends the recovery: what the servers know is the past.
     *
     * @param by who says so
     * @param force though a node has not said what it holds: its volumes may be granted to others
     * @return how many nodes begin anew; 0 if there was no recovery
     */
    public int end(String by, boolean force, Deadline deadline) throws Refused, LogTrouble, InterruptedException {
        List<NodeRow> unheard = unheard();
        if (!force && !unheard.isEmpty()) {
            throw new Refused(new Refusal.Conflict("node "
                    + unheard.getFirst().name()
                    + (unheard.size() == 1 ? " has" : " and " + (unheard.size() - 1) + " more have")
                    + " not said yet what they hold, and their volumes could be"
                    + " granted to others while they write: have them reach the"
                    + " servers, which takes 15 s; of machines that are off for"
                    + " good say so with -force"));
        }
        return commits.commit(new EndRecovery(by), deadline).reply().nodes();
    }

    /**
     * Frees what a node holds that nobody knows: a person vouches that its machine is off for good.
     *
     * @return how many holdings went
     */
    public int abandon(String nodeId, Deadline deadline) throws Refused, LogTrouble, InterruptedException {
        int freed = 0;
        boolean more = true;
        while (more) {
            AbandonHoldings.Reply reply =
                    commits.commit(new AbandonHoldings(nodeId), deadline).reply();
            freed += reply.freed();
            more = reply.more();
        }
        return freed;
    }
}
