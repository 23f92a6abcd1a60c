package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.model.Resources;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A task tries to take over the processes of ours that run in its container as its user: the first one, and those of
 * commands.
 */
@Timeout(120)
class ExecWallTest {
    /** Some that a container's root has; to look into another takes more than that. */
    private static final List<String> OF_ROOT = List.of("chown", "dac_override", "fowner", "kill");

    @TempDir
    Path temporary;

    private @Nullable ExecGround made;

    @BeforeEach
    void makeGround() throws Exception {
        made = new ExecGround(temporary, ExecSettings.STRICT, ExecGround.usualPath());
        TestProgram.build("wall_breaker", temporary.resolve("task/local"));
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        if (made != null) {
            made.end();
        }
    }

    private ExecGround ground() {
        if (made == null) {
            throw new IllegalStateException("no ground");
        }
        return made;
    }

    private TaskConfig config(String user) {
        return ground().config(
                        "alloc/web/ffffffff",
                        Map.of("command", "sleep", "args", List.of("300")),
                        user,
                        Resources.NONE,
                        List.of());
    }

    private TaskHandle start(String user) throws Exception {
        return ground().driver().start(config(user));
    }

    private String said(TaskHandle task, boolean terminal, String... words) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ExecSession session = ground().driver().exec(task, new ExecCommand(List.of(words), terminal))) {
            for (Optional<ExecSession.Output> next = session.next(); next.isPresent(); next = session.next()) {
                switch (next.get()) {
                    case ExecSession.Output.Out(byte[] bytes) -> out.writeBytes(bytes);
                    case ExecSession.Output.Err(byte[] bytes) -> out.writeBytes(bytes);
                    case ExecSession.Output.Exited exited ->
                        assertTrue(exited.result().isSuccess());
                }
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    /** What a command found, which has two processes of ours beside it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "root"})
    void noProcessOfOursIsTheTasksToTakeOver(String user) throws Exception {
        TaskHandle task = start(user);
        String found = said(task, false, "/local/wall_breaker");
        assertTrue(found.contains("own child seized\n"), found);
        assertTrue(found.contains("ours 1\n"), found);
        assertTrue(found.contains("ours 0\n"), found);
        assertTrue(found.endsWith("tried\n"), found);
        assertFalse(found.contains("works"), found);
        assertEquals(2, found.split("NoNewPrivs:\t1\n", -1).length - 1, found);
        // As root the one to signal children that became other users.
        String effective = user.isEmpty() ? "0000000000000000" : "0000000000000020";
        assertEquals(2, found.split("CapEff:\t" + effective + "\n", -1).length - 1, found);
        ground().driver().destroy(task);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCommandInheritsNothingButItsStreams(boolean terminal) throws Exception {
        TaskHandle task = start("");
        // The last one is that of the directory itself.
        assertEquals(
                List.of("0", "1", "2", "3"),
                List.of(said(task, terminal, "ls", "/proc/self/fd").strip().split("\\s+", -1)));
        String ofTheTask = "for p in /proc/[0-9]*; do if grep -qx sleep $p/comm; then ls $p/fd; fi; done; true";
        assertEquals(
                List.of("0", "1", "2"),
                List.of(said(task, terminal, "sh", "-c", ofTheTask).strip().split("\\s+", -1)));
        ground().driver().destroy(task);
    }

    /** A runtime that has the first process of a container wait before it has said anything. */
    private Path waitingRuntime() throws Exception {
        Path directory = Files.createDirectory(temporary.resolve("bin"));
        Path runtime = Files.writeString(directory.resolve("runc"), """
                        #!/bin/sh
                        before=
                        for word; do
                          if [ "$before" = --bundle ]; then
                            sed -i 's#"init","sleep","300"#"read","/local/fifo"#' "$word/config.json"
                          fi
                          before=$word
                        done
                        exec %s "$@"
                        """.formatted(ExecGround.runtime()));
        Files.setPosixFilePermissions(runtime, PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory;
    }

    /** Whether a process with that user's powers in a container may look into another one. */
    private static boolean looksInto(String user, long pid) throws Exception {
        List<String> look = new ArrayList<>(List.of("setpriv", "--inh-caps", "-all"));
        look.addAll(
                user.isEmpty()
                        ? List.of("--reuid", "65534", "--regid", "65534", "--clear-groups")
                        : List.of("--bounding-set", "-all,+" + String.join(",+", OF_ROOT)));
        look.addAll(List.of("cat", "/proc/" + pid + "/environ"));
        Process process = new ProcessBuilder(look).redirectErrorStream(true).start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean seen = process.waitFor() == 0;
        assertTrue(seen || words.contains("Permission denied"), words);
        return seen;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "root"})
    void theFirstProcessIsShutFromItsFirstInstructionOn(String user) throws Exception {
        Path fifo = temporary.resolve("task/local/fifo");
        assertEquals(
                0, new ProcessBuilder("mkfifo", "-m", "666", fifo + "").start().waitFor());
        ground().make(ExecSettings.STRICT, List.of(waitingRuntime()));
        assertTrue(ground().driver().fingerprint().healthy());
        TaskConfig config = config(user);
        Path state = temporary.resolve("exec/shims/alloc.web.ffffffff/state");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<TaskHandle> started = threads.submit(() -> ground().driver().start(config));
            Eventually.holds(() -> Files.exists(state), "the container is made");
            long first = Files.readAllLines(state).stream()
                    .filter(line -> line.startsWith("child "))
                    .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1]))
                    .findFirst()
                    .orElseThrow();
            Path program = Path.of("/proc/" + first + "/comm");
            Eventually.holds(() -> Files.readString(program).equals(".cleat-init\n"), "it is executed");
            boolean seen = looksInto(user, first);
            Files.newOutputStream(fifo).close();
            ground().driver().destroy(started.get());
            assertFalse(seen);
        }
        Process open = new ProcessBuilder(asUser(user)).start();
        Eventually.holds(() -> looksInto(user, open.pid()), "another program's may be looked into");
        open.destroyForcibly().waitFor();
    }

    private static List<String> asUser(String user) {
        return user.isEmpty()
                ? List.of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "sleep", "300")
                : List.of("setpriv", "--inh-caps", "-all", "--bounding-set", "-all", "sleep", "300");
    }
}
