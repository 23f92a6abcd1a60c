package io.cleat.state;

import io.cleat.base.Since;
import io.cleat.model.Topology;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A registered volume. What it is used as now is derived from its claims; its health from its plugin.
 *
 * @param spec with the provider's external id and context
 * @param capacity bytes, as the provider says; 0 if it does not
 * @param expandTo bytes that each node that uses it is to expand its side to; 0 for none
 * @param compareOnly whether nodes have no part in that, by their provider's words, and only compare their devices with
 *     it
 * @param topologies where it can be reached from; empty for everywhere
 * @param resourceExhausted always null, and asked by nobody: it is a part of the stored format. That a node has no room
 *     for more volumes is the node's, and tells nothing of the volume
 * @param events the last ones, oldest first
 */
public record VolumeRow(
        VolumeSpec spec,
        Encrypted secrets,
        long capacity,
        long expandTo,
        @Since(Change.COMPARE_LEVEL) boolean compareOnly,
        List<Topology> topologies,
        @Nullable Instant resourceExhausted,
        List<VolumeEvent> events,
        Instant createdAt,
        Instant modifiedAt,
        long createVersion,
        long modifyVersion)
        implements Row<VolumeRow>, Claimable {
    /** How many events are kept. */
    public static final int EVENTS_KEPT = 50;

    public VolumeRow {
        topologies = List.copyOf(topologies);
        events = List.copyOf(events);
    }

    /** A volume that was not there before. */
    public static VolumeRow of(
            VolumeSpec spec, Encrypted secrets, long capacity, List<Topology> topologies, Instant now) {
        return new VolumeRow(spec, secrets, capacity, 0, false, topologies, null, List.of(), now, now, 0, 0);
    }

    @Override
    public VolumeId id() {
        return spec.id();
    }

    @Override
    public VolumeKey key() {
        return new VolumeKey(spec.pluginId(), spec.externalId());
    }

    @Override
    public List<VolumeModes> capabilities() {
        return spec.capabilities();
    }

    public VolumeRow withSpec(VolumeSpec newSpec, Encrypted newSecrets, Instant at) {
        return edit().spec(newSpec, newSecrets).modifiedAt(at).done();
    }

    /**
     * This volume, grown.
     *
     * @param bytes as the provider says
     * @param onNodes whether nodes are to expand it as well
     */
    public VolumeRow grown(long bytes, boolean onNodes, Instant at) {
        VolumeDraft grown = edit().capacity(bytes).modifiedAt(at);
        return (onNodes ? grown.expandTo(bytes, false) : grown).done();
    }

    /**
     * The same, where nodes have no part in its last growth: those that use it as a device compare that. What one of
     * them still has to do for an earlier growth it does for this one.
     */
    public VolumeRow compared() {
        return edit().expandTo(capacity, expandTo == 0 || compareOnly).done();
    }

    VolumeRow withEvents(List<VolumeEvent> more) {
        return edit().events(more).done();
    }

    VolumeRow touched(Instant at) {
        return edit().modifiedAt(at).done();
    }

    @Override
    public VolumeRow stamped(long newCreate, long newModify) {
        return edit().versions(newCreate, newModify).done();
    }

    private VolumeDraft edit() {
        return new VolumeDraft(this);
    }
}
