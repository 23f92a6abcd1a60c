package io.cleat.agent;

import io.cleat.base.Ordered;
import io.cleat.model.MachinePrint;
import io.cleat.model.Resources;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What can be seen of the machine: attributes under the names that job files constrain, and what tasks may use.
 *
 * @param diskMb MiB free where allocations are kept
 */
public record Machine(Map<String, String> attributes, Resources total, long diskMb) {
    private static final Logger LOG = LoggerFactory.getLogger(Machine.class);
    private static final Pattern MHZ = Pattern.compile("(?m)^cpu MHz\\s*:\\s*([0-9.]+)");
    private static final Pattern MODEL = Pattern.compile("(?m)^model name\\s*:\\s*(\\S.*?)\\s*$");
    private static final Pattern MEMORY = Pattern.compile("(?m)^MemTotal:\\s*([0-9]+) kB");
    private static final Pattern OS = Pattern.compile("(?m)^([A-Z_]+)=\"?([^\"\\n]*)\"?");
    private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s*([0-9,-]+)");
    private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");
    private static final long MEBI = 1 << 20;

    /** Nobody's, for documents: RFC 5737 and RFC 3849. */
    private static final List<String> ELSEWHERE = List.of("198.51.100.1", "2001:db8::1");

    /** For a machine that does not say how fast its processors are. */
    private static final double USUAL_MHZ = 2000;

    /** The attribute that names the control group which all tasks of the node are below. */
    public static final String CGROUP_PARENT = "unique.cgroup.parent";

    public Machine {
        attributes = Ordered.copyOf(attributes);
    }

    /**
     * Looks at the machine.
     *
     * @param dataDirectory where allocations are kept
     */
    public static Machine look(Path dataDirectory) throws IOException {
        int cores = Runtime.getRuntime().availableProcessors();
        String cpus = read("/proc/cpuinfo");
        long mhz = Math.round(number(MHZ, cpus, USUAL_MHZ)) * cores;
        long memory = 1024 * (long) number(MEMORY, read("/proc/meminfo"), 0);
        FileStore store = Files.getFileStore(dataDirectory);
        Map<String, String> attributes = new TreeMap<>();
        attributes.put("kernel.name", "linux");
        attributes.put("kernel.version", read("/proc/sys/kernel/osrelease").strip());
        attributes.put("kernel.arch", arch("x86_64", "aarch64"));
        attributes.put("cpu.arch", arch("amd64", "arm64"));
        attributes.put("cpu.numcores", Integer.toString(cores));
        List<Integer> own = canPin() ? cores(read("/proc/self/status"), cores) : List.of();
        attributes.put("cpu.reservablecores", Integer.toString(own.size()));
        attributes.put("cpu.totalcompute", Long.toString(mhz));
        attributes.put("cpu.usablecompute", Long.toString(mhz));
        attributes.put("cpu.frequency", Long.toString(mhz / cores));
        first(MODEL, cpus).ifPresent(name -> attributes.put("cpu.modelname", name));
        attributes.put("memory.totalbytes", Long.toString(memory));
        attributes.put("os.signals", String.join(",", SIGNALS));
        attributes.put("unique.hostname", read("/proc/sys/kernel/hostname").strip());
        attributes.put("unique.storage.volume", store.name());
        attributes.put("unique.storage.bytestotal", Long.toString(store.getTotalSpace()));
        attributes.put("unique.storage.bytesfree", Long.toString(store.getUsableSpace()));
        os(attributes);
        cgroups().ifPresent(version -> attributes.put("os.cgroups.version", version));
        address().ifPresent(address -> attributes.put("unique.network.ip-address", address));
        return new Machine(
                attributes, new Resources(mhz, memory / MEBI, 0, own.size(), own), store.getUsableSpace() / MEBI);
    }

    /**
     * As it is for a node whose tasks are in control groups.
     *
     * @param parent the name of the group that they are all below
     */
    public Machine withCgroups(String parent) {
        Map<String, String> more = new TreeMap<>(attributes);
        more.put(CGROUP_PARENT, parent);
        return new Machine(more, total, diskMb);
    }

