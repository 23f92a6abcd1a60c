package io.cleat.agent.network;

import io.cleat.base.TextRule;
import io.cleat.base.VisibleText;
import io.cleat.model.AllocatedPort;
import io.cleat.model.NameRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A network as CNI describes it: plugins that are asked one after the other.
 *
 * @param plugins the configuration of each, of which {@code type} is its program's name
 * @param mayCheck whether its plugins may be asked whether an allocation is connected as it was
 * @param mayCollect whether they may be told which allocations there are, to undo the rest
 */
record CniNetwork(String version, String name, List<ObjectNode> plugins, boolean mayCheck, boolean mayCollect) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Versions of CNI in which a plugin is told what those before it have answered. */
    private static final Set<String> VERSIONS = Set.of("0.3.0", "0.3.1", "0.4.0", "1.0.0", "1.1.0");

    private static final Set<String> WITHOUT_CHECK = Set.of("0.3.0", "0.3.1");
    private static final String WITH_COLLECTION = "1.1.0";
    private static final int MOST_PLUGINS = 20;
    private static final Pattern PROGRAM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    CniNetwork {
        plugins = List.copyOf(plugins);
    }

    /** A file that is none, and why. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String message) {
            super(message);
        }
    }

    /** A network from its file: with a list of plugins, or of one. */
    static CniNetwork read(String text) throws Unusable {
        JsonNode root;
        try {
            root = JSON.readTree(text);
        } catch (JacksonException garbage) {
            throw new Unusable("is no JSON");
        }
        String version = root.path("cniVersion").asString("");
        if (!VERSIONS.contains(version)) {
            throw new Unusable("has cniVersion "
                    + TextRule.quoted(VisibleText.cut(version, 100))
                    + ": expected one of "
                    + String.join(", ", new TreeSet<>(VERSIONS)));
        }
        String name = root.path("name").asString("");
        if (!NameRule.isPart(name)) {
            throw new Unusable("has the name "
                    + TextRule.quoted(VisibleText.cut(name, 100))
                    + ": expected letters, digits, underscores and dashes");
        }
        JsonNode plugins = root.path("plugins");
        List<ObjectNode> all = new ArrayList<>();
        for (JsonNode plugin : plugins.isArray() ? plugins : List.of(root)) {
            if (!(plugin instanceof ObjectNode object)
                    || !PROGRAM.matcher(object.path("type").asString("")).matches()) {
                throw new Unusable("has a plugin whose type is not the name of a program");
            }
            all.add(object);
        }
        if (all.isEmpty() || all.size() > MOST_PLUGINS) {
            throw new Unusable("has " + all.size() + " plugins: expected 1 to " + MOST_PLUGINS);
        }
        return new CniNetwork(
                version,
                name,
                all,
                !WITHOUT_CHECK.contains(version) && !root.path("disableCheck").asBoolean(false),
                version.equals(WITH_COLLECTION) && !root.path("disableGC").asBoolean(false));
    }

    /** Allocations behind one interface of the machine, and the machine's address. */
    static CniNetwork bridge(CniSettings settings) {
        ObjectNode bridge = JSON.createObjectNode();
        bridge.put("type", "bridge");
        bridge.put("bridge", settings.bridge());
        bridge.put("isGateway", true);
        bridge.put("ipMasq", true);
        bridge.put("forceAddress", true);
        bridge.put("hairpinMode", true);
        if (settings.mtu() > 0) {
            bridge.put("mtu", settings.mtu());
        }
        ObjectNode ipam = bridge.putObject("ipam");
        ipam.put("type", "host-local");
        ArrayNode ranges = ipam.putArray("ranges");
        ArrayNode routes = ipam.putArray("routes");
        ranges.addArray().addObject().put("subnet", settings.subnet());
        routes.addObject().put("dst", "0.0.0.0/0");
        if (!settings.subnet6().isEmpty()) {
            ranges.addArray().addObject().put("subnet", settings.subnet6());
            routes.addObject().put("dst", "::/0");
        }
        ObjectNode firewall = JSON.createObjectNode();
        firewall.put("type", "firewall");
        firewall.put("backend", "iptables");
        firewall.put("iptablesAdminChainName", "CLEAT-ADMIN");
        ObjectNode ports = JSON.createObjectNode();
        ports.put("type", "portmap");
        ports.putObject("capabilities").put("portMappings", true);
        ports.put("snat", true);
        return new CniNetwork("0.4.0", settings.bridge(), List.of(bridge, firewall, ports), true, false);
    }

    /** The programs that it needs. */
    Set<String> programs() {
        Set<String> programs = new TreeSet<>();
        for (ObjectNode plugin : plugins) {
            programs.add(plugin.path("type").asString());
            Optional.of(plugin.path("ipam").path("type").asString(""))
                    .filter(type -> !type.isEmpty())
                    .ifPresent(programs::add);
        }
        return programs;
    }

    /** What its plugins are told for an allocation that was given these ports. */
    List<NetworkRecord.Call> calls(List<AllocatedPort> ports) {
        List<NetworkRecord.Call> calls = new ArrayList<>();
        for (ObjectNode plugin : plugins) {
            ObjectNode told = plugin.deepCopy();
            identify(told);
            if (plugin.path("capabilities").path("portMappings").asBoolean(false)) {
                ArrayNode mappings = told.putObject("runtimeConfig").putArray("portMappings");
                for (AllocatedPort port : ports) {
                    for (String protocol : List.of("tcp", "udp")) {
                        mappings.addObject()
                                .put("hostPort", port.value())
                                .put("containerPort", port.inside())
                                .put("protocol", protocol)
                                .put("hostIP", port.hostIp());
                    }
                }
            }
            calls.add(new NetworkRecord.Call(told.path("type").asString(), JSON.writeValueAsString(told)));
        }
        return calls;
    }

    private void identify(ObjectNode told) {
        told.put("cniVersion", version);
        told.put("name", name);
        // For the runtime alone.
        told.remove("capabilities");
    }

    /**
     * What its plugins are told for them to undo all other allocations of this network.
     *
     * @param connected the names by which plugins know those that are there
     * @param ifName the interface that each has
     */
    List<NetworkRecord.Call> collection(Set<String> connected, String ifName) {
        List<NetworkRecord.Call> calls = new ArrayList<>();
        for (ObjectNode plugin : plugins) {
            ObjectNode told = plugin.deepCopy();
            identify(told);
            // The first plugins of this version read the second name.
            for (String key : List.of("cni.dev/valid-attachments", "cni.dev/attachments")) {
                ArrayNode valid = told.putArray(key);
                connected.forEach(id -> valid.addObject().put("containerID", id).put("ifname", ifName));
            }
            calls.add(new NetworkRecord.Call(told.path("type").asString(), JSON.writeValueAsString(told)));
        }
        return calls;
    }

    /** What a job says to all plugins, as they take it. */
    static String args(Map<String, String> args) {
        List<String> all = new ArrayList<>(List.of("IgnoreUnknown=true"));
        args.forEach((name, value) -> all.add(name + "=" + value));
        return String.join(";", all);
    }
}
