package io.cleat.api;

import io.cleat.base.TextRule;
import io.cleat.model.GroupNetwork;
import io.cleat.model.NameRule;
import io.cleat.model.NetworkNames;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Rules of a group's network and its ports. */
final class NetworkRules {
    /** Ports that one group may ask for: each is looked for on each node. */
    private static final int MOST_PORTS = 100;

    private static final int MOST_ARGS = 100;
    private static final Pattern ARGUMENT = Pattern.compile("[^;=\\p{Cntrl}]{1,200}");
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_-]{1,63}");

    private NetworkRules() {}

    static void check(TaskGroup group, Faults faults) {
        List<NetworkResource> networks = JobConversion.listOf(group.Networks());
        faults.addIf(
                networks.size() > 1,
                "Task group has " + networks.size() + " network blocks: it may have one; write all ports in it");
        if (!networks.isEmpty()) {
            faults.nest("Task group network validation failed", network(networks.getFirst()));
            String mode = Canonical.orElse(networks.getFirst().Mode(), GroupNetwork.HOST);
            for (Task task : JobConversion.listOf(group.Tasks())) {
                driver(task, mode, faults);
                dns(task, networks.getFirst(), faults);
            }
        }
        Set<String> labels = labels(group);
        for (Task task : JobConversion.listOf(group.Tasks())) {
            published(task, labels, faults);
        }
    }

    /** A container engine is told by labels which ports lead into the container. */
    private static void published(Task task, Set<String> labels, Faults faults) {
        RawJson config = task.Config();
        if (config == null || !task.Driver().equals("docker")) {
            return;
        }
        for (JsonNode port : config.value().path("ports")) {
            String label = port.isString() ? port.asString() : "";
            boolean isKnown = label.isEmpty() || label.contains("${") || labels.contains(label);
            faults.addIf(
                    !isKnown,
                    "Port "
                            + TextRule.quoted(label)
                            + " of task "
                            + TextRule.quoted(task.Name())
                            + " not found, check network block: the group has "
                            + (labels.isEmpty() ? "no port" : String.join(", ", labels)));
        }
    }

    /** The labels of a group's ports. */
    static Set<String> labels(TaskGroup group) {
        Set<String> labels = new TreeSet<>();
        for (NetworkResource network : JobConversion.listOf(group.Networks())) {
            NetworkBlocks.ports(network).forEach(port -> labels.add(port.Label()));
        }
        return labels;
    }

    /** Whether its allocations have a network in which others reach them. */
    static boolean hasOwnAddress(TaskGroup group) {
        List<NetworkResource> networks = JobConversion.listOf(group.Networks());
        String mode = networks.isEmpty()
                ? GroupNetwork.HOST
                : Canonical.orElse(networks.getFirst().Mode(), GroupNetwork.HOST);
        return mode.equals(GroupNetwork.BRIDGE) || mode.startsWith(GroupNetwork.CNI);
    }

    private static Faults network(NetworkResource network) {
        Faults faults = new Faults();
        String mode = Canonical.orElse(network.Mode(), GroupNetwork.HOST);
        mode(mode, faults);
        NetworkBlocks.NETWORK.check(network, faults);
        names(network, mode, faults);
        if (network.CNI() != null) {
            faults.addIf(
                    !mode.startsWith(GroupNetwork.CNI),
                    "cni is for networks of mode \"cni/NAME\", and mode is \"" + mode + "\": remove it");
            args(network.CNI(), faults);
        }
        faults.addIf(
                mode.equals(GroupNetwork.NONE) && !NetworkBlocks.ports(network).isEmpty(),
                "a network of mode \"none\" is reached by nobody: remove its ports, or use \"bridge\"");
        ports(network, faults);
        return faults;
    }

    /** Of what a node puts something into, that is known there alone. */
    private static void names(NetworkResource network, String mode, Faults faults) {
        String hostname = network.Hostname();
        faults.addIf(
                !hostname.isEmpty() && mode.equals(GroupNetwork.HOST),
                "hostname is for networks of an allocation's own, and mode is \"host\": remove it");
        if (!hostname.isEmpty() && isKnown(hostname)) {
            NetworkNames.hostFault(hostname).ifPresent(faults::add);
        }
        if (network.DNS() != null) {
            io.cleat.model.NetworkDns dns = NetworkBlocks.DNS.toModel(network.DNS());
            NetworkNames.faults(new io.cleat.model.NetworkDns(
                            known(dns.servers()), known(dns.searches()), known(dns.options())))
                    .forEach(faults::add);
        }
    }

    private static List<String> known(List<String> texts) {
        return texts.stream().filter(NetworkRules::isKnown).toList();
    }

    private static boolean isKnown(String text) {
        return !text.contains("${");
    }

    private static void mode(String mode, Faults faults) {
        boolean isKnown = Set.of(GroupNetwork.HOST, GroupNetwork.NONE, GroupNetwork.BRIDGE)
                        .contains(mode)
                || (mode.startsWith(GroupNetwork.CNI) && NameRule.isPart(mode.substring(GroupNetwork.CNI.length())));
        if (!isKnown) {
            faults.add(
                    "network has an unknown mode: " + TextRule.quoted(mode) + "; use host, bridge, none or cni/NAME");
        }
    }

    /** Of the drivers that every node has; what a plugin can is known on its node alone. */
    private static void driver(Task task, String mode, Faults faults) {
        if (mode.equals(GroupNetwork.HOST)) {
            return;
        }
        String instead = switch (task.Driver()) {
            case "raw_exec" -> "its tasks are not isolated from the node; use exec";
            default -> "";
        };
        faults.addIf(
                !instead.isEmpty(),
                "network mode "
                        + TextRule.quoted(mode)
                        + " is not supported by the driver "
                        + task.Driver()
                        + " of task "
                        + TextRule.quoted(task.Name())
                        + ": "
                        + instead);
    }

    private static void dns(Task task, NetworkResource network, Faults faults) {
        faults.addIf(
                network.DNS() != null && task.Driver().equals("raw_exec"),
                "dns of a network is not supported by the driver raw_exec of task "
                        + TextRule.quoted(task.Name())
                        + ": its tasks see the node's files; use exec");
    }

    /** Plugins are told all of them in one text, with these characters between them. */
    private static void args(NetworkCni cni, Faults faults) {
        Map<String, String> args = cni.Args() == null ? Map.of() : cni.Args();
        faults.addIf(args.size() > MOST_ARGS, "cni has " + args.size() + " args: at most " + MOST_ARGS);
        args.forEach((name, value) -> faults.addIf(
                !ARGUMENT.matcher(name).matches() || !ARGUMENT.matcher(value).matches(),
                "cni argument "
                        + TextRule.quoted(name)
                        + ": name and value are 1 to 200 characters without \";\", \"=\" and line ends"));
    }

    private static void ports(NetworkResource network, Faults faults) {
        List<NetworkPort> fixed = JobConversion.listOf(network.ReservedPorts());
        List<NetworkPort> dynamic = JobConversion.listOf(network.DynamicPorts());
        List<NetworkPort> all = NetworkBlocks.ports(network);
        if (all.size() > MOST_PORTS) {
            faults.add("network has " + all.size() + " ports: at most " + MOST_PORTS + " may be");
            return;
        }
        Set<String> labels = new HashSet<>();
        for (NetworkPort port : all) {
            String label = TextRule.quoted(port.Label());
            faults.addIf(!labels.add(port.Label()), "port label " + label + " is used twice");
            faults.nest("port " + label, port(port));
        }
        collisions(fixed, faults);
        for (NetworkPort port : fixed) {
            faults.addIf(
                    port.Value() < 1 || port.Value() > PortRange.MAX_PORT,
                    port(port.Label()) + " must be 1 to 65535, is " + port.Value());
        }
        for (NetworkPort port : dynamic) {
            faults.addIf(
                    port.Value() != 0,
                    port(port.Label())
                            + " is one of DynamicPorts and has the value "
                            + port.Value()
                            + ": put it into ReservedPorts, or leave the value out");
            faults.addIf(
                    port.IgnoreCollision(),
                    port(port.Label()) + " is any free port: ignore_collision is for static ports");
        }
    }

    private static String port(@Nullable String label) {
        return "port " + TextRule.quoted(label == null ? "" : label);
    }

    private static void collisions(List<NetworkPort> fixed, Faults faults) {
        Map<String, String> taken = new HashMap<>();
        for (NetworkPort port : fixed) {
            String other = taken.putIfAbsent(
                    port.Value() + " " + Canonical.orElse(port.HostNetwork(), PortRequest.DEFAULT), port.Label());
            faults.addIf(
                    other != null,
                    "static port "
                            + port.Value()
                            + " is asked for by "
                            + port(other)
                            + " and by "
                            + port(port.Label()));
        }
    }

    private static Faults port(NetworkPort port) {
        Faults faults = new Faults();
        faults.addIf(
                !LABEL.matcher(port.Label()).matches(), "a label is 1 to 63 letters, digits, underscores and dashes");
        faults.addIf(
                port.To() < -1 || port.To() > PortRange.MAX_PORT,
                "to must be 1 to 65535, or -1 for the same port, is " + port.To());
        if (!port.HostNetwork().isEmpty()) {
            NameRule.partFault("host network", port.HostNetwork()).ifPresent(faults::add);
        }
        return faults;
    }
}
