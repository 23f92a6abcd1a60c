package io.cleat.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The first file of what the task "web" has printed, of a driver whose directory is given. */
final class KeptOutput {
    private KeptOutput() {}

    /** Nothing before the file is there: who keeps the output makes it, after the start. */
    static String of(Path root, String stream) throws IOException {
        Path log = root.resolve("logs/web." + stream + ".0");
        return Files.exists(log) ? Files.readString(log) : "";
    }
}
