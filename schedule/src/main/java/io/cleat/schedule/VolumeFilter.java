package io.cleat.schedule;

import io.cleat.model.JobId;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.Topology;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClusterState;
import io.cleat.state.Fit;
import io.cleat.state.NodeRow;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the CSI volumes of one allocation demand of a node, in this order: the volumes exist, the node is clear of what
 * it does not know and has the plugins, healthy, with room for more volumes, in a place that reaches the volumes; the
 * volumes can be scheduled and their claims leave room. The words are those that tools know.
 */
final class VolumeFilter implements NodeFilter {
    private final ClusterState state;
    private final JobId job;
    private final Optional<Rejection> missing;
    private final List<Wanted> wanted;

    /** What is asked of one volume. A search asks it of each node, and most of the answer is the same for all. */
    private record Wanted(VolumeRow volume, boolean isHeld, boolean isHeldByOthers, List<Asked> asked) {}

    /** One request, and why no node can meet it; empty if some can. */
    private record Asked(VolumeRequest request, Optional<Rejection> nowhere) {}

    /** @param requests of the allocation to be placed, by the volume that they name */
    VolumeFilter(ClusterState state, JobId job, Map<VolumeId, List<VolumeRequest>> requests) {
        this.state = state;
        this.job = job;
        Set<String> absent = new TreeSet<>();
        List<VolumeId> first = new ArrayList<>();
        List<Wanted> there = new ArrayList<>();
        requests.forEach((id, some) -> state.volume(id)
                .ifPresentOrElse(volume -> there.add(wanted(volume, some)), () -> {
                    absent.add(id.id());
                    first.add(id);
                }));
        this.missing = first.stream()
                .findFirst()
                .map(id -> new Rejection("missing CSI volume(s) " + String.join(",", absent), id));
        this.wanted = List.copyOf(there);
    }

    private Wanted wanted(VolumeRow volume, List<VolumeRequest> requests) {
        boolean isHeld = state.claims().of(volume.key()).stream().anyMatch(ClaimRow::holds);
        List<Asked> asked = requests.stream()
                .map(request -> new Asked(request, unusable(volume, request).or(() -> claims(volume, request))))
                .toList();
        return new Wanted(volume, isHeld, !others(volume).isEmpty(), asked);
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        if (missing.isPresent()) {
            return missing;
        }
        Optional<Rejection> unclear = unclear(node);
        if (unclear.isPresent()) {
            return unclear;
        }
        for (Wanted each : wanted) {
            Optional<Rejection> rejected = plugin(node, each.volume()).or(() -> use(node, each));
            if (rejected.isPresent()) {
                return rejected;
            }
        }
        return Optional.empty();
    }

    /** A node that found what it does not know could mount over it, or beside another writer. */
    private static Optional<Rejection> unclear(NodeRow node) {
        List<String> found = node.facts().unclear();
        return found.isEmpty()
                ? Optional.empty()
                : Optional.of(Rejection.of("client "
                        + node.id()
                        + " takes no volumes until it is cleared: "
                        + found.getFirst()
                        + (found.size() == 1 ? "" : ", and " + (found.size() - 1) + " more")));
    }

    private Optional<Rejection> use(NodeRow node, Wanted wanted) {
        VolumeRow volume = wanted.volume();
        for (Asked each : wanted.asked()) {
            Optional<Rejection> rejected = each.nowhere()
                    .or(() -> wanted.isHeld() ? fit(node, volume, each.request()) : Optional.empty())
                    .or(() -> wanted.isHeldByOthers() ? attached(node, volume, each.request()) : Optional.empty());
            if (rejected.isPresent()) {
                return rejected;
            }
        }
        return Optional.empty();
    }

    /** Whether the node has the plugin, healthy and with room, in a place that reaches the volume. */
    private Optional<Rejection> plugin(NodeRow node, VolumeRow volume) {
        String plugin = volume.spec().pluginId();
        Optional<PluginInstance> instance = nodeInstance(node.facts(), plugin);
        if (instance.isEmpty()) {
            return Optional.of(Rejection.of("CSI plugin " + plugin + " is missing from client " + node.id()));
        }
        if (!instance.get().healthy()) {
            return Optional.of(Rejection.of("CSI plugin " + plugin + " is unhealthy on client " + node.id()));
        }
        PluginInstance.Node service = instance.get().node();
        long most = service == null ? 0 : service.maxVolumes();
        if (most < Long.MAX_VALUE && volumesOn(node.id(), plugin) > most) {
            return Optional.of(
                    Rejection.of("CSI plugin " + plugin + " has the maximum number of volumes on client " + node.id()));
        }
        return topology(service, volume);
    }

    /** A healthy one if there is one. */
    private static Optional<PluginInstance> nodeInstance(NodeFacts node, String plugin) {
        PluginInstance ill = null;
        for (PluginInstance instance : node.plugins()) {
            if (instance.node() != null && instance.pluginId().equals(plugin)) {
                if (instance.healthy()) {
                    return Optional.of(instance);
                }
                ill = ill == null ? instance : ill;
            }
        }
        return Optional.ofNullable(ill);
    }

    /** How many volumes of the plugin would be in use on the node with those of the allocation. */
    private long volumesOn(String nodeId, String plugin) {
        Stream<VolumeKey> own = wanted.stream().map(each -> each.volume().key());
        Stream<VolumeKey> there =
                state.claims().onNode(nodeId).stream().filter(ClaimRow::holds).map(ClaimRow::key);
        return Stream.concat(own, there)
                .filter(key -> key.pluginId().equals(plugin))
                .distinct()
                .count();
    }

