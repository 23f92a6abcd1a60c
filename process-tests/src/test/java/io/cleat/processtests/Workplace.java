package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A directory whose name is in all that a test starts and mounts, so that what is left is found.
 */
final class Workplace {
    final Path root;

    Workplace() throws IOException {
        root = Files.createTempDirectory("cleat").toRealPath();
    }

    /** Fails if a mount or a process is left. */
    void assertNothingIsLeft() throws Exception {
        assertEquals(List.of(), MountTable.readTwice().atOrBelow(root));
        assertEquals(List.of(), processes());
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
            return new String(
                            Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.UTF_8)
                    .replace('\0', ' ');
        } catch (IOException gone) {
            return "";
        }
    }

    /** Kills what a failed test has left: by its own path, never machine-wide. */
    void kill() throws IOException {
        for (String process : processes()) {
            long pid = Long.parseLong(process.substring(0, process.indexOf(':')));
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    /** Takes away whatever a failed test has left. */
    void clear() throws Exception {
        kill();
        List<Mount> mounts = new ArrayList<>(MountTable.readTwice().atOrBelow(root));
        for (Mount mount : mounts.reversed()) {
            Mounts.linux().unmount(Path.of(mount.target()));
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
