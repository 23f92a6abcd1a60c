package io.cleat.agent.volumes;

import io.cleat.agent.report.News;
import io.cleat.model.NodeEvent;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.wire.ToServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what is said. */
final class HeardNews implements News {
    final List<NodeEvent> node = new CopyOnWriteArrayList<>();
    final List<VolumeEvent> volume = new CopyOnWriteArrayList<>();
    final List<String> allocations = new CopyOnWriteArrayList<>();
    final AtomicInteger factsChanges = new AtomicInteger();

    @Override
    public void allocationChanged(String allocId) {
        allocations.add(allocId);
    }

    @Override
    public void factsChanged() {
        factsChanges.incrementAndGet();
    }

    @Override
    public void nodeEvent(NodeEvent event) {
        node.add(event);
    }

    @Override
    public void volumeEvent(VolumeId id, VolumeEvent event) {
        volume.add(event);
    }

    @Override
    public void orderDone(ToServer.OrderDone done) {}
}
