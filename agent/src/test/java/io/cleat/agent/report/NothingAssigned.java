package io.cleat.agent.report;

import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A node without allocations, which does nothing that it is told. */
class NothingAssigned implements ServerSession.Assigned {
    @Override
    public void assign(long version, List<ToNode.Assignment> allocations) {}

    @Override
    public void change(long version, List<ToNode.Assignment> allocations, List<String> gone) {}

    @Override
    public Collection<String> known() {
        return List.of();
    }

    @Override
    public Optional<ToServer.AllocReport> report(String allocId) {
        return Optional.empty();
    }

    @Override
    public List<ToServer.Held> held() {
        return List.of();
    }

    @Override
    public void beginAnew() {}
}
