package io.cleat.wire;

import io.cleat.base.TextRule;
import io.cleat.model.DriverFacts;
import io.cleat.model.HostNetwork;
import io.cleat.model.HostVolume;
import io.cleat.model.NameRule;
import io.cleat.model.NodeAddress;
import io.cleat.model.NodeFacts;
import io.cleat.model.NodeNetwork;
import io.cleat.model.PluginInstance;
import io.cleat.model.PortRange;
import io.cleat.model.Resources;
import io.cleat.model.Topology;
import java.util.List;
import java.util.Optional;

/** What a node says of itself, made fit to be kept. */
final class FactTexts {
    /** Attributes of a node, and as many of its meta. */
    static final int ATTRIBUTES = 1_000;

    private static final int DRIVERS = 64;
    private static final int PLUGINS = 1_000;
    private static final int UNCLEAR = 100;
    private static final int HOST_VOLUMES = 1_000;
    private static final int ADDRESSES = 256;
    private static final int RANGES = 100;
    private static final int CORES = 4_096;
    private static final int LONGEST = 1_024;

    /** Characters of a topology. */
    private static final int TOPOLOGY = 8 * 1_024;

    private final TextRoom room = new TextRoom(TextRoom.CHARS);

    static NodeFacts clean(NodeFacts facts) {
        return new FactTexts().facts(facts);
    }

    private NodeFacts facts(NodeFacts facts) {
        return new NodeFacts(
                facts.id(),
                facts.name(),
                facts.datacenter(),
                facts.nodePool(),
                room.line(facts.nodeClass(), LONGEST),
                room.line(facts.httpAddress(), LONGEST),
                room.lines(facts.attributes(), ATTRIBUTES, LONGEST),
                room.lines(facts.meta(), ATTRIBUTES, LONGEST),
                room.each(facts.drivers(), DRIVERS, LONGEST, this::driver),
                room.first(facts.plugins(), PLUGINS, this::plugin),
                total(facts.total()),
                facts.diskMb(),
                room.line(facts.bootId(), LONGEST),
                room.first(facts.unclear(), UNCLEAR, words -> room.words(words, LONGEST)),
                room.each(facts.hostVolumes(), HOST_VOLUMES, LONGEST, this::hostVolume),
                network(facts.network()));
    }

    private NodeNetwork network(NodeNetwork network) {
        return new NodeNetwork(
                network.minDynamicPort(),
                network.maxDynamicPort(),
                ranges(network.reservedPorts()),
                room.first(network.addresses(), ADDRESSES, this::address),
                room.each(network.hostNetworks(), ADDRESSES, LONGEST, this::hostNetwork),
                room.first(network.modes(), ADDRESSES, mode -> room.line(mode, LONGEST)));
    }

    private List<PortRange> ranges(List<PortRange> ranges) {
        return room.first(ranges, RANGES, range -> range);
    }

    private NodeAddress address(NodeAddress address) {
        return new NodeAddress(
                room.line(address.network(), LONGEST),
                room.line(address.address(), LONGEST),
                address.prefix(),
                room.line(address.device(), LONGEST),
                room.line(address.mac(), LONGEST),
                address.mbits(),
                ranges(address.reservedPorts()));
    }

    private HostNetwork hostNetwork(HostNetwork network) {
        return new HostNetwork(
                room.line(network.cidr(), LONGEST),
                room.line(network.device(), LONGEST),
                ranges(network.reservedPorts()));
    }

    /** A core is given to one task at a time, so each is counted once. */
    private static Resources total(Resources said) {
        List<Integer> cores = said.coreIds().stream()
                .filter(core -> core >= 0)
                .sorted()
                .distinct()
                .limit(CORES)
                .toList();
        return new Resources(said.cpuMhz(), said.memoryMb(), said.memoryMaxMb(), cores.size(), cores);
    }

    private HostVolume hostVolume(HostVolume volume) {
        return new HostVolume(room.line(volume.id(), LONGEST), room.line(volume.path(), LONGEST), volume.readOnly());
    }

    private DriverFacts driver(DriverFacts driver) {
        return new DriverFacts(
                driver.detected(),
                driver.healthy(),
                room.words(driver.healthDescription(), LONGEST),
                room.lines(driver.attributes(), ATTRIBUTES, LONGEST),
                driver.updatedAt());
    }

    /** An id of the provider is kept as it is, or the instance serves no volume on this node. */
    private PluginInstance plugin(PluginInstance plugin) {
        Optional<String> fault =
                Optional.ofNullable(plugin.node()).flatMap(FactTexts::fault).map(this::unusable);
        return new PluginInstance(
                name(plugin.pluginId()),
                room.line(plugin.allocId(), LONGEST),
                plugin.healthy() && fault.isEmpty(),
                room.words(fault.orElse(plugin.healthDescription()), LONGEST),
                room.line(plugin.provider(), LONGEST),
                room.line(plugin.version(), LONGEST),
                plugin.requiresController(),
                plugin.requiresTopologies(),
                plugin.updatedAt(),
                plugin.controller(),
                fault.isPresent() ? null : plugin.node());
    }

    private String unusable(String fault) {
        return "what the plugin says of its node cannot be used: " + fault + "; correct the plugin";
    }

    /** A name that follows the rule stays, though it may hold what cannot be seen. */
    private String name(String name) {
        return NameRule.idFault("name", name).isEmpty() ? name : room.line(name, LONGEST);
    }

    private static Optional<String> fault(PluginInstance.Node node) {
        Topology from = node.accessibleFrom();
        return TextRule.lineFault(node.externalNodeId())
                .map(fault -> "its id " + TextRule.quoted(node.externalNodeId()) + " " + fault)
                .or(() -> from == null ? Optional.empty() : OutcomeTexts.fault(from))
                .or(() -> from != null && OutcomeTexts.size(from) > TOPOLOGY
                        ? Optional.of("its topology is too large")
                        : Optional.empty());
    }
}
