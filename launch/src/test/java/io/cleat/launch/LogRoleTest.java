package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.cli.Program;
import io.cleat.server.Server;
import io.cleat.server.ServerSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogRoleTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int play(String... args) {
        return play(LogRole.INSPECT, args);
    }

    private int play(Program program, String... args) {
        out.reset();
        err.reset();
        return new LogRole(program, List.of(args))
                .play(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private Server server() throws Exception {
        SystemTime time = new SystemTime();
        Server server = Server.of(
                new ServerSettings(directory.resolve("server"), "m1", "global", "dc1"),
                time,
                Chance.system(),
                Ids.random(),
                Threads.virtual((where, fault) -> fault.printStackTrace()),
                (where, fault) -> fault.printStackTrace());
        server.start();
        assertTrue(server.awaitReady(Deadline.in(time, Duration.ofSeconds(60))));
        return server;
    }

    @Test
    void theLogOfAServerThatDoesNotRunIsShown() throws Exception {
        try (Server running = server()) {
            assertEquals(1, play("-data-dir=" + directory), this::out);
            assertTrue(err().contains("locked by another process"), this::err);
            assertTrue(running.status().alive());
        }
        assertEquals(0, play("-data-dir=" + directory), this::err);
        assertTrue(out().contains("ClusterFormed"), this::out);
        assertTrue(out().contains("reign"), this::out);
        assertTrue(out().contains("A start reads all of it."), this::out);
        assertEquals(0, play("-data-dir=" + directory, "-json", "-from=1"), this::err);
        assertTrue(out().contains("\"kind\":\"decisions\""), this::out);
    }

    @Test
    void whatIsNoLogIsSaidAndNothingIsMadeThere() {
        assertEquals(1, play("-data-dir=" + directory));
        assertTrue(err().contains("holds no log"), this::err);
        assertTrue(!directory.resolve("server").toFile().exists());
        assertEquals(1, play());
        assertTrue(err().contains("-data-dir"), this::err);
        assertEquals(
                Optional.of(new LogRole(LogRole.INSPECT, List.of("-json"))),
                LogRole.of(List.of("operator", "log", "inspect", "-json")));
        assertEquals(Optional.empty(), LogRole.of(List.of("operator", "raft", "list-peers")));
    }

    /** A start refuses it, so it is not read as if it were empty. */
    @Test
    void aLogWhoseRecordsAreGoneIsNoEmptyOne() throws Exception {
        server().close();
        List<Path> records;
        try (Stream<Path> files = Files.walk(directory)) {
            records = files.filter(file -> file.toString().contains("/current")).toList();
        }
        for (Path file : records.reversed()) {
            Files.delete(file);
        }
        assertEquals(3, play("-data-dir=" + directory), this::out);
        assertTrue(out().contains("PROBLEM  cannot read the records"), this::out);
        assertEquals(3, play(LogRole.VERIFY, "-data-dir=" + directory), this::out);
        assertTrue(out().contains("PROBLEM  it is gone"), this::out);
    }

    @Test
    void theFilesOfALogAreVerified() throws Exception {
        try (Server _ = server()) {
            assertEquals(1, play(LogRole.VERIFY, "-data-dir=" + directory), this::out);
            assertTrue(err().contains("locked by another process"), this::err);
        }
        assertEquals(0, play(LogRole.VERIFY, "-data-dir=" + directory), this::err);
        assertTrue(out().contains("current/log_inprogress_0  entries 0 to "), this::out);
        assertTrue(out().contains("A start can read all of it."), this::out);
        assertEquals(0, play(LogRole.VERIFY, "-data-dir=" + directory, "-json"), this::err);
        assertTrue(out().contains("\"name\":\"current/raft-meta\"}"), this::out);
        try (Stream<Path> files = Files.walk(directory)) {
            Files.delete(
                    files.filter(file -> file.endsWith("raft-meta")).findFirst().orElseThrow());
        }
        assertEquals(3, play(LogRole.VERIFY, "-data-dir=" + directory), this::err);
        assertTrue(out().contains("PROBLEM  it is gone"), this::out);
    }
}
