package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.base.VisibleText;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskHasEnded;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.model.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The first process of a container is one that its workload took over: what it says has an effect on that task only.
 */
@Timeout(120)
class HostileInitTest {
    @TempDir
    Path temporary;

    private @Nullable ExecGround made;

    @BeforeEach
    void makeGround() throws Exception {
        Path hostile = TestProgram.build(
                "hostile_init",
                temporary.toRealPath(),
                "-DSHIM=\"" + ShimProgram.built().toAbsolutePath() + "\"");
        made = new ExecGround(temporary, ExecSettings.STRICT, ExecGround.usualPath(), hostile);
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

    private TaskConfig task(String id, String part) {
        return ground().config(
                        "alloc/" + id + "/ffffffff",
                        Map.of("command", "sleep", "args", List.of(part)),
                        "",
                        Resources.NONE,
                        List.of());
    }

    @Test
    void whatItAnswersACommandIsTroubleOfThatCommandAlone() throws Exception {
        TaskHandle hostile = ground().driver().start(task("hostile", "lies-to-commands"));
        TaskHandle other = ground().driver().start(task("other", "300"));
        for (int i = 0; i < 12; i++) {
            DriverTrouble trouble = assertThrows(DriverTrouble.class, () -> {
                try (ExecSession session = ground().driver().exec(hostile, new ExecCommand(List.of("true"), false))) {
                    session.next();
                }
            });
            assertTrue(trouble.reason().codePoints().allMatch(VisibleText::isVisible), trouble.reason());
        }
        assertEquals(1, ground().driver().stats(other).pids().size());
        ground().driver().destroy(hostile);
        assertEquals(1, ground().driver().stats(other).pids().size());
        ground().driver().destroy(other);
    }

    @Test
    void whoSaysThatItEndedIsNotBelievedWhileItRuns() throws Exception {
        TaskHandle task = ground().driver().start(task("liar", "says-it-ended"));
        assertEquals(1, ground().driver().stats(task).pids().size());
        ground().driver().stop(task, "SIGTERM", Duration.ofMillis(100));
        ground().driver().await(task);
        assertThrows(TaskHasEnded.class, () -> ground().driver().stats(task));
        ground().driver().destroy(task);
    }

    @ParameterizedTest
    @ValueSource(strings = {"says-nonsense", "stopped"})
    void ofWhatIsNoEndNothingIsBelieved(String part) throws Exception {
        TaskHandle task = ground().driver().start(task("liar", part));
        assertEquals(7, ground().driver().await(task).exitCode());
        ground().driver().destroy(task);
    }

    @Test
    void whoSaysThatItFailedAndRunsOnIsKilled_andItsWordsAreOneLine() {
        DriverTrouble trouble =
                assertThrows(DriverTrouble.class, () -> ground().driver().start(task("liar", "says-it-failed")));
        assertTrue(trouble.reason().contains("no?code 0?oom yes??[2J"), trouble.reason());
        assertFalse(trouble.reason().contains("\n"), trouble.reason());
    }
}
