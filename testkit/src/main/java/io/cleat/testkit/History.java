package io.cleat.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The samples of a module's stored and sent formats: one file per format and version, read for ever and never edited. A
 * new version gets its file from a run of its test with {@code -Dtest.jvm.more=-Dcleat.write=true}; one that is there
 * is never written again.
 */
public final class History {
    private final Path directory;

    /** @param module the directory of the module whose samples they are */
    public History(String module) {
        this.directory = Path.of(System.getProperty("cleat.root", ".."), module, "src/test/resources/history");
    }

    /**
     * The bytes of a sample.
     *
     * @param now what the program writes today, for a sample that is not there yet
     */
    public byte[] sample(String name, byte[] now) throws IOException {
        Path file = directory.resolve(name);
        if (Boolean.getBoolean("cleat.write") && !Files.exists(file)) {
            Files.createDirectories(directory);
            Files.write(file, now, StandardOpenOption.CREATE_NEW);
        }
        return read(name);
    }

    /** The bytes of a sample that is there. */
    public byte[] read(String name) throws IOException {
        return Files.readAllBytes(directory.resolve(name));
    }

    /** The lines of a sample that is text. */
    public List<String> lines(String name) throws IOException {
        return Files.readAllLines(directory.resolve(name));
    }
}
