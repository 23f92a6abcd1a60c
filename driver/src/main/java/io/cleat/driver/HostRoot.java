package io.cleat.driver;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The files of the machine that containers see, or know hosts by.
 *
 * @param path {@code /} but in tests
 */
public record HostRoot(Path path) {
    /** Where an absolute path of the machine is. */
    public Path at(String absolute) {
        return path.resolve(absolute.substring(1));
    }

    /** What a file holds; empty if it is none. */
    public Optional<String> text(Path absolute) throws IOException {
        Path file = at(absolute.toString());
        return Files.isRegularFile(file)
                ? Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
                : Optional.empty();
    }
}
