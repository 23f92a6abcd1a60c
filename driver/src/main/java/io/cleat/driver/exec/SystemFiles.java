package io.cleat.driver.exec;

import io.cleat.driver.HostRoot;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What of the host every container sees, read-only: its programs, and how they are set up. */
final class SystemFiles {
    private static final List<String> DIRECTORIES =
            List.of("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");

    /** Nothing that holds a secret, and nothing that says how this machine is administered. */
    private static final List<String> SETTINGS = List.of(
            "alternatives",
            "ca-certificates",
            "crypto-policies",
            "group",
            "host.conf",
            "hostname",
            "hosts",
            "ld.so.cache",
            "ld.so.conf",
            "ld.so.conf.d",
            "localtime",
            "mime.types",
            "mke2fs.conf",
            "nsswitch.conf",
            "os-release",
            "passwd",
            "pki",
            "protocols",
            "resolv.conf",
            "services",
            "ssl",
            "timezone");

    private final HostRoot root;

    /** @param root of the host; {@code /} but in tests */
    SystemFiles(Path root) {
        this.root = new HostRoot(root);
    }

    /** What is to be bound, to where it is on the host; without what is a link there. */
    List<Path> bound() throws IOException {
        List<Path> bound = new ArrayList<>();
        for (String directory : DIRECTORIES) {
            Path path = root.at(directory);
            if (Files.isDirectory(path) && !isLinkIntoBound(path)) {
                bound.add(Path.of(directory));
            }
        }
        for (String name : SETTINGS) {
            if (Files.exists(root.at("/etc/" + name))) {
                bound.add(Path.of("/etc", name));
            }
        }
        // Distributions keep the settings of a Java runtime, without which it does not start, here.
        try (DirectoryStream<Path> java = Files.newDirectoryStream(root.at("/etc"), "java*")) {
            java.forEach(path -> bound.add(Path.of("/etc", path.getFileName().toString())));
        }
        return bound;
    }

    /** What a container sees of them whose root is an image's: how names of hosts are found. */
    List<Path> boundToImages() {
        return List.of("hostname", "hosts", "resolv.conf").stream()
                .filter(name -> Files.exists(root.at("/etc/" + name)))
                .map(name -> Path.of("/etc", name))
                .toList();
    }

    /** A file of {@code /etc} that containers see; empty if it is none. */
    Optional<String> text(Path path) throws IOException {
        return root.text(path);
    }

    /** The links at the root, by path, with what they hold: {@code /bin} where {@code /usr} is all. */
    Map<Path, Path> links() throws IOException {
        Map<Path, Path> links = new LinkedHashMap<>();
        for (String directory : DIRECTORIES) {
            Path path = root.at(directory);
            if (isLinkIntoBound(path)) {
                links.put(Path.of(directory), Files.readSymbolicLink(path));
            }
        }
        return links;
    }

    private static boolean isLinkIntoBound(Path path) throws IOException {
        if (!Files.isSymbolicLink(path)) {
            return false;
        }
        Path target = Path.of("/").resolve(Files.readSymbolicLink(path)).normalize();
        return target.startsWith("/usr");
    }
}
