package io.cleat.agent.report;

import io.cleat.model.NodeEvent;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToServer;

/** Where the parts of the agent say that something is new. Never blocks. */
public interface News {
    /** How the allocation is has changed; what it is now is read when it is sent. */
    void allocationChanged(String allocId);

    /** What the node says of itself has changed; likewise. */
    void factsChanged();

    void nodeEvent(NodeEvent event);

    void volumeEvent(VolumeId volume, VolumeEvent event);

    void orderDone(ToServer.OrderDone done);
}
