package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.cli.Program;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What its words ask for; that it does it is tried with whole programs. */
final class SnapshotRoleTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int play(Program program, String... args) {
        return new SnapshotRole(program, List.of(args))
                .play(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void whatIsNoSnapshot_isSaidAndNothingIsMade() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "no snapshot");
        assertEquals(1, play(SnapshotRole.INSPECT, file.toString()));
        assertTrue(said().contains(file + " is no whole snapshot of a cluster"), this::said);
        Path data = directory.resolve("data");
        assertEquals(1, play(SnapshotRole.RESTORE, "-data-dir=" + data, file.toString()));
        assertTrue(Files.notExists(data));
        assertEquals(1, play(SnapshotRole.INSPECT, directory.resolve("none").toString()));
        assertTrue(said().contains("NoSuchFileException"), this::said);
    }

    @Test
    void whatIsMissingOrTooMuch_isSaid() {
        assertEquals(1, play(SnapshotRole.RESTORE, "file"));
        assertTrue(said().contains("such as -data-dir=/var/lib/cleat"), this::said);
        assertEquals(1, play(SnapshotRole.INSPECT));
        assertTrue(said().contains("takes one FILE, got 0"), this::said);
        assertEquals(1, play(SnapshotRole.INSPECT, "one", "two"));
        assertTrue(said().contains("takes one FILE, got 2"), this::said);
        assertEquals(0, play(SnapshotRole.RESTORE, "-h"));
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("secrets.key"));
    }

    @Test
    void itsWordsAreFound() {
        assertEquals(
                Optional.of(new SnapshotRole(SnapshotRole.INSPECT, List.of("-json", "f"))),
                SnapshotRole.of(List.of("operator", "snapshot", "inspect", "-json", "f")));
        assertEquals(Optional.empty(), SnapshotRole.of(List.of("operator", "snapshot", "save")));
    }
}
