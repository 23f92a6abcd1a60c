package io.cleat.launch;

import io.cleat.agent.NetworkSettings;
import io.cleat.agent.network.CniSettings;
import io.cleat.artifact.AddressRange;
import io.cleat.cli.Failure;
import io.cleat.cli.Flag;
import io.cleat.cli.Flags;
import io.cleat.kernel.TextPath;
import io.cleat.model.HostNetwork;
import io.cleat.model.NameRule;
import io.cleat.model.PortRange;
import io.cleat.model.PortRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Which ports of its machine a node gives to jobs. */
final class NetworkFlags {
    private static final String NETWORK = "host-network";
    private static final String RESERVED = "reserved-ports";
    private static final String DYNAMIC = "dynamic-ports";

    private static final String CONFIGS = "cni-config-dir";
    private static final String PROGRAMS = "cni-path";
    private static final String BRIDGE = "bridge-network-name";
    private static final String SUBNET = "bridge-network-subnet";
    private static final String SUBNET_6 = "bridge-network-subnet-ipv6";
    private static final String MTU = "bridge-network-mtu";

    /** What IPv6 needs of every link (RFC 8200). */
    private static final int LEAST_MTU = 1280;

    private static final int MOST_MTU = 65_535;

    /** As the kernel takes it, without what other programs would take for more than a name. */
    private static final Pattern INTERFACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,14}");

    static final List<Flag> OWN = List.of(
            Flag.repeated(
                    NETWORK,
                    "name=range",
                    "A network of this machine whose ports jobs may ask for by"
                            + " host_network: a range of addresses such as 10.0.0.0/24, or"
                            + " an interface; =ports after it are given to nobody."),
            Flag.value(RESERVED, "ports", "Ports of this machine that no job is given, such as 22,8000-8010."),
            Flag.value(DYNAMIC, "range", "The ports that are given to jobs which want any; 20000-32000 unless given."),
            Flag.value(
                    CONFIGS,
                    "dir",
                    "The directory of CNI networks that jobs may ask for by mode ="
                            + " \"cni/NAME\"; /opt/cni/config unless given."),
            Flag.value(
                    PROGRAMS,
                    "dirs",
                    "The directories of CNI plugins, with \":\" between them; /opt/cni/bin:/usr/lib/cni unless given."),
            Flag.value(
                    BRIDGE,
                    "name",
                    "The interface behind which allocations of network mode bridge are; cleat unless given."),
            Flag.value(SUBNET, "range", "The addresses of those allocations; 172.26.64.0/20 unless given."),
            Flag.value(SUBNET_6, "range", "IPv6 addresses of those allocations; none unless given."),
            Flag.value(
                    MTU,
                    "bytes",
                    "The longest packet of those allocations, for networks beyond the machine that take less than "
                            + "1500."));

    private NetworkFlags() {}

    static NetworkSettings read(Flags flags) throws Failure {
        NetworkSettings usual = NetworkSettings.USUAL;
        List<PortRange> dynamic = flags.value(DYNAMIC).isPresent()
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
                        "-" + NETWORK + "=" + given + ": " + fault.orElse("the name is taken"), "choose another name");
            }
            boolean isRange = AddressRange.parse(parts[1]).isPresent();
            if (!isRange && parts[1].contains("/")) {
                throw new Failure(
                        "-" + NETWORK + "=" + given + ": " + parts[1] + " is no range of addresses",
                        "expected a range such as 10.0.0.0/24 or fd00::/64, or an interface");
            }
            HostNetwork network = new HostNetwork(
                    isRange ? parts[1] : "",
                    isRange ? "" : parts[1],
                    parts.length < 3 ? List.of() : ports(NETWORK, parts[2]));
            if (networks.put(name, network) != null) {
                throw new Failure(
                        "-" + NETWORK + " names two networks \"" + name + "\"", "give each a name of its own");
            }
        }
        String reserved = flags.value(RESERVED).orElse("");
        return new NetworkSettings(dynamic.getFirst(), ports(RESERVED, reserved), networks, cni(flags));
    }

    private static CniSettings cni(Flags flags) throws Failure {
        CniSettings usual = CniSettings.USUAL;
        String bridge = flags.value(BRIDGE).orElse(usual.bridge());
        if (!INTERFACE.matcher(bridge).matches()) {
            throw new Failure(
                    "-" + BRIDGE + "=" + bridge + " is no name of an interface",
                    "expected 1 to 15 letters, digits, _ and -");
        }
        List<Path> programs = new ArrayList<>();
        if (flags.value(PROGRAMS).isPresent()) {
            for (String directory : flags.value(PROGRAMS).get().split(":", -1)) {
                programs.add(directory(PROGRAMS, directory));
            }
        }
        return new CniSettings(
                flags.value(CONFIGS).isPresent()
                        ? directory(CONFIGS, flags.value(CONFIGS).get())
                        : usual.configs(),
                programs.isEmpty() ? usual.programs() : programs,
                bridge,
                subnet(SUBNET, false, flags.value(SUBNET).orElse(usual.subnet())),
                subnet(SUBNET_6, true, flags.value(SUBNET_6).orElse(usual.subnet6())),
                mtu(flags, usual));
    }

    private static int mtu(Flags flags, CniSettings usual) throws Failure {
        String given = flags.value(MTU).orElse("");
        if (given.isEmpty()) {
            return usual.mtu();
        }
        int mtu = given.matches("\\d{1,5}") ? Integer.parseInt(given) : 0;
        if (mtu < LEAST_MTU || mtu > MOST_MTU) {
            throw new Failure(
                    "-" + MTU + "=" + given + " is no number of bytes of a packet",
                    "expected " + LEAST_MTU + " to " + MOST_MTU);
        }
        return mtu;
    }

    private static Path directory(String flag, String given) throws Failure {
        return TextPath.of(given)
                .filter(Path::isAbsolute)
                .orElseThrow(() -> new Failure(
                        "-" + flag + ": " + given + " is no absolute path",
                        "expected a directory such as /opt/cni/bin"));
    }

    private static String subnet(String flag, boolean isV6, String given) throws Failure {
        boolean isOne = given.contains("/")
                && given.contains(":") == isV6
                && AddressRange.parse(given).isPresent();
        if (!isOne && !(isV6 && given.isEmpty())) {
            throw new Failure(
                    "-" + flag + "=" + given + " is no range of addresses",
                    "expected one such as " + (isV6 ? "fd00:ca7::/64" : "172.26.64.0/20"));
        }
        return given;
    }

    private static List<PortRange> ports(String flag, String given) throws Failure {
        Optional<String> fault = PortRange.fault(given);
        if (fault.isPresent()) {
            throw new Failure("-" + flag + ": " + fault.get(), "expected ports such as 22,8000-8010");
        }
        return PortRange.read(given);
    }
}
