package io.cleat.clusterapi.nodes;

import io.cleat.api.DrainStrategy;
import io.cleat.api.LastDrain;
import io.cleat.api.NodeDrainProgress;
import io.cleat.api.VolumeWhy;
import io.cleat.model.BlockedBy;
import io.cleat.server.decide.Draining;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeDrain;
import io.cleat.state.NodeRow;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Drains of nodes, and how far they are. */
final class DrainView {
    /** Whoever reaches the API without access control is this one. */
    private static final String NOBODY = "token:acls-disabled";

    private DrainView() {}

    static @Nullable DrainStrategy strategy(NodeRow row) {
        NodeDrain drain = row.drain();
        if (drain == null || !row.isDraining()) {
            return null;
        }
        boolean isTimed = !drain.deadline().isZero() && !drain.deadline().isNegative();
        return new DrainStrategy(
                drain.deadline().toNanos(), isTimed ? drain.forceAt() : null, drain.ignoresSystem(), drain.startedAt());
    }

    static @Nullable LastDrain last(NodeRow row) {
        NodeDrain drain = row.drain();
        return drain == null
                ? null
                : new LastDrain(
                        NOBODY,
                        drain.meta().isEmpty() ? null : new TreeMap<>(drain.meta()),
                        drain.startedAt(),
                        drain.status().wire(),
                        drain.updatedAt());
    }

    static NodeDrainProgress progress(ClusterState state, NodeRow row) {
        Draining draining = Draining.of(state, row);
        return new NodeDrainProgress(
                strategy(row),
                last(row),
                row.isDraining() ? draining.left().stream().map(DrainView::left).toList() : List.of(),
                row.id(),
                row.name(),
                row.isDraining() ? name(draining.phase()) : "");
    }

    private static NodeDrainProgress.Left left(Draining.Left left) {
        BlockedBy by = left.waitingFor();
        return new NodeDrainProgress.Left(
                left.object(),
                name(left.phase()),
                left.since(),
                by == null
                        ? null
                        : new VolumeWhy.Waiting(by.hint(), by.holder(), by.nextTry(), by.since(), by.step(), ""));
    }

    private static String name(Draining.Phase phase) {
        return phase.name().toLowerCase(Locale.ROOT);
    }
}
