package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.model.Resources;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A task tries to take over the processes of ours that run in its container as its user: the first
 * one, and those of commands.
 */
@Timeout(120)
class ExecWallTest {
    @TempDir Path temporary;
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

    private TaskHandle start(String user) throws Exception {
        return ground().driver()
                .start(
                        ground().config(
                                        "alloc/web/ffffffff",
                                        Map.of("command", "sleep", "args", List.of("300")),
                                        user,
                                        Resources.NONE,
                                        List.of()));
    }

    private String said(TaskHandle task, boolean terminal, String... words) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ExecSession session =
                ground().driver().exec(task, new ExecCommand(List.of(words), terminal))) {
            for (Optional<ExecSession.Output> next = session.next();
                    next.isPresent();
                    next = session.next()) {
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
        String ofTheTask =
                "for p in /proc/[0-9]*; do"
                        + " if grep -qx sleep $p/comm; then ls $p/fd; fi; done; true";
        assertEquals(
                List.of("0", "1", "2"),
                List.of(said(task, terminal, "sh", "-c", ofTheTask).strip().split("\\s+", -1)));
        ground().driver().destroy(task);
    }
}
