package io.cleat.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a test's own process holds open. */
public final class OpenFiles {
    private OpenFiles() {}

    /**
     * What its descriptors lead to, such as a path or {@code socket:[123]}; without what other threads close just now.
     */
    public static List<String> targets() throws IOException {
        List<String> targets = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.toList()) {
                try {
                    targets.add(Files.readSymbolicLink(descriptor).toString());
                } catch (NoSuchFileException closed) {
                    continue;
                }
            }
        }
        return targets;
    }
}
