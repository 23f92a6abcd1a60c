package io.cleat.localplugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files of each version ever written, in src/test/resources/history. An absent one is written when the tests run
 * with {@code -Dtest.jvm.more=-Dcleat.write=true}; one that is there never is.
 */
final class Samples {
    private static final Path HISTORY = Path.of("src/test/resources/history");

    private Samples() {}

    static byte[] bytes(String name, byte[] now) throws IOException {
        Path file = HISTORY.resolve(name);
        if (Boolean.getBoolean("cleat.write") && !Files.exists(file)) {
            Files.write(file, now);
        }
        return Files.readAllBytes(file);
    }
}
