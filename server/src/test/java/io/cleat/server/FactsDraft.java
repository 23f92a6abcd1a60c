package io.cleat.server;

import io.cleat.model.DriverFacts;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.Resources;
import java.util.List;
import java.util.Map;

/** What a node says of itself, with some of it changed. */
public final class FactsDraft {
    private final NodeFacts from;
    private String name;
    private String datacenter;
    private String nodeClass;
    private String nodePool;
    private Map<String, String> attributes;
    private Map<String, DriverFacts> drivers;
    private Resources total;
    private List<String> unclear;
    private List<PluginInstance> plugins;

    private FactsDraft(NodeFacts from) {
        this.from = from;
        name = from.name();
        datacenter = from.datacenter();
        nodeClass = from.nodeClass();
        nodePool = from.nodePool();
        attributes = from.attributes();
        drivers = from.drivers();
        total = from.total();
        unclear = from.unclear();
        plugins = from.plugins();
    }

    public static FactsDraft of(NodeFacts from) {
        return new FactsDraft(from);
    }

    public FactsDraft name(String given) {
        name = given;
        return this;
    }

    public FactsDraft datacenter(String given) {
        datacenter = given;
        return this;
    }

    public FactsDraft nodeClass(String given) {
        nodeClass = given;
        return this;
    }

    public FactsDraft nodePool(String given) {
        nodePool = given;
        return this;
    }

    public FactsDraft attributes(Map<String, String> given) {
        attributes = given;
        return this;
    }

    public FactsDraft drivers(Map<String, DriverFacts> given) {
        drivers = given;
        return this;
    }

    public FactsDraft total(Resources given) {
        total = given;
        return this;
    }

    public FactsDraft unclear(List<String> given) {
        unclear = given;
        return this;
    }

    public FactsDraft plugins(List<PluginInstance> given) {
        plugins = given;
        return this;
    }

    public NodeFacts done() {
        return new NodeFacts(
                from.id(),
                name,
                datacenter,
                nodePool,
                nodeClass,
                from.httpAddress(),
                attributes,
                from.meta(),
                drivers,
                plugins,
                total,
                from.diskMb(),
                from.bootId(),
                unclear,
                from.hostVolumes(),
                from.network());
    }
}
