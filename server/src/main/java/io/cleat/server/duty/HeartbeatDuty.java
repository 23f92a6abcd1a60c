package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.NodeUnheard;
import io.cleat.server.session.Silence;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Set;

/** Decides that nodes are down that were not heard for too long. */
final class HeartbeatDuty implements Duty {
    private final Deciding deciding;
    private final Silence silence;

    HeartbeatDuty(Deciding deciding, Silence silence) {
        this.deciding = deciding;
        this.silence = silence;
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
        for (String nodeId : silence.overdue()) {
            String why = "not heard for " + Silence.ALLOWED.toSeconds() + " s";
            if (deciding.commit(new NodeUnheard(nodeId, why, deciding.seed()))
                    instanceof Answer.Accepted<?>) {
                silence.forget(nodeId);
            }
        }
        return silence.untilNextOverdue();
    }
}
