package io.cleat.model;

import io.cleat.base.Ordered;
import io.cleat.base.VisibleText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the services of one allocation are called and where they are, with each <code>${..}</code> replaced: the same on
 * servers and nodes. Pure; used by one thread.
 */
public final class ServiceWords {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^{}]*)}");

    /** The node's own address, where it says of no network. */
    private static final String ADDRESS = "unique.network.ip-address";

    /**
     * An allocation.
     *
     * @param ports that it was given
     * @param address in a network of its own; null if it has none, or none yet
     * @param networks where drivers have put its tasks, by task; of others nothing is known
     * @param isCanary whether it is one of its deployment
     */
    public record Facts(
            String allocId,
            String allocName,
            int index,
            JobSpec job,
            TaskGroup group,
            NodeFacts node,
            List<AllocatedPort> ports,
            @Nullable AllocAddress address,
            Map<String, DriverNetwork> networks,
            boolean isCanary) {
        public Facts {
            ports = List.copyOf(ports);
            networks = Ordered.copyOf(networks);
        }

        /** Where drivers have put the tasks that are in those states. */
        public static Map<String, DriverNetwork> networks(Map<String, TaskState> states) {
            Map<String, DriverNetwork> networks = new TreeMap<>();
            states.forEach((task, state) -> {
                DriverNetwork network = state.network();
                if (network != null) {
                    networks.put(task, network);
                }
            });
            return networks;
        }
    }

    /** An address and a port of it. */
    public record Place(String address, int port) {}

    private final Facts facts;
    private final Map<String, String> ofAll;

    public ServiceWords(Facts facts) {
        this.facts = facts;
        this.ofAll = ofAll();
    }

    /** Where a service is found; empty if its name or its port names nothing. */
    public Optional<ServicePlace> place(Service service) {
        String name = expand(service.name(), service.task());
        if (!ServiceNames.isName(name)) {
            return Optional.empty();
        }
        String port = expand(service.portLabel(), service.task());
        Optional<Place> place =
                port.isEmpty() ? Optional.of(new Place("", 0)) : port(port, service.task(), service.addressMode());
        String own = expand(service.address(), service.task());
        List<String> tags = new ArrayList<>();
        for (String tag : facts.isCanary() && !service.canaryTags().isEmpty() ? service.canaryTags() : service.tags()) {
            tags.add(expand(tag, service.task()));
        }
        return place.map(found -> new ServicePlace(
                id(service, name, port), name, tags, own.isEmpty() ? found.address() : own, found.port()));
    }

    /** Where a check of a service goes; empty if its port names nothing. */
    public Optional<Place> place(Service service, ServiceCheck check) {
        boolean asService = check.address() == AddressMode.AUTO;
        String label = check.portLabel().isEmpty() ? service.portLabel() : check.portLabel();
        Optional<Place> place = port(
                expand(label, service.task()), service.task(), asService ? service.addressMode() : check.address());
        String own = asService ? expand(service.address(), service.task()) : "";
        return own.isEmpty() ? place : place.map(found -> new Place(own, found.port()));
    }

    private String id(Service service, String name, String port) {
        return "_nomad-task-"
                + facts.allocId()
                + "-"
                + (service.task().isEmpty() ? "group-" + facts.group().name() : service.task())
                + "-"
                + name
                + "-"
                + port;
    }

    private Optional<Place> port(String label, String task, AddressMode mode) {
        Optional<AllocatedPort> given = facts.ports().stream()
                .filter(port -> port.label().equals(label))
                .findFirst();
        Optional<DriverNetwork> ofDriver = Optional.ofNullable(facts.networks().get(task));
        OptionalInt inside = given.isPresent() ? OptionalInt.of(given.get().inside()) : ServiceNames.port(label);
        return switch (mode) {
            case DRIVER -> ofDriver.flatMap(network -> driverPlace(network, label, inside));
            case AUTO ->
                ofDriver.filter(DriverNetwork::advertised).isPresent()
                        ? driverPlace(ofDriver.get(), label, inside)
                        : nodePlace(given, inside);
            case HOST -> nodePlace(given, inside);
            case ALLOC -> inside.isEmpty() ? Optional.empty() : ownPlace(inside.getAsInt());
        };
    }

    /** @param inside at which a task listens as it is told to; empty if that is neither a label nor a number */
    private static Optional<Place> driverPlace(DriverNetwork network, String label, OptionalInt inside) {
        Integer mapped = network.ports().get(label);
        OptionalInt port = mapped == null ? inside : OptionalInt.of(mapped);
        return port.isEmpty() ? Optional.empty() : Optional.of(new Place(network.address(), port.getAsInt()));
    }

    private Optional<Place> nodePlace(Optional<AllocatedPort> given, OptionalInt inside) {
        if (given.isPresent()) {
            return given.map(port -> new Place(port.hostIp(), port.value()));
        }
        return inside.isEmpty() ? Optional.empty() : Optional.of(new Place(nodeAddress(), inside.getAsInt()));
    }

    private Optional<Place> ownPlace(int port) {
        AllocAddress own = facts.address();
        return own == null || own.address().isEmpty() ? Optional.empty() : Optional.of(new Place(own.address(), port));
    }

    private String nodeAddress() {
        List<NodeAddress> addresses = facts.node().network().addressesOf(PortRequest.DEFAULT);
        return addresses.isEmpty()
                ? facts.node().attributes().getOrDefault(ADDRESS, "")
                : addresses.getFirst().address();
    }

    /**
     * A text with each <code>${..}</code> replaced. What a node does not say of itself is empty; another name that is
     * not known stays as it is.
     *
     * @param task whose it is; empty for the group's
     */
    public String expand(String text, String task) {
        if (!text.contains("${")) {
            return text;
        }
        return REFERENCE.matcher(text).replaceAll(match -> Matcher.quoteReplacement(lookUp(match, task)));
    }

    private String lookUp(java.util.regex.MatchResult match, String task) {
        String name = match.group(1).strip();
        if (name.startsWith("attr.")) {
            return facts.node().attributes().getOrDefault(name.substring("attr.".length()), "");
        }
        if (name.startsWith("meta.")) {
            return facts.node().meta().getOrDefault(name.substring("meta.".length()), "");
        }
        if (name.equals("NOMAD_TASK_NAME") && !task.isEmpty()) {
            return task;
        }
        if (name.startsWith("NOMAD_META_")) {
            return meta(name.substring("NOMAD_META_".length()), task, match.group());
        }
        return ofAll.getOrDefault(name, match.group());
    }

    private String meta(String name, String task, String otherwise) {
        String found = otherwise;
        List<Map<String, String>> layers = new ArrayList<>();
        layers.add(facts.job().meta());
        layers.add(facts.group().meta());
        facts.group().task(task).ifPresent(of -> layers.add(of.meta()));
        for (Map<String, String> layer : layers) {
            for (Map.Entry<String, String> each : layer.entrySet()) {
                String key = EnvNames.of(each.getKey());
                if (key.equals(name) || key.toUpperCase(Locale.ROOT).equals(name)) {
                    found = each.getValue();
                }
            }
        }
        return found;
    }

    private Map<String, String> ofAll() {
        Map<String, String> all = new HashMap<>();
        NodeFacts node = facts.node();
        all.put("node.unique.id", node.id());
        all.put("node.unique.name", node.name());
        all.put("node.datacenter", node.datacenter());
        all.put("node.class", node.nodeClass());
        all.put("node.pool", node.nodePool());
        all.put("node.region", facts.job().region());
        all.put("NOMAD_ALLOC_ID", facts.allocId());
        all.put("NOMAD_SHORT_ALLOC_ID", VisibleText.head(facts.allocId(), 8));
        all.put("NOMAD_ALLOC_NAME", facts.allocName());
        all.put("NOMAD_ALLOC_INDEX", Integer.toString(facts.index()));
        all.put("NOMAD_GROUP_NAME", facts.group().name());
        all.put("NOMAD_JOB_ID", facts.job().id().id());
        all.put("NOMAD_JOB_NAME", facts.job().name());
        all.put("NOMAD_NAMESPACE", facts.job().id().namespace());
        all.put("NOMAD_REGION", facts.job().region());
        all.put("NOMAD_DC", node.datacenter());
        facts.ports().forEach(port -> all.putAll(PortVariables.of(port, facts.address())));
        return all;
    }
}
