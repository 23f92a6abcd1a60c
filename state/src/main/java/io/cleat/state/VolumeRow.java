package io.cleat.state;

import io.cleat.model.Topology;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A registered volume. What it is used as now is derived from its claims; its health from its
 * plugin.
 *
 * @param spec with the provider's external id and context
 * @param capacity bytes, as the provider says; 0 if it does not
 * @param topologies where it can be reached from; empty for everywhere
 * @param resourceExhausted when a node last had no room for it; null if it never happened
 * @param events the last ones, oldest first
 */
public record VolumeRow(
        VolumeSpec spec,
        Encrypted secrets,
        long capacity,
        List<Topology> topologies,
        @Nullable Instant resourceExhausted,
        List<VolumeEvent> events,
        Instant createdAt,
        Instant modifiedAt,
        long createVersion,
        long modifyVersion)
        implements Row<VolumeRow> {
    /** How many events are kept. */
    public static final int EVENTS_KEPT = 50;

    public VolumeRow {
        topologies = List.copyOf(topologies);
        events = List.copyOf(events);
    }

    /** A volume that was not there before. */
    public static VolumeRow of(
            VolumeSpec spec,
            Encrypted secrets,
            long capacity,
            List<Topology> topologies,
            Instant now) {
        return new VolumeRow(spec, secrets, capacity, topologies, null, List.of(), now, now, 0, 0);
    }

    public VolumeId id() {
        return spec.id();
    }

    /** What excludes other users. */
    public VolumeKey key() {
        return new VolumeKey(spec.pluginId(), spec.externalId());
    }

    public VolumeRow withSpec(VolumeSpec newSpec, Encrypted newSecrets, Instant at) {
        return new VolumeRow(
                newSpec,
                newSecrets,
                capacity,
                topologies,
                resourceExhausted,
                events,
                createdAt,
                at,
                createVersion,
                modifyVersion);
    }

    VolumeRow withEvents(List<VolumeEvent> more) {
        List<VolumeEvent> all = new ArrayList<>(events);
        all.addAll(more);
        return new VolumeRow(
                spec,
                secrets,
                capacity,
                topologies,
                resourceExhausted,
                all.subList(Math.max(0, all.size() - EVENTS_KEPT), all.size()),
                createdAt,
                modifiedAt,
                createVersion,
                modifyVersion);
    }

    VolumeRow touched(Instant at) {
        return withSpec(spec, secrets, at);
    }

    @Override
    public VolumeRow stamped(long newCreate, long newModify) {
        return new VolumeRow(
                spec,
                secrets,
                capacity,
                topologies,
                resourceExhausted,
                events,
                createdAt,
                modifiedAt,
                newCreate,
                newModify);
    }
}