    /** As it is for a node that says by which marks it is known. */
    public Machine withPrint(MachinePrint print) {
        return new Machine(print.in(attributes), total, diskMb);
    }

    /** The signals that tasks may be sent, by name. */
    private static final List<String> SIGNALS = List.of(
            "SIGABRT",
            "SIGALRM",
            "SIGCONT",
            "SIGHUP",
            "SIGINT",
            "SIGKILL",
            "SIGPIPE",
            "SIGQUIT",
            "SIGSTOP",
            "SIGTERM",
            "SIGTRAP",
            "SIGTSTP",
            "SIGTTIN",
            "SIGTTOU",
            "SIGUSR1",
            "SIGUSR2",
            "SIGWINCH",
            "SIGXCPU",
            "SIGXFSZ");

    private static void os(Map<String, String> attributes) throws IOException {
        Path release = Path.of("/etc/os-release");
        if (!Files.isReadable(release)) {
            return;
        }
        Matcher line = OS.matcher(Files.readString(release));
        while (line.find()) {
            if (line.group(1).equals("ID")) {
                attributes.put("os.name", line.group(2));
            } else if (line.group(1).equals("VERSION_ID")) {
                attributes.put("os.version", line.group(2));
            }
        }
    }

    /** Whether the kernel keeps processes on the cores that their control group says. */
    private static boolean canPin() throws IOException {
        Path second = Path.of("/sys/fs/cgroup/cgroup.controllers");
        return Files.isReadable(second)
                ? List.of(Files.readString(second).strip().split(" ", -1)).contains("cpuset")
                : Files.isDirectory(Path.of("/sys/fs/cgroup/cpuset"));
    }

    /**
     * The cores that this process may use, by the kernel's numbers: all of them, or none where it may use them for a
     * part of the time only, so that none is a whole one.
     *
     * @param status of a process, as the kernel shows it
     * @param processors how many it may use at a time
     */
    static List<Integer> cores(String status, int processors) {
        List<Integer> cores = new ArrayList<>();
        for (String range : first(ALLOWED, status).orElse("").split(",", -1)) {
            Matcher ends = RANGE.matcher(range);
            if (ends.matches()) {
                int from = Integer.parseInt(ends.group(1));
                int to = ends.group(2) == null ? from : Integer.parseInt(ends.group(2));
                for (int core = from; core <= to; core++) {
                    cores.add(core);
                }
            }
        }
        return cores.size() == processors ? List.copyOf(cores) : List.of();
    }

    private static Optional<String> cgroups() {
        Path root = Path.of("/sys/fs/cgroup");
        if (Files.exists(root.resolve("cgroup.controllers"))) {
            return Optional.of("2");
        }
        return Files.isDirectory(root) ? Optional.of("1") : Optional.empty();
    }

    /** The address that others see of what this machine sends, by its routes; sends nothing. */
    private static Optional<String> address() {
        for (String elsewhere : ELSEWHERE) {
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.connect(new InetSocketAddress(elsewhere, 9));
                InetAddress own = socket.getLocalAddress();
                if (!own.isAnyLocalAddress() && !own.isLoopbackAddress()) {
                    return Optional.of(own.getHostAddress());
                }
            } catch (IOException noRoute) {
                LOG.debug("no route to {}: {}", elsewhere, noRoute.toString());
            }
        }
        return Optional.empty();
    }

    private static String arch(String intel, String arm) {
        String name = System.getProperty("os.arch", "");
        return switch (name) {
            case "amd64", "x86_64" -> intel;
            case "aarch64", "arm64" -> arm;
            default -> name;
        };
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    private static double number(Pattern number, String text, double otherwise) {
        return first(number, text).map(Double::parseDouble).orElse(otherwise);
    }

    private static String read(String file) throws IOException {
        return Files.readString(Path.of(file));
    }
}
