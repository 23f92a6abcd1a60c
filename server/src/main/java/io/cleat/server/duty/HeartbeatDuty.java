package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.NodeUnheard;
import io.cleat.server.session.NodeSessions;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Set;

/** Decides that nodes are down that were not heard for too long. */
final class HeartbeatDuty implements Duty {
    private final Deciding deciding;
    private final NodeSessions sessions;

    HeartbeatDuty(Deciding deciding, NodeSessions sessions) {
        this.deciding = deciding;
        this.sessions = sessions;
    }

    @Override
    public String name() {
        return "heartbeat";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of();
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        for (String nodeId : sessions.overdue()) {
            String why = "not heard for " + NodeSessions.ALLOWED_SILENCE.toSeconds() + " s";
            if (deciding.commit(new NodeUnheard(nodeId, why, deciding.seed()))
                    instanceof Answer.Accepted<?>) {
                sessions.forget(nodeId);
            }
        }
        return sessions.untilNextOverdue();
    }
}
