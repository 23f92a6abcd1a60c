package io.cleat.clusterapi.nodes;

import io.cleat.api.ServerAddress;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.http.AgentLocator;
import io.cleat.server.intake.Images;
import io.cleat.state.AllocationRow;
import io.cleat.state.NodeRow;
import java.util.Optional;

/**
 * Where nodes are, by what they said when they came.
 *
 * @param ownNode the node of this process; empty if there is none
 */
public record NodeAddresses(Images images, String ownNode) implements AgentLocator {
    @Override
    public Optional<ServerAddress> ofNode(String nodeId) throws Refused, Trouble, InterruptedException {
        if (nodeId.isEmpty() || nodeId.equals(ownNode)) {
            return Optional.empty();
        }
        Optional<NodeRow> node = images.read(true).node(nodeId);
        return node.isEmpty()
                ? Optional.empty()
                : Optional.of(ServerAddress.parse(node.get().facts().httpAddress()));
    }

    @Override
    public Optional<ServerAddress> ofAllocation(String allocId) throws Refused, Trouble, InterruptedException {
        Optional<AllocationRow> allocation = images.read(true).allocation(allocId);
        return allocation.isEmpty() ? Optional.empty() : ofNode(allocation.get().nodeId());
    }
}
