package io.cleat.clusterapi.nodes;

import io.cleat.api.Node;
import io.cleat.api.NodeCpu;
import io.cleat.api.NodeDisk;
import io.cleat.api.NodeDriver;
import io.cleat.api.NodeEvent;
import io.cleat.api.NodeHostVolume;
import io.cleat.api.NodeMemory;
import io.cleat.api.NodeReserved;
import io.cleat.api.NodeResources;
import io.cleat.api.NodeStub;
import io.cleat.api.PluginInstance;
import io.cleat.api.ReservedCpu;
import io.cleat.api.ReservedPorts;
import io.cleat.model.NodeFacts;
import io.cleat.model.PortRange;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.Quarantine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Nodes: whole, and as a list shows them. */
public final class NodeView {
    private NodeView() {}

    static NodeStub stub(NodeRow row, boolean resources) {
        NodeFacts facts = row.facts();
        return new NodeStub(
                host(facts.httpAddress()),
                row.createVersion(),
                facts.datacenter(),
                row.isDraining(),
                drivers(facts),
                hostVolumes(facts),
                row.id(),
                DrainView.last(row),
                row.modifyVersion(),
                row.name(),
                facts.nodeClass(),
                facts.nodePool(),
                resources ? resources(facts) : null,
                resources ? reserved(facts) : null,
                eligibility(row),
                row.status().wire(),
                description(row),
                facts.attributes().getOrDefault("nomad.version", ""));
    }

    public static Node whole(ClusterState state, NodeRow row) {
        NodeFacts facts = row.facts();
        return new Node(
                new TreeMap<>(facts.attributes()),
                plugins(facts, InstanceView::controller),
                plugins(facts, InstanceView::node),
                facts.attributes().getOrDefault("unique.cgroup.parent", ""),
                computedClass(facts),
                row.createVersion(),
                facts.datacenter(),
                row.isDraining(),
                DrainView.strategy(row),
                drivers(facts),
                row.events().stream().map(NodeView::event).toList(),
                false,
                facts.httpAddress(),
                NetworkView.hostNetworks(facts.network()),
                hostVolumes(facts),
                row.id(),
                "",
                state.allocationsOnNode(row.id()).stream()
                        .mapToLong(AllocationRow::modifyVersion)
                        .max()
                        .orElse(0),
                DrainView.last(row),
                row.status() == NodeStatus.DOWN ? row.modifyVersion() : 0,
                Map.of(),
                new TreeMap<>(facts.meta()),
                row.modifyVersion(),
                row.name(),
                facts.nodeClass(),
                0,
                facts.nodePool(),
                resources(facts),
                reserved(facts),
                eligibility(row),
                "",
                row.status().wire(),
                description(row),
                row.statusSince().getEpochSecond(),
                false);
    }

    /** The host of {@code host:port}; a Unix socket as it is. */
    static String host(String address) {
        int colon = address.lastIndexOf(':');
        return address.contains("://") || colon < 0 ? address : address.substring(0, colon);
    }

    private static String eligibility(NodeRow row) {
        return row.eligible() && !row.isQuarantined() ? "eligible" : "ineligible";
    }

    private static String description(NodeRow row) {
        Quarantine quarantine = row.proof().quarantine();
        return quarantine == null ? row.statusDescription() : Node.QUARANTINED + quarantine.why();
    }

    private static Map<String, PluginInstance> plugins(
            NodeFacts facts,
            BiFunction<io.cleat.model.PluginInstance, InstanceView.Health, @Nullable PluginInstance> view) {
        Map<String, PluginInstance> byId = new TreeMap<>();
        for (io.cleat.model.PluginInstance instance : facts.plugins()) {
            PluginInstance shown = view.apply(instance, InstanceView.Health.asSaid(instance));
            if (shown != null) {
                byId.put(instance.pluginId(), shown);
            }
        }
        return byId;
    }

    private static Map<String, NodeDriver> drivers(NodeFacts facts) {
        Map<String, NodeDriver> drivers = new TreeMap<>();
        facts.drivers()
                .forEach((name, driver) -> drivers.put(
                        name,
                        new NodeDriver(
                                new TreeMap<>(driver.attributes()),
                                driver.detected(),
                                driver.healthDescription(),
                                driver.healthy(),
                                driver.updatedAt())));
        return drivers;
    }

    private static Map<String, NodeHostVolume> hostVolumes(NodeFacts facts) {
        Map<String, NodeHostVolume> volumes = new TreeMap<>();
        facts.hostVolumes()
                .forEach((name, volume) ->
                        volumes.put(name, new NodeHostVolume(volume.id(), name, volume.path(), volume.readOnly())));
        return volumes;
    }

    private static NodeEvent event(io.cleat.model.NodeEvent event) {
        return new NodeEvent(
                0,
                event.details().isEmpty() ? null : new TreeMap<>(event.details()),
                event.message(),
                event.subsystem(),
                event.at());
    }

    private static NodeResources resources(NodeFacts facts) {
        String said = facts.attributes().getOrDefault("cpu.numcores", "");
        int cores = said.matches("\\d{1,5}") ? Integer.parseInt(said) : 0;
        return new NodeResources(
                new NodeCpu(facts.total().cpuMhz(), facts.total().coreIds(), cores),
                null,
                new NodeDisk(facts.diskMb()),
                facts.network().maxDynamicPort(),
                new NodeMemory(facts.total().memoryMb()),
                facts.network().minDynamicPort(),
                NetworkView.ips(facts.network()),
                NetworkView.interfaces(facts.network()),
                null);
    }

    private static NodeReserved reserved(NodeFacts facts) {
        return new NodeReserved(
                new ReservedCpu(0, null),
                new NodeDisk(0),
                new NodeMemory(0),
                new ReservedPorts(PortRange.text(facts.network().reservedPorts())));
    }

    /** Nodes that constraints cannot tell apart have the same; a number, FNV-1a of 64 bits. */
    private static String computedClass(NodeFacts facts) {
        Map<String, String> shared = new TreeMap<>();
        facts.attributes().forEach((name, value) -> {
            if (!name.startsWith("unique.")) {
                shared.put("attr." + name, value);
            }
        });
        facts.meta().forEach((name, value) -> {
            if (!name.startsWith("unique.")) {
                shared.put("meta." + name, value);
            }
        });
        List<String> of = List.of(facts.datacenter(), facts.nodePool(), facts.nodeClass(), shared.toString());
        long hash = 0xcbf29ce484222325L;
        for (char letter : of.toString().toCharArray()) {
            hash = (hash ^ letter) * 0x100000001b3L;
        }
        return "v1:" + Long.toUnsignedString(hash);
    }
}
