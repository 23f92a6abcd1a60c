package io.cleat.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What networks of the demo's allocations have on the machine, by the allocations' ids. */
final class OurNetworks {
    private static final Path RULES = Path.of("/usr/sbin/iptables-save");

    private final Path root;

    /** @param root {@code /}, but in tests */
    OurNetworks(Path root) {
        this.root = root;
    }

    /** Network namespaces, addresses that plugins keep, and rules. */
    List<String> of(Traces traces) throws CheckFailed, InterruptedException {
        List<String> found = new ArrayList<>();
        try {
            for (Path namespace : entries(root.resolve("run/netns"))) {
                if (traces.isNamedIn(namespace.getFileName().toString())) {
                    found.add(namespace.toString());
                }
            }
            for (Path network : entries(root.resolve("var/lib/cni/networks"))) {
                for (Path address : entries(network)) {
                    if (Files.isRegularFile(address) && traces.isNamedIn(text(address))) {
                        found.add(address.toString());
                    }
                }
            }
            rules().filter(traces::isNamedIn).forEach(found::add);
        } catch (IOException unreadable) {
            throw CheckFailed.unseen("networks", unreadable);
        }
        return found;
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    }

    private static List<Path> entries(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        }
    }

    /** None where the program is not installed, without which nobody makes any. */
    private static Stream<String> rules() throws IOException, InterruptedException {
        if (!Files.isExecutable(RULES)) {
            return Stream.empty();
        }
        Process process = new ProcessBuilder(RULES.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text.lines();
    }
}
