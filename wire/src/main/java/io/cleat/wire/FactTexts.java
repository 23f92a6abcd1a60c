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

    private final TextBudget budget = new TextBudget(TextBudget.CHARS);

    static NodeFacts clean(NodeFacts facts) {
        return new FactTexts().facts(facts);
    }

    private NodeFacts facts(NodeFacts facts) {
        return new NodeFacts(
                facts.id(),
                facts.name(),
                facts.datacenter(),
                facts.nodePool(),
                budget.line(facts.nodeClass(), LONGEST),
                budget.line(facts.httpAddress(), LONGEST),
                budget.lines(facts.attributes(), ATTRIBUTES, LONGEST),
                budget.lines(facts.meta(), ATTRIBUTES, LONGEST),
                budget.each(facts.drivers(), DRIVERS, LONGEST, this::driver),
                budget.first(facts.plugins(), PLUGINS, this::plugin),
                total(facts.total()),
                facts.diskMb(),
                budget.line(facts.bootId(), LONGEST),
                budget.first(facts.unclear(), UNCLEAR, words -> budget.words(words, LONGEST)),
                budget.each(facts.hostVolumes(), HOST_VOLUMES, LONGEST, this::hostVolume),
                network(facts.network()));
    }

    private NodeNetwork network(NodeNetwork network) {
        return new NodeNetwork(
                network.minDynamicPort(),
                network.maxDynamicPort(),
                ranges(network.reservedPorts()),
                budget.first(network.addresses(), ADDRESSES, this::address),
                budget.each(network.hostNetworks(), ADDRESSES, LONGEST, this::hostNetwork),
                budget.first(network.modes(), ADDRESSES, mode -> budget.line(mode, LONGEST)));
    }

    private List<PortRange> ranges(List<PortRange> ranges) {
        return budget.first(ranges, RANGES, range -> range);
    }

    private NodeAddress address(NodeAddress address) {
        return new NodeAddress(
                budget.line(address.network(), LONGEST),
                budget.line(address.address(), LONGEST),
                address.prefix(),
                budget.line(address.device(), LONGEST),
                budget.line(address.mac(), LONGEST),
                address.mbits(),
                ranges(address.reservedPorts()));
    }

    private HostNetwork hostNetwork(HostNetwork network) {
        return new HostNetwork(
                budget.line(network.cidr(), LONGEST),
                budget.line(network.device(), LONGEST),
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
        return new HostVolume(
                budget.line(volume.id(), LONGEST), budget.line(volume.path(), LONGEST), volume.readOnly());
    }

    private DriverFacts driver(DriverFacts driver) {
        return new DriverFacts(
                driver.detected(),
                driver.healthy(),
                budget.words(driver.healthDescription(), LONGEST),
                budget.lines(driver.attributes(), ATTRIBUTES, LONGEST),
                driver.updatedAt());
    }

    /** An id of the provider is kept as it is, or the instance serves no volume on this node. */
    private PluginInstance plugin(PluginInstance plugin) {
        Optional<String> fault =
                Optional.ofNullable(plugin.node()).flatMap(FactTexts::fault).map(this::unusable);
        return new PluginInstance(
                name(plugin.pluginId()),
                budget.line(plugin.allocId(), LONGEST),
                plugin.healthy() && fault.isEmpty(),
                budget.words(fault.orElse(plugin.healthDescription()), LONGEST),
                budget.line(plugin.provider(), LONGEST),
                budget.line(plugin.version(), LONGEST),
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
        return NameRule.idFault("name", name).isEmpty() ? name : budget.line(name, LONGEST);
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
