package io.cleat.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What networks of allocations have on the machine now: namespaces, addresses that plugins keep, rules, and interfaces
 * of a bridge. Found by the names that plugins know allocations by, which are those of the namespaces.
 */
public final class NetworkLeaks {
    private static final Path NAMESPACES = Path.of("run/netns");
    private static final Path ADDRESSES = Path.of("var/lib/cni/networks");
    private static final Path INTERFACES = Path.of("sys/class/net");

    private final Path root;

    /** @param root {@code /}, but in tests */
    NetworkLeaks(Path root) {
        this.root = root;
    }

    public static NetworkLeaks ofThisMachine() {
        return new NetworkLeaks(Path.of("/"));
    }

    /** The names of a node's allocations, by what is written down of them in its directory now. */
    public static Set<String> names(Path data) throws IOException {
        Set<String> names = new TreeSet<>();
        for (String kind : List.of("network", "allocation")) {
            Path records = data.resolve("client/" + kind + "s");
            for (Path record : entries(records)) {
                String file = record.getFileName().toString();
                if (file.endsWith("." + kind)) {
                    names.add("cleat-" + file.substring(0, file.length() - kind.length() - 1));
                }
            }
        }
        return names;
    }

    /**
     * In words, one each; empty when nothing is there.
     *
     * @param names of allocations
     */
    public List<String> found(Set<String> names) throws IOException, InterruptedException {
        List<String> found = new ArrayList<>();
        if (names.isEmpty()) {
            return found;
        }
        for (String name : names) {
            Path namespace = root.resolve(NAMESPACES).resolve(name);
            if (Files.exists(namespace)) {
                found.add("network namespace " + namespace);
            }
        }
        for (Path network : entries(root.resolve(ADDRESSES))) {
            for (Path address : entries(network)) {
                String owner = Files.isRegularFile(address) ? text(address) : "";
                if (names.stream().anyMatch(owner::contains)) {
                    found.add("address " + address + " of " + owner.strip());
                }
            }
        }
        for (String program : List.of("iptables-save", "ip6tables-save")) {
            for (String rule : printed(program)) {
                if (names.stream().anyMatch(rule::contains)) {
                    found.add("rule " + rule);
                }
            }
        }
        return found;
    }

    /** The interfaces that are joined to a bridge, each the end of a pair. */
    public List<String> attached(String bridge) throws IOException {
        return entries(root.resolve(INTERFACES).resolve(bridge).resolve("brif")).stream()
                .map(each -> "interface " + each.getFileName())
                .toList();
    }

    private static List<Path> entries(Path directory) throws IOException {
        List<Path> entries = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
                all.forEach(entries::add);
            }
        }
        return entries;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    /** Nothing where the program is not installed: then nobody has made rules. */
    private static List<String> printed(String program) throws IOException, InterruptedException {
        Path file = Path.of("/usr/sbin", program);
        if (!Files.isExecutable(file)) {
            return List.of();
        }
        Process process = new ProcessBuilder(file.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        process.waitFor();
        return lines;
    }
}
