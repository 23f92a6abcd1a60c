package io.cleat.api;

import io.cleat.model.GroupNetwork;
import io.cleat.model.PortRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The part of {@link JobConversion} and {@link Canonical} for networks. */
public final class NetworkConversion {
    private NetworkConversion() {}

    static @Nullable List<NetworkResource> filledIn(@Nullable List<NetworkResource> given) {
        return Canonical.each(
                given,
                one -> Edit.of(one)
                        .orElse(NetworkResource::MBits, 0)
                        .orElse(NetworkResource::Mode, GroupNetwork.HOST)
                        .set(NetworkResource::DynamicPorts, portsFilledIn(one.DynamicPorts()))
                        .set(NetworkResource::ReservedPorts, portsFilledIn(one.ReservedPorts()))
                        .done());
    }

    private static @Nullable List<NetworkPort> portsFilledIn(@Nullable List<NetworkPort> given) {
        List<NetworkPort> ports = orNull(JobConversion.listOf(given));
        return Canonical.each(
                ports,
                one -> Edit.of(one)
                        .orElse(NetworkPort::HostNetwork, PortRequest.DEFAULT)
                        .done());
    }

    static @Nullable GroupNetwork toModel(@Nullable List<NetworkResource> given) {
        if (given == null || given.isEmpty()) {
            return null;
        }
        NetworkResource network = given.getFirst();
        List<PortRequest> ports = new ArrayList<>();
        JobConversion.listOf(network.ReservedPorts()).forEach(port -> ports.add(port(port)));
        JobConversion.listOf(network.DynamicPorts()).forEach(port -> ports.add(port(port)));
        NetworkCni cni = network.CNI();
        return new GroupNetwork(
                Canonical.orElse(network.Mode(), GroupNetwork.HOST),
                network.Hostname(),
                network.DNS() == null ? null : toModel(network.DNS()),
                ports,
                cni == null ? Map.of() : JobConversion.mapOf(cni.Args()));
    }

    private static PortRequest port(NetworkPort port) {
        return new PortRequest(
                port.Label(),
                port.Value(),
                port.To(),
                Canonical.orElse(port.HostNetwork(), PortRequest.DEFAULT),
                port.IgnoreCollision());
    }

    static @Nullable List<NetworkResource> toJson(@Nullable GroupNetwork network) {
        if (network == null) {
            return null;
        }
        List<NetworkPort> fixed = new ArrayList<>();
        List<NetworkPort> dynamic = new ArrayList<>();
        for (PortRequest port : network.ports()) {
            (port.isStatic() ? fixed : dynamic)
                    .add(new NetworkPort(
                            port.hostNetwork(), port.ignoreCollision(), port.label(), port.to(), port.value()));
        }
        return List.of(shown(network, "", "", dynamic, fixed));
    }

    /**
     * What the tasks of an allocation share of the network.
     *
     * @param given the ports that it was given
     */
    public static NetworkResource allocated(
            GroupNetwork network, String device, List<io.cleat.model.AllocatedPort> given) {
        List<NetworkPort> fixed = new ArrayList<>();
        List<NetworkPort> dynamic = new ArrayList<>();
        for (io.cleat.model.AllocatedPort port : given) {
            PortRequest asked = network.port(port.label()).orElse(null);
            (asked != null && asked.isStatic() ? fixed : dynamic)
                    .add(new NetworkPort(
                            asked == null ? PortRequest.DEFAULT : asked.hostNetwork(),
                            port.ignoreCollision(),
                            port.label(),
                            port.to(),
                            port.value()));
        }
        String ip = given.isEmpty() ? "" : given.getFirst().hostIp();
        return shown(network, device, ip, dynamic, fixed);
    }

    private static NetworkResource shown(
            GroupNetwork network, String device, String ip, List<NetworkPort> dynamic, List<NetworkPort> fixed) {
        return new NetworkResource(
                "",
                network.cniArgs().isEmpty() ? null : new NetworkCni(new TreeMap<>(network.cniArgs())),
                dns(network),
                device,
                orNull(dynamic),
                network.hostname(),
                ip,
                0,
                network.mode(),
                orNull(fixed));
    }

    static io.cleat.model.NetworkDns toModel(NetworkDns dns) {
        return new io.cleat.model.NetworkDns(
                JobConversion.listOf(dns.Servers()),
                JobConversion.listOf(dns.Searches()),
                JobConversion.listOf(dns.Options()));
    }

    /** How names are resolved in a network; null for as on its node. */
    public static @Nullable NetworkDns dns(GroupNetwork network) {
        io.cleat.model.NetworkDns dns = network.dns();
        return dns == null ? null : dns(dns);
    }

    /** How names are resolved. */
    public static NetworkDns dns(io.cleat.model.NetworkDns dns) {
        return new NetworkDns(orNull(dns.options()), orNull(dns.searches()), orNull(dns.servers()));
    }

    private static <T> @Nullable List<T> orNull(List<T> list) {
        return list.isEmpty() ? null : list;
    }
}
