package io.cleat.clusterapi.volumes;

import io.cleat.api.CsiCapability;
import io.cleat.api.CsiTopology;
import io.cleat.api.CsiTopologyRequest;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.MountOptionsConversion;
import io.cleat.api.Nanos;
import io.cleat.clusterapi.allocations.AllocationView;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.schedule.PluginCounts;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.VolumeRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Volumes: whole, and as a list shows them. What they are used as is derived from their claims, and their health from
 * their plugin; secrets, mount flags and publish contexts are never shown.
 *
 * <p>For one image.
 */
public final class VolumeView {
    private final ClusterState state;
    private final Function<String, PluginCounts> plugins;

    /** @param plugins by their id */
    public VolumeView(ClusterState state, Function<String, PluginCounts> plugins) {
        this.state = state;
        this.plugins = plugins;
    }

    /**
     * What a list shows of a volume that is not in its row.
     *
     * @param readers how many allocations read it
     * @param writers how many write it
     */
    record Beside(PluginCounts plugin, String access, String attachment, int readers, int writers) {}

    Beside beside(VolumeRow row) {
        Uses uses = uses(row);
        return new Beside(
                plugins.apply(row.spec().pluginId()),
                uses.access(),
                uses.attachment(),
                uses.readers().size(),
                uses.writers().size());
    }

    CsiVolumeStub stub(VolumeRow row) {
        return stub(row, beside(row));
    }

    static CsiVolumeStub stub(VolumeRow row, Beside beside) {
        PluginCounts plugin = beside.plugin();
        return new CsiVolumeStub(
                beside.access(),
                beside.attachment(),
                plugin.isControllerRequired(),
                plugin.controllersExpected(),
                plugin.controllersHealthy(),
                row.createVersion(),
                Nanos.of(row.createdAt()),
                beside.readers(),
                beside.writers(),
                row.spec().externalId(),
                row.id().id(),
                row.modifyVersion(),
                Nanos.of(row.modifiedAt()),
                row.spec().name(),
                row.id().namespace(),
                plugin.nodesExpected(),
                plugin.nodesHealthy(),
                row.spec().pluginId(),
                plugin.provider(),
                null,
                plugin.isSchedulable(),
                topologies(row.topologies()));
    }

    /**
     * What is shown of a whole volume that is not in its row.
     *
     * @param users the allocations that use it, by id
     */
    record Around(PluginCounts plugin, Uses uses, List<AllocationView.InList> users) {}

    Around around(VolumeRow row) {
        Uses uses = uses(row);
        return new Around(plugins.apply(row.spec().pluginId()), uses, uses.allocations(state));
    }

    public CsiVolume whole(VolumeRow row) {
        return whole(row, around(row));
    }

    static CsiVolume whole(VolumeRow row, Around around) {
        VolumeSpec spec = row.spec();
        PluginCounts plugin = around.plugin();
        Uses uses = around.uses();
        return new CsiVolume(
                uses.access(),
                AllocationView.stubs(around.users()),
                uses.attachment(),
                row.capacity(),
                spec.cloneId(),
                new TreeMap<>(spec.context()),
                plugin.isControllerRequired(),
                plugin.controllersExpected(),
                plugin.controllersHealthy(),
                row.createVersion(),
                Nanos.of(row.createdAt()),
                spec.externalId(),
                row.id().id(),
                row.modifyVersion(),
                Nanos.of(row.modifiedAt()),
                MountOptionsConversion.toJson(spec.mountOptions()).redacted(),
                spec.name(),
                row.id().namespace(),
                plugin.nodesExpected(),
                plugin.nodesHealthy(),
                new TreeMap<>(spec.parameters()),
                spec.pluginId(),
                plugin.provider(),
                plugin.version(),
                uses.readers(),
                capabilities(spec.capabilities()),
                spec.capacityMax(),
                spec.capacityMin(),
                requested(spec.topologies()),
                null,
                plugin.isSchedulable(),
                null,
                spec.snapshotId(),
                topologies(row.topologies()),
                uses.writers());
    }

    /**
     * Who uses a volume now.
     *
     * @param readers ids of allocations, with null as every value, as the wire has them
     */
    record Uses(
            String access,
            String attachment,
            Map<String, @Nullable Object> readers,
            Map<String, @Nullable Object> writers) {
        private List<AllocationView.InList> allocations(ClusterState state) {
            if (readers.isEmpty() && writers.isEmpty()) {
                return List.of();
            }
            TreeSet<String> ids = new TreeSet<>(readers.keySet());
            ids.addAll(writers.keySet());
            return ids.stream()
                    .flatMap(id -> state.allocation(id).stream())
                    .map(allocation -> AllocationView.InList.of(state, allocation))
                    .toList();
        }
    }

    private Uses uses(VolumeRow row) {
        Map<String, @Nullable Object> readers = new TreeMap<>();
        Map<String, @Nullable Object> writers = new TreeMap<>();
        for (ClaimRow claim : state.claims().ofVolume(row.id())) {
            if (claim.holds()) {
                (claim.readOnly() ? readers : writers).put(claim.allocId(), null);
            }
        }
        Optional<VolumeModes> modes = state.claims().currentModes(row.key());
        return new Uses(
                modes.map(now -> now.access().wire()).orElse(""),
                modes.map(now -> now.attachment().wire()).orElse(""),
                readers,
                writers);
    }

    static List<CsiCapability> capabilities(List<VolumeModes> all) {
        return all.stream()
                .map(modes -> new CsiCapability(
                        modes.access().wire(), modes.attachment().wire()))
                .toList();
    }

    private static List<@Nullable CsiTopology> topologies(List<Topology> topologies) {
        return topologies.stream()
                .<@Nullable CsiTopology>map(VolumeView::topology)
                .toList();
    }

    private static CsiTopology topology(Topology topology) {
        return new CsiTopology(new TreeMap<>(topology.segments()));
    }

    private static @Nullable CsiTopologyRequest requested(TopologyRequest request) {
        if (request.required().isEmpty() && request.preferred().isEmpty()) {
            return null;
        }
        return new CsiTopologyRequest(orNull(request.preferred()), orNull(request.required()));
    }

    private static @Nullable List<CsiTopology> orNull(List<Topology> topologies) {
        return topologies.isEmpty()
                ? null
                : topologies.stream().map(VolumeView::topology).toList();
    }
}
