package io.cleat.server.duty;

import io.cleat.base.LogTrouble;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.NodeUnheard;
import io.cleat.server.session.Liveness;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides that nodes are down that were not heard for too long. */
final class HeartbeatDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatDuty.class);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Deciding deciding;
    private final Liveness liveness;

    HeartbeatDuty(Deciding deciding, Liveness liveness) {
        this.deciding = deciding;
        this.liveness = liveness;
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
        boolean isRefused = false;
        for (String nodeId : liveness.overdue()) {
            String why = "not heard for " + Liveness.ALLOWED.toSeconds() + " s";
            switch (deciding.commit(new NodeUnheard(nodeId, why, deciding.seed()))) {
                case Answer.Accepted<NodeUnheard.Reply> _ -> liveness.forget(nodeId);
                case Answer.Rejected<NodeUnheard.Reply> rejected -> {
                    isRefused = true;
                    LOG.warn(
                            "node {} is not heard, and that it is down is not decided yet: {}",
                            nodeId,
                            rejected.refusal().message());
                }
            }
        }
        // One that is refused stays overdue, and would be asked for without a pause.
        Duration next = liveness.untilNextOverdue();
        return isRefused && next.compareTo(AGAIN) < 0 ? AGAIN : next;
    }
}
