package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.kernel.MountTable;
import io.cleat.testkit.LeakCheck;
import io.cleat.testkit.RunDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A directory whose name is in all that a test starts and mounts, so that what is left is found. */
final class Workplace {
    final Path root;

    Workplace() throws IOException {
        root = RunDirectory.make();
    }

    /** Fails if a mount, a loop device, a process or a socket is left. */
    void assertNothingIsLeft() throws Exception {
        assertEquals(List.of(), MountTable.readTwice().atOrBelow(root));
        assertEquals(List.of(), new Leavings(root).loopFiles());
        assertEquals(List.of(), processes());
        try (Stream<Path> all = Files.walk(root)) {
            // Neither file nor directory nor link.
            assertEquals(List.of(), all.filter(Workplace::isOther).toList());
        }
    }

    private static boolean isOther(Path path) {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                    .isOther();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Waits until a node has no directory of an allocation, a task or a volume any more. */
    void awaitNothingIsKept(Path node) throws Exception {
        for (String directory :
                List.of("alloc", "client/allocations", "client/shims", "client/csi/plugins", "client/csi/local")) {
            Path kept = node.resolve(directory);
            Api.await(() -> names(kept).isEmpty(), kept + " is empty");
        }
    }

    /** Fails if a plugin has a volume, or the rest of one, in its pool. */
    static void assertNothingIsKeptInPool(Path pool) throws IOException {
        for (String directory : List.of("volumes", "snapshots", "groups", "trash")) {
            assertEquals(List.of(), names(pool.resolve(directory)));
        }
    }

    private static List<Path> names(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        }
    }

    /** Those that name the directory in their arguments. */
    List<String> processes() throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path one : all) {
                String words = arguments(one);
                if (words.contains(root.toString())) {
                    found.add(one.getFileName() + ": " + words);
                }
            }
        }
        return found;
    }

    private static String arguments(Path process) {
        try {
            return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8)
                    .replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }

    /** Takes away whatever a failed test has left: by its own path, never machine-wide. */
    void clear() throws Exception {
        LeakCheck.noteNodes();
        new Leavings(root).remove();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
