package io.cleat.jobspec.hcl;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/**
 * {@code file abspath timestamp uuidv4}. Paths start at the folder of the file that names them; a
 * text that came from elsewhere may not look at the file system of whoever reads it.
 */
final class WorldFunctions {
    private WorldFunctions() {}

    static void addTo(Functions all, World world) {
        all.add("file", "path", 1, 1, WorldFunctions::file);
        all.add("abspath", "path", 1, 1, in -> Value.of(path(in).toString()));
        all.add("timestamp", "", 0, 0, _ -> timestamp(world));
        all.add("uuidv4", "", 0, 0, _ -> Value.of(world.ids().next()));
    }

    private static Value timestamp(World world) {
        return Value.of(
                DateTimeFormatter.ISO_INSTANT.format(
                        world.time()
                                .now()
                                .atOffset(ZoneOffset.UTC)
                                .truncatedTo(ChronoUnit.SECONDS)));
    }

    private static Path path(Arguments in) throws Misuse {
        Path folder =
                in.source()
                        .folder()
                        .orElseThrow(
                                () ->
                                        new Misuse(
                                                "Files can only be named in a file that is read"
                                                        + " from disk, not in a text that was sent."));
        try {
            return folder.resolve(in.text(0)).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new Misuse("The path cannot be read: " + e.getReason() + ".");
        }
    }

    private static Value file(Arguments in) throws Misuse {
        Path path = path(in);
        try {
            return Value.of(Source.readText(path));
        } catch (IOException e) {
            String reason =
                    e instanceof java.nio.file.NoSuchFileException
                            ? "there is no such file"
                            : e.getMessage();
            throw new Misuse("Cannot read " + path + ": " + reason + ".");
        }
    }
}
