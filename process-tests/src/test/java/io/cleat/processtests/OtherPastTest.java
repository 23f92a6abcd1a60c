package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Params;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** A server whose data directory is not the one that its node knew: what runs there goes on. */
final class OtherPastTest {
    private final Workplace place;
    private final Path data;
    private final AgentProcess server;
    private final AgentProcess node;
    private final Api api;

    OtherPastTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a node needs root, and the tests run as another user");
        AgentProcess.build();
        place = new Workplace();
        data = place.root.resolve("s");
        server = new AgentProcess(data, List.of(), "-server");
        node = new AgentProcess(place.root.resolve("n"), List.of(), "-client", "-node=n", "-servers=" + data);
        api = new Api(server.client());
    }

    @AfterEach
    void clear() throws Exception {
        Stream.of(server, node).forEach(AgentProcess::close);
        place.clear();
    }

    @Test
    void anEmptyOrAnOlderServerEndsNothing_andTheRightOneGoesOn() throws Exception {
        Path kept = data.resolve("server");
        Path older = place.root.resolve("older");
        Path newest = place.root.resolve("newest");
        server.start();
        node.start();
        api.awaitNode("n", "ready");
        ProcessHandle early = running("early");
        server.end();
        copy(kept, older);
        server.start();
        ProcessHandle late = running("late");
        server.end();

        Files.move(kept, newest);
        server.start();
        awaitRefusal("this node belongs to cluster ");
        assertEquals(List.of(), api.client().nodes().list(Params.none()).body());
        server.end();

        Files.move(kept, place.root.resolve("empty"));
        Files.move(older, kept);
        server.start();
        awaitRefusal("restored from an older copy");
        server.end();
        assertTrue(early.isAlive() && late.isAlive());

        Files.move(kept, older);
        Files.move(newest, kept);
        server.start();
        api.awaitNode("n", "ready");
        assertTrue(early.isAlive() && late.isAlive());
        api.stop("early");
        api.stop("late");
        Api.await(() -> !early.isAlive() && !late.isAlive(), "both jobs are stopped");
    }

    /** A snapshot by the command line, which also gives it to the server that does not run. */
    @Test
    void aSnapshotIsSavedAndRestored_andWhatRunsGoesOn() throws Exception {
        Path snapshot = place.root.resolve("cleat.snap");
        server.start();
        node.start();
        api.awaitNode("n", "ready");
        ProcessHandle early = running("early");
        cleat(0, "operator", "snapshot", "save", snapshot.toString());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(snapshot)));
        String inspected = cleat(0, "operator", "snapshot", "inspect", snapshot.toString());
        assertTrue(inspected.contains("Jobs           1\n"), inspected);
        ProcessHandle late = running("late");
        String restore = "-data-dir=" + data;
        String refused = cleat(1, "operator", "snapshot", "restore", restore, snapshot.toString());
        assertTrue(refused.contains("locked by another process"), refused);
        server.end();

        String restored = cleat(0, "operator", "snapshot", "restore", restore, snapshot.toString());
        assertTrue(restored.contains("The log that was there is "), restored);
        server.start();
        awaitRefusal("restored from an older copy");
        assertTrue(early.isAlive() && late.isAlive());
        cleat(0, "operator", "recovery", "-end", "-force");
        api.awaitNode("n", "ready");
        assertTrue(early.isAlive());
        api.stop("early");
        Api.await(() -> !early.isAlive(), "the job is stopped");
        late.destroyForcibly();
    }

    /** What the command line prints, and the code that it has to end with. */
    private String cleat(int code, String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(AgentProcess.LAUNCHER.toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("CLEAT_BUILD", "never");
        builder.environment().put("CLEAT_ADDR", "unix://" + data.resolve("http.sock"));
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(code, process.waitFor(), said);
        return said;
    }

    private ProcessHandle running(String job) throws Exception {
        Path pid = place.root.resolve("pid-" + job);
        api.run("""
                job "%s" {
                  group "g" {
                    task "t" {
                      driver = "raw_exec"
                      config {
                        command = "/bin/sh"
                        args    = ["-c", "echo $$ > %s; exec sleep 100000"]
                      }
                      resources {
                        cpu    = 100
                        memory = 16
                      }
                    }
                  }
                }
                """.formatted(job, pid));
        Api.await(() -> Files.exists(pid) && !Files.readString(pid).isEmpty(), job + " runs");
        return ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
    }

    /** The node has heard it, and the server has said it. */
    private void awaitRefusal(String words) throws Exception {
        Api.await(() -> node.words().contains(words), "the node says: " + words);
        assertTrue(server.words().contains(words), server::words);
    }

    private static void copy(Path from, Path to) throws Exception {
        Process copying = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                .inheritIO()
                .start();
        assertEquals(0, copying.waitFor());
    }
}
