package io.cleat.launch;

import io.cleat.agent.NetworkSettings;
import io.cleat.artifact.AddressRange;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.model.HostNetwork;
import io.cleat.model.NameRule;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Which ports of its machine a node gives to jobs. */
final class NetworkFlags {
    private static final String NETWORK = "host-network";
    private static final String RESERVED = "reserved-ports";
    private static final String DYNAMIC = "dynamic-ports";

    static final List<Flag> OWN =
            List.of(
                    Flag.repeated(
                            NETWORK,
                            "name=range",
                            "A network of this machine whose ports jobs may ask for by"
                                    + " host_network: a range of addresses such as 10.0.0.0/24, or"
                                    + " an interface; =ports after it are given to nobody."),
                    Flag.value(
                            RESERVED,
                            "ports",
                            "Ports of this machine that no job is given, such as 22,8000-8010."),
                    Flag.value(
                            DYNAMIC,
                            "range",
                            "The ports that are given to jobs which want any; 20000-32000 unless"
                                    + " given."));

    private NetworkFlags() {}

    static NetworkSettings read(Flags flags) throws Failure {
        NetworkSettings usual = NetworkSettings.USUAL;
        List<PortRange> dynamic =
                flags.value(DYNAMIC).isPresent()
                        ? ports(DYNAMIC, flags.value(DYNAMIC).get())
                        : List.of(usual.dynamic());
        if (dynamic.size() != 1) {
            throw new Failure(
                    "-" + DYNAMIC + "=" + PortRange.text(dynamic) + " is not one range",
                    "expected FIRST-LAST, such as 20000-32000");
        }
        Map<String, HostNetwork> networks = new TreeMap<>();
        for (String given : flags.values(NETWORK)) {
            String[] parts = given.split("=", 3);
            String name = parts[0];
            if (parts.length < 2 || parts[1].isEmpty()) {
                throw new Failure(
                        "-" + NETWORK + "=" + given + " has no name and range",
                        "expected NAME=RANGE or NAME=RANGE=PORTS, such as inner=10.0.0.0/24");
            }
            Optional<String> fault = NameRule.partFault("name of a host network", name);
            if (fault.isPresent() || name.equals(PortRequest.DEFAULT)) {
                throw new Failure(
                        "-" + NETWORK + "=" + given + ": " + fault.orElse("the name is taken"),
                        "choose another name");
            }
            boolean isRange = AddressRange.parse(parts[1]).isPresent();
            if (!isRange && parts[1].contains("/")) {
                throw new Failure(
                        "-" + NETWORK + "=" + given + ": " + parts[1] + " is no range of addresses",
                        "expected a range such as 10.0.0.0/24 or fd00::/64, or an interface");
            }
            HostNetwork network =
                    new HostNetwork(
                            isRange ? parts[1] : "",
                            isRange ? "" : parts[1],
                            parts.length < 3 ? List.of() : ports(NETWORK, parts[2]));
            if (networks.put(name, network) != null) {
                throw new Failure(
                        "-" + NETWORK + " names two networks \"" + name + "\"",
                        "give each a name of its own");
            }
        }
        String reserved = flags.value(RESERVED).orElse("");
        return new NetworkSettings(dynamic.getFirst(), ports(RESERVED, reserved), networks);
    }

    private static List<PortRange> ports(String flag, String given) throws Failure {
        Optional<String> fault = PortRange.fault(given);
        if (fault.isPresent()) {
            throw new Failure(
                    "-" + flag + ": " + fault.get(), "expected ports such as 22,8000-8010");
        }
        return PortRange.read(given);
    }
}
