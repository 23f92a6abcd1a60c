package io.cleat.localplugin;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the plugin was started with.
 *
 * @param socket where it serves
 * @param pool where volumes are kept
 * @param role which services it serves
 * @param node the id that NodeGetInfo answers; may be absent where the node service is not served
 * @param callLog one line per call, where given
 * @param checkLifecycle refuse calls out of order, see {@link Lifecycle}
 * @param capacity the most that all volumes together may have, in bytes; unbounded where absent
 * @param topology further segments of where this node is
 * @param csi what a later version of CSI has is not announced
 */
record Options(
        Path socket,
        Path pool,
        Role role,
        Optional<String> node,
        Optional<Path> callLog,
        boolean checkLifecycle,
        OptionalLong capacity,
        SortedMap<String, String> topology,
        CsiVersion csi) {
    static final String USAGE = """
            usage: cleat local-plugin --endpoint unix:///PATH --pool DIR --node-id ID [options]

              --endpoint ENDPOINT  the socket to serve on (default: $CSI_ENDPOINT)
              --pool DIR           where volumes are kept; made when absent, for its owner only
              --type TYPE          monolith (default), or one of its two parts: controller, node
              --node-id ID         the id of this node; a controller needs none
              --capacity BYTES     the most that all volumes together may have
                                   (default: what the pool's file system has free)
              --topology KEY=VALUE[,KEY=VALUE]
                                   further segments of where this node is
              --csi-version 1.N    announce only what this version of CSI has (default: 1.13)
              --call-log FILE      append one JSON line per call
              --check-lifecycle    refuse calls that come out of the order of the CSI life cycle
            """;

    /** What fits the kernel's address of a Unix socket. */
    private static final int LONGEST_SOCKET = 107;

    /** CSI, NodeGetInfoResponse.node_id. */
    private static final int LONGEST_NODE = 256;

    /** CSI, Topology. */
    private static final Pattern SEGMENT_WORD = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    private static final Pattern SEGMENT_KEY = Pattern.compile("([a-z0-9.-]{1,63}/)?" + SEGMENT_WORD.pattern());

    private static final String CHECK = "--check-lifecycle";
    private static final List<String> WITH_VALUE = List.of(
            "--endpoint", "--pool", "--type", "--node-id", "--capacity", "--topology", "--csi-version", "--call-log");

    /** @throws Refused naming all that is wrong */
    static Options parse(List<String> arguments, Map<String, String> environment) throws Refused {
        List<String> faults = new ArrayList<>();
        Map<String, String> given = given(arguments, faults);
        String endpoint = given.getOrDefault("--endpoint", environment.getOrDefault("CSI_ENDPOINT", ""));
        Path socket = socket(endpoint, faults);
        String pool = given.getOrDefault("--pool", "");
        if (pool.isEmpty()) {
            faults.add("--pool DIR is missing: it says where volumes are kept");
        }
        Role role = role(given.getOrDefault("--type", Role.MONOLITH.word()), faults);
        String node = given.getOrDefault("--node-id", "");
        if (node.isEmpty() && role.servesNode()) {
            faults.add("--node-id ID is missing: it says which node this is");
        } else if (node.getBytes(StandardCharsets.UTF_8).length > LONGEST_NODE) {
            faults.add("--node-id has more than " + LONGEST_NODE + " bytes");
        }
        OptionalLong capacity = capacity(given.get("--capacity"), faults);
        SortedMap<String, String> topology = topology(given.get("--topology"), faults);
        CsiVersion csi = csi(given.get("--csi-version"), faults);
        if (!faults.isEmpty()) {
            throw new Refused(new Refusal.Invalid(faults));
        }
        return new Options(
                socket,
                Path.of(pool).toAbsolutePath().normalize(),
                role,
                Optional.of(node).filter(_ -> role.servesNode()),
                Optional.ofNullable(given.get("--call-log")).map(Path::of),
                given.containsKey(CHECK),
                capacity,
                topology,
                csi);
    }

    private static CsiVersion csi(@Nullable String given, List<String> faults) {
        if (given == null) {
            return CsiVersion.NEWEST;
        }
        Optional<CsiVersion> version = CsiVersion.of(given);
        if (version.isEmpty()) {
            faults.add("--csi-version is \"%s\": it is a version of CSI, 1.0 to 1.%d"
                    .formatted(given, CsiVersion.NEWEST.minor()));
        }
        return version.orElse(CsiVersion.NEWEST);
    }

    /** The options by name; a later one wins. {@code --name value} and {@code --name=value}. */
    private static Map<String, String> given(List<String> arguments, List<String> faults) {
        Map<String, String> given = new TreeMap<>();
        for (Iterator<String> left = arguments.iterator(); left.hasNext(); ) {
            String argument = left.next();
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (argument.equals(CHECK)) {
                given.put(CHECK, "");
            } else if (!WITH_VALUE.contains(name)) {
                faults.add(
                        "unknown option " + argument + "; known are " + String.join(", ", WITH_VALUE) + ", " + CHECK);
            } else if (equals >= 0) {
                given.put(name, argument.substring(equals + 1));
            } else if (left.hasNext()) {
                given.put(name, left.next());
            } else {
                faults.add(name + " wants a value");
            }
        }
        return given;
    }

    private static SortedMap<String, String> topology(@Nullable String given, List<String> faults) {
        SortedMap<String, String> segments = new TreeMap<>();
        if (given == null) {
            return segments;
        }
        for (String pair : given.split(",", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? "" : pair.substring(0, equals);
            String value = pair.substring(equals + 1);
            if (!SEGMENT_KEY.matcher(key).matches()
                    || !SEGMENT_WORD.matcher(value).matches()) {
                faults.add("--topology has '"
                        + pair
                        + "'; expected KEY=VALUE, each of at most 63 letters, digits and"
                        + " ._- with a letter or digit at both ends");
            }
            segments.put(key, value);
        }
        return segments;
    }

    private static Role role(String word, List<String> faults) {
        Optional<Role> role = Role.of(word);
        if (role.isEmpty()) {
            faults.add("--type is '" + word + "'; expected one of: " + Role.words());
        }
        return role.orElse(Role.MONOLITH);
    }

    private static Path socket(String endpoint, List<String> faults) {
        String path = endpoint;
        if (path.startsWith("unix:")) {
            path = path.substring("unix:".length());
            path = path.startsWith("//") ? path.substring(2) : path;
        }
        if (endpoint.isEmpty()) {
            faults.add("--endpoint is missing, and CSI_ENDPOINT is not set");
        } else if (!path.startsWith("/")) {
            faults.add("--endpoint is '" + endpoint + "'; expected unix:///PATH");
        } else if (path.getBytes(StandardCharsets.UTF_8).length > LONGEST_SOCKET) {
            faults.add(
                    "the socket's path has more than " + LONGEST_SOCKET + " bytes: " + path + "; choose a shorter one");
        }
        return Path.of(path).normalize();
    }

    private static OptionalLong capacity(@Nullable String given, List<String> faults) {
        if (given == null) {
            return OptionalLong.empty();
        }
        try {
            long bytes = Long.parseLong(given);
            if (bytes > 0) {
                return OptionalLong.of(bytes);
            }
        } catch (NumberFormatException notANumber) {
            // Said below, as for a number that is too small.
        }
        faults.add("--capacity is '" + given + "'; expected a number of bytes above 0");
        return OptionalLong.empty();
    }
}
