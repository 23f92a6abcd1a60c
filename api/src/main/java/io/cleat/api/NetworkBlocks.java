package io.cleat.api;

import static io.cleat.api.JobField.block;
import static io.cleat.api.JobField.blocks;
import static io.cleat.api.JobField.flag;
import static io.cleat.api.JobField.label;
import static io.cleat.api.JobField.number;
import static io.cleat.api.JobField.text;
import static io.cleat.api.JobField.texts;
import static io.cleat.api.JobField.textsByName;

import io.cleat.model.AllocatedPort;
import io.cleat.model.GroupNetwork;
import io.cleat.model.PortRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The network of a group and its blocks. */
public final class NetworkBlocks {
    private static final String BY_PORT = "remove it, and use host_network of a port";

    private static final JobBlock<NetworkPort, PortRequest> PORT = JobBlock.of(
                    "port", NetworkPort.class, PortRequest.class)
            .fields(
                    label("Label"),
                    number("Value").inFile("static"),
                    number("To"),
                    text("HostNetwork").usually(PortRequest.DEFAULT),
                    flag("IgnoreCollision"))
            .done();

    /** How names are resolved. */
    public static final JobBlock<NetworkDns, io.cleat.model.NetworkDns> DNS = JobBlock.of(
                    "dns", NetworkDns.class, io.cleat.model.NetworkDns.class)
            .fields(texts("Servers"), texts("Searches"), texts("Options"))
            .done();

    private static final JobBlock<NetworkCni, NetworkCni> CNI = JobBlock.of("cni", NetworkCni.class, NetworkCni.class)
            .fields(textsByName("Args").inModel("Args"))
            .done();

    static final JobBlock<NetworkResource, GroupNetwork> NETWORK = JobBlock.of(
                    "network", NetworkResource.class, GroupNetwork.class)
            .fields(
                    text("Mode").usually(GroupNetwork.HOST),
                    text("Device").unsupported("device of a network", BY_PORT),
                    text("CIDR").unsupported("cidr of a network", BY_PORT),
                    text("IP").unsupported("ip of a network", BY_PORT),
                    text("Hostname"),
                    number("MBits")
                            .inFile("mbits")
                            .usually(0)
                            .unsupported("mbits", "remove it: what a task sends is not limited"),
                    block("DNS", DNS),
                    blocks("DynamicPorts", PORT).notInModel(),
                    blocks("ReservedPorts", PORT).onlyOnWire(),
                    block("CNI", CNI).notInModel())
            .taken("ports", given -> ports(given).map(PORT::toModel).toList())
            .taken(
                    "cniArgs",
                    given -> given.CNI() == null
                            ? Map.of()
                            : JobConversion.mapOf(given.CNI().Args()))
            .shown("DynamicPorts", network -> ports(network, port -> !port.isStatic()))
            .shown("ReservedPorts", network -> ports(network, PortRequest::isStatic))
            .shown("CNI", network -> cni(network.cniArgs()))
            .filledIn(given -> Edit.of(given)
                    .set(NetworkResource::DynamicPorts, orNull(JobConversion.listOf(given.DynamicPorts())))
                    .set(NetworkResource::ReservedPorts, orNull(JobConversion.listOf(given.ReservedPorts())))
                    .done())
            .done();

    private NetworkBlocks() {}

    /** The first is the only one: a group has one at most. */
    static @Nullable GroupNetwork ofGroup(@Nullable List<NetworkResource> given) {
        return given == null || given.isEmpty() ? null : NETWORK.toModel(given.getFirst());
    }

    /**
     * What the tasks of an allocation share of the network.
     *
     * @param given the ports that it was given
     */
    public static NetworkResource allocated(GroupNetwork network, String device, List<AllocatedPort> given) {
        List<NetworkPort> fixed = new ArrayList<>();
        List<NetworkPort> dynamic = new ArrayList<>();
        for (AllocatedPort port : given) {
            PortRequest asked = network.port(port.label()).orElse(null);
            (asked != null && asked.isStatic() ? fixed : dynamic)
                    .add(new NetworkPort(
                            asked == null ? PortRequest.DEFAULT : asked.hostNetwork(),
                            port.ignoreCollision(),
                            port.label(),
                            port.to(),
                            port.value()));
        }
        return Edit.of(NETWORK.toWire(network))
                .set(NetworkResource::Device, device)
                .set(
                        NetworkResource::IP,
                        given.isEmpty() ? "" : given.getFirst().hostIp())
                .set(NetworkResource::MBits, 0)
                .set(NetworkResource::DynamicPorts, orNull(dynamic))
                .set(NetworkResource::ReservedPorts, orNull(fixed))
                .done();
    }

    /** Those with a number of their own first. */
    static Stream<NetworkPort> ports(NetworkResource network) {
        return Stream.concat(
                JobConversion.listOf(network.ReservedPorts()).stream(),
                JobConversion.listOf(network.DynamicPorts()).stream());
    }

    private static @Nullable List<NetworkPort> ports(GroupNetwork network, Predicate<PortRequest> which) {
        return orNull(network.ports().stream().filter(which).map(PORT::toWire).toList());
    }

    private static @Nullable NetworkCni cni(Map<String, String> args) {
        return args.isEmpty() ? null : new NetworkCni(new TreeMap<>(args));
    }

    private static <T> @Nullable List<T> orNull(List<T> list) {
        return list.isEmpty() ? null : list;
    }
}
