package io.cleat.server.duty;

import io.cleat.base.DiskTrouble;
import io.cleat.base.FaultHandler;
import io.cleat.base.LogTrouble;
import io.cleat.schedule.PluginLanes;
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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the controller calls whose turn has come, as many of each lane as it is wide. That a call is sent is decided
 * before it is.
 */
final class OperationDuty implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(OperationDuty.class);
    private static final Duration IDLE = Duration.ofHours(1);
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Deciding deciding;
    private final Links links;
    private final Vault vault;
    private final long reign;
    private final FaultHandler faults;

    /** The links to the nodes. */
    interface Links {
        boolean isConnected(String nodeId);

        /** Sends soon, if the node is connected. */
        void say(String nodeId, ToNode message);

        static Links of(NodeSessions sessions) {
            return new Links() {
                @Override
                public boolean isConnected(String nodeId) {
                    return sessions.isConnected(nodeId);
                }

                @Override
                public void say(String nodeId, ToNode message) {
                    sessions.say(nodeId, message);
                }
            };
        }
    }

    OperationDuty(Deciding deciding, Links links, Vault vault, long reign, FaultHandler faults) {
        this.faults = faults;
        this.deciding = deciding;
        this.links = links;
        this.vault = vault;
        this.reign = reign;
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
        PluginLanes lanes = PluginLanes.of(state, deciding.now());
        Reach reach = new Reach(state);
        boolean isRefused = false;
        for (OperationRow row : lanes.toSend(row -> reach.to(row).isPresent())) {
            try {
                isRefused |= !send(state, row, reach.to(row).orElseThrow());
            } catch (RuntimeException | Error fault) {
                faults.contain("duty/operation, operation " + row.id(), fault);
            }
        }
        // Room in a lane is seen as a change of a row; that a node is back may not be.
        return isRefused || lanes.hasDue() ? AGAIN : lanes.untilNext(IDLE);
    }

    /** Who can be called now, looked up once for each instance that calls stay with. */
    private final class Reach {
        private final ClusterState state;
        private final Map<String, Optional<Controllers.Instance>> known = new HashMap<>();

        Reach(ClusterState state) {
            this.state = state;
        }

        Optional<Controllers.Instance> to(OperationRow row) {
            String key = row.state() == OperationState.UNKNOWN
                    ? row.pluginId() + "/" + row.nodeId() + "/" + row.allocId()
                    : row.pluginId();
            return known.computeIfAbsent(
                    key,
                    missing -> Controllers.forOperation(state, row).filter(found -> links.isConnected(found.nodeId())));
        }
    }

    /** False if that it is sent was refused, and so it was not. */
    private boolean send(ClusterState state, OperationRow row, Controllers.Instance instance)
            throws LogTrouble, InterruptedException {
        ControllerCall call;
        try {
            call = new CallView(state, vault).toSend(row.call());
        } catch (DiskTrouble trouble) {
            LOG.warn("operation {} cannot be sent: {}", row.id(), trouble.reason());
            return true;
        }
        String nodeId = instance.nodeId();
        String allocId = instance.allocId();
        Answer<SendOperation.Reply> answer = deciding.commit(new SendOperation(row.id(), reign, nodeId, allocId));
        if (answer instanceof Answer.Rejected<SendOperation.Reply>) {
            return false;
        }
        // If the link breaks before it arrives, the next one asks for it.
        links.say(nodeId, new ToNode.Order(row.id(), reign, row.pluginId(), allocId, call));
        return true;
    }
}
