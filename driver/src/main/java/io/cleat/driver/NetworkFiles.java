package io.cleat.driver;

import io.cleat.model.NetworkDns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The files by which a container's programs know hosts, where they are not the machine's own: who they are, where names
 * are looked up, and whom is asked for them.
 */
public final class NetworkFiles {
    private static final Path RESOLV = Path.of("/etc/resolv.conf");

    /** Whom systemd's own name server asks, which listens at an address of loopback. */
    private static final Path BEHIND_RESOLVED = Path.of("/run/systemd/resolve/resolv.conf");

    private final HostRoot root;

    /** @param root of the machine; {@code /} but in tests */
    public NetworkFiles(Path root) {
        this.root = new HostRoot(root);
    }

    /**
     * Writes them, for everybody in the container to read.
     *
     * @param own where each is written, by its name: whoever is not in the container does not come there
     * @return where each is, by its path in the container
     */
    public Map<Path, Path> write(TaskNetwork network, Function<String, Path> own) throws IOException {
        Map<Path, Path> written = new LinkedHashMap<>();
        for (Map.Entry<Path, String> file : of(network).entrySet()) {
            Path ours = own.apply(String.valueOf(file.getKey().getFileName()));
            OwnFiles.write(ours, "rw-r--r--", file.getValue().getBytes(StandardCharsets.UTF_8));
            written.put(file.getKey(), ours);
        }
        return written;
    }

    /** Their texts, by their paths. */
    Map<Path, String> of(TaskNetwork network) throws IOException {
        Map<Path, String> files = new LinkedHashMap<>();
        boolean isOwn = network.namespace().isPresent();
        if (isOwn) {
            files.put(Path.of("/etc/hosts"), hosts(network));
            files.put(Path.of("/etc/hostname"), network.hostname() + "\n");
        }
        if (isOwn || !network.dns().equals(NetworkDns.OF_NODE)) {
            files.put(RESOLV, resolv(network.dns(), isOwn));
        }
        return files;
    }

    private static String hosts(TaskNetwork network) {
        StringBuilder text = new StringBuilder();
        text.append("127.0.0.1 localhost\n");
        text.append("::1 localhost ip6-localhost ip6-loopback\n");
        text.append("fe00:: ip6-localnet\n");
        text.append("ff00:: ip6-mcastprefix\n");
        text.append("ff02::1 ip6-allnodes\n");
        text.append("ff02::2 ip6-allrouters\n");
        // Programs look up their own name; without an address it leads to loopback.
        List<String> addresses = network.addresses().isEmpty() ? List.of("127.0.1.1") : network.addresses();
        addresses.forEach(address -> text.append(address + " " + network.hostname() + "\n"));
        return text.toString();
    }

    private String resolv(NetworkDns dns, boolean isOwn) throws IOException {
        List<String> node = lines(RESOLV);
        if (isOwn && dns.servers().isEmpty() && hasOnlyLoopback(node)) {
            List<String> behind = lines(BEHIND_RESOLVED);
            node = behind.isEmpty() ? node : behind;
        }
        List<String> lines = new ArrayList<>();
        if (dns.servers().isEmpty()) {
            lines.addAll(of(node, "nameserver"));
        } else {
            dns.servers().forEach(server -> lines.add("nameserver " + server));
        }
        if (dns.searches().isEmpty()) {
            lines.addAll(of(node, "search"));
            lines.addAll(of(node, "domain"));
        } else {
            lines.add("search " + String.join(" ", dns.searches()));
        }
        if (dns.options().isEmpty()) {
            lines.addAll(of(node, "options"));
        } else {
            lines.add("options " + String.join(" ", dns.options()));
        }
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }

    private List<String> lines(Path file) throws IOException {
        return root.text(file).stream()
                .flatMap(String::lines)
                .map(String::strip)
                .toList();
    }

    /** The lines that begin with a word; of all others nothing is known here. */
    private static List<String> of(List<String> lines, String word) {
        return lines.stream()
                .filter(line -> line.split("\\s+", 2)[0].equals(word))
                .toList();
    }

    private static boolean hasOnlyLoopback(List<String> lines) {
        List<String> servers = of(lines, "nameserver");
        return !servers.isEmpty() && servers.stream().allMatch(line -> line.matches("nameserver\\s+(127\\.|::1$).*"));
    }
}
