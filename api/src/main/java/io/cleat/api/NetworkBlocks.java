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
import java.util.function.Predicate;
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
                    blocks("DynamicPorts", PORT).notInModel().noneIfEmpty(),
                    blocks("ReservedPorts", PORT).onlyOnWire().noneIfEmpty(),
                    block("CNI", CNI).notInModel())
            .taken("ports", given -> PORT.toModel(ports(given)))
            .taken(
                    "cniArgs",
                    given -> given.CNI() == null
                            ? Map.of()
                            : JobConversion.mapOf(given.CNI().Args()))
            .shown("DynamicPorts", network -> ports(network, port -> !port.isStatic()))
            .shown("ReservedPorts", network -> ports(network, PortRequest::isStatic))
            .shown("CNI", network -> cni(network.cniArgs()))
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
                .set(NetworkResource::DynamicPorts, JobConversion.orNull(dynamic))
                .set(NetworkResource::ReservedPorts, JobConversion.orNull(fixed))
                .done();
    }

    /** Those with a number of their own first. */
    static List<NetworkPort> ports(NetworkResource network) {
        List<NetworkPort> all = new ArrayList<>(JobConversion.listOf(network.ReservedPorts()));
        all.addAll(JobConversion.listOf(network.DynamicPorts()));
        return all;
    }

    private static @Nullable List<NetworkPort> ports(GroupNetwork network, Predicate<PortRequest> which) {
        return JobConversion.orNull(
                network.ports().stream().filter(which).map(PORT::toWire).toList());
    }

    private static @Nullable NetworkCni cni(Map<String, String> args) {
        return args.isEmpty() ? null : new NetworkCni(JobConversion.orNull(args));
    }
}