    private static Optional<Rejection> topology(PluginInstance.@Nullable Node service, VolumeRow volume) {
        if (volume.topologies().isEmpty()) {
            return Optional.empty();
        }
        Topology of = service == null ? null : service.accessibleFrom();
        boolean reached = of != null
                && volume.topologies().stream()
                        .anyMatch(topology -> of.segments()
                                .entrySet()
                                .containsAll(topology.segments().entrySet()));
        return reached ? Optional.empty() : Optional.of(Rejection.of("did not meet topology requirement"));
    }

    /** Looked at before who holds it: no release would help. */
    private Optional<Rejection> unusable(VolumeRow volume, VolumeRequest request) {
        return Fit.unusable(state, volume, request.modes(), request.readOnly())
                .map(unusable -> new Rejection(
                        "CSI volume " + volume.id().id() + " is unschedulable or is read-only: " + unusable.why(),
                        volume.id(),
                        unusable));
    }

    private Optional<Rejection> claims(VolumeRow volume, VolumeRequest request) {
        String id = volume.id().id();
        boolean schedulable = PluginHealth.of(state, volume.spec().pluginId()).isSchedulable();
        if (request.readOnly()) {
            return schedulable && hasRoomToRead(volume)
                    ? Optional.empty()
                    : Optional.of(new Rejection(
                            "CSI volume " + id + " is unschedulable or has exhausted its available reader claims",
                            volume.id()));
        }
        boolean writable = state.claims()
                .currentModes(volume.key())
                .map(modes -> modes.access().allowsWriting())
                .orElseGet(() -> volume.spec().capabilities().stream()
                        .anyMatch(m -> m.access().allowsWriting()));
        if (!schedulable || !writable) {
            return Optional.of(new Rejection("CSI volume " + id + " is unschedulable or is read-only", volume.id()));
        }
        return writer(volume, request);
    }

    /** What the decision will ask too: what does not pass there is not proposed. */
    private Optional<Rejection> fit(NodeRow node, VolumeRow volume, VolumeRequest request) {
        Fit fit = Fit.of(state, volume, request.modes(), request.readOnly(), node.id(), job, "");
        if (!(fit instanceof Fit.Held held)) {
            return Optional.empty();
        }
        String words = request.readOnly()
                ? " is unschedulable or has exhausted its available reader claims: "
                : " has exhausted its available writer claims: ";
        return Optional.of(new Rejection("CSI volume " + volume.id().id() + words + held.why(), volume.id()));
    }

    /** Where the claims leave room and the plugin's attachments of others do not. */
    private Optional<Rejection> attached(NodeRow node, VolumeRow volume, VolumeRequest request) {
        VolumeModes modes = state.claims().currentModes(volume.key()).orElse(request.modes());
        return AttachConflict.of(state, volume.key(), modes, request.readOnly(), node.id())
                .filter(row -> others(volume).stream().anyMatch(row::isFor))
                .map(row -> new Rejection(
                        "CSI volume "
                                + volume.id().id()
                                + " has exhausted its available writer claims: "
                                + (row.readOnly()
                                        ? "its readers here are attached read-only"
                                        : "its readers on client " + row.id().nodeId() + " are attached for writing"),
                        volume.id()));
    }

    private boolean hasRoomToRead(VolumeRow volume) {
        return state.claims()
                .currentModes(volume.key())
                .map(modes -> switch (modes.access()) {
                    case SINGLE_NODE_READER_ONLY, SINGLE_NODE_WRITER ->
                        others(volume).isEmpty();
                    case MULTI_NODE_READER_ONLY,
                            MULTI_NODE_SINGLE_WRITER,
                            MULTI_NODE_MULTI_WRITER,
                            SINGLE_NODE_SINGLE_WRITER,
                            SINGLE_NODE_MULTI_WRITER -> true;
                })
                .orElse(true);
    }

    private Optional<Rejection> writer(VolumeRow volume, VolumeRequest request) {
        boolean single = state.claims()
                .currentModes(volume.key())
                .map(modes -> modes.access().isSingleWriter())
                .orElse(request.modes().access().isSingleWriter());
        if (!single) {
            return Optional.empty();
        }
        List<ClaimRow> writers =
                others(volume).stream().filter(claim -> !claim.readOnly()).toList();
        if (writers.isEmpty()) {
            return Optional.empty();
        }
        ClaimRow holder = writers.getFirst();
        String full = "CSI volume " + volume.id().id() + " has exhausted its available writer claims";
        return Optional.of(new Rejection(
                state.allocation(holder.allocId()).isPresent()
                        ? full
                        : full
                                + " and is claimed by a garbage collected allocation "
                                + holder.allocId()
                                + "; waiting for claim to be released",
                volume.id()));
    }

    /** The claims that hold the provider's volume and are not of this job: those of this job give way. */
    private List<ClaimRow> others(VolumeRow volume) {
        return state.claims().of(volume.key()).stream()
                .filter(ClaimRow::holds)
                .filter(claim -> !state.allocation(claim.allocId())
                        .map(AllocationRow::job)
                        .equals(Optional.of(job)))
                .toList();
    }
}
