package io.cleat.server.duty;

import io.cleat.base.DiskTrouble;
import io.cleat.base.LogTrouble;
import io.cleat.base.Time;
import io.cleat.server.commit.Answer;
import io.cleat.server.decide.SendOperation;
import io.cleat.server.session.CallView;
import io.cleat.server.session.Controllers;
import io.cleat.server.session.NodeSessions;
import io.cleat.server.vault.Vault;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.TableName;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ToNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the controller calls that are due. That a call is sent is decided before it is. */
final class OperationDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(OperationDuty.class);
    private static final Duration IDLE = Duration.ofHours(1);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Deciding deciding;
    private final NodeSessions sessions;
    private final Vault vault;
    private final long reign;
    private final Time time;

    OperationDuty(Deciding deciding, NodeSessions sessions, Vault vault, long reign, Time time) {
        this.deciding = deciding;
        this.sessions = sessions;
        this.vault = vault;
        this.reign = reign;
        this.time = time;
    }

    @Override
    public String name() {
        return "operation";
    }

    @Override
    public Set<TableName> tables() {
        return Set.of(TableName.OPERATIONS, TableName.NODES);
    }

    @Override
    public Duration turn() throws LogTrouble, InterruptedException {
        ClusterState state = deciding.newest();
        Instant now = time.now();
        Duration idle = IDLE;
        for (OperationRow row : state.operations()) {
            boolean waits =
                    row.state() == OperationState.LOGGED || row.state() == OperationState.UNKNOWN;
            if (waits) {
                Duration left = left(row, now);
                if (left.isZero() && !send(state, row)) {
                    left = AGAIN;
                }
                idle = left.isZero() || left.compareTo(idle) > 0 ? idle : left;
            }
        }
        return idle;
    }

    private static Duration left(OperationRow row, Instant now) {
        Instant next = row.nextTry();
        return next == null || !next.isAfter(now) ? Duration.ZERO : Duration.between(now, next);
    }

    /** False if there is nobody to send it to now. */
    private boolean send(ClusterState state, OperationRow row)
            throws LogTrouble, InterruptedException {
        Optional<Controllers.Instance> instance = Controllers.forOperation(state, row);
        if (instance.isEmpty() || !sessions.isConnected(instance.get().nodeId())) {
            return false;
        }
        ControllerCall call;
        try {
            call = new CallView(state, vault).toSend(row.call());
        } catch (DiskTrouble trouble) {
            LOG.warn("operation {} cannot be sent: {}", row.id(), trouble.reason());
            return false;
        }
        String nodeId = instance.get().nodeId();
        String allocId = instance.get().allocId();
        Answer<SendOperation.Reply> answer =
                deciding.commit(new SendOperation(row.id(), reign, nodeId, allocId));
        if (answer instanceof Answer.Accepted<SendOperation.Reply>) {
            // If the link breaks before it arrives, the next one asks for it.
            sessions.say(nodeId, new ToNode.Order(row.id(), reign, row.pluginId(), allocId, call));
        }
        return true;
    }
}
