package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.exec.ExecSettings;
import io.cleat.model.DriverFacts;
import io.cleat.model.Resources;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

/** What becomes of tasks when the runtime that makes containers does not do what it should. */
@Timeout(120)
class ExecRuntimeTest {
    private static final String ID = "alloc/web/ffffffff";

    @TempDir
    Path temporary;

    private @Nullable ExecGround made;

    @BeforeEach
    void makeGround() throws Exception {
        made = new ExecGround(temporary, ExecSettings.STRICT, ExecGround.usualPath());
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

    private TaskConfig config(String script) {
        Map<String, Object> block = Map.of("command", "/bin/sh", "args", List.of("-c", script));
        return ground().config(ID, block, "", Resources.NONE, List.of());
    }

    private Path runtime(String script) throws IOException {
        Path directory = Files.createDirectories(ground().root().resolve("path"));
        Path runtime = Files.writeString(directory.resolve("runc"), "#!/bin/sh\n" + script);
        assertTrue(runtime.toFile().setExecutable(true));
        return directory;
    }

    @Test
    void aRuntimeThatIsMissingOrFailsOrHangsIsNotUsedAndItsWordsAreShown() throws Exception {
        ground().make(ExecSettings.STRICT, List.of(ground().root()));
        DriverFacts missing = ground().driver().fingerprint();
        assertFalse(missing.healthy());
        assertTrue(missing.healthDescription().contains("install"), missing.healthDescription());
        DriverTrouble refused =
                assertThrows(DriverTrouble.class, () -> ground().driver().start(config("true")));
        assertEquals(Effect.NONE, refused.effect());

        Path failing = runtime("echo '{\"level\":\"error\",\"msg\":\"no \\\"luck\\\"\"}' > $4; exit 1");
        ground().make(ExecSettings.STRICT, List.of(failing));
        DriverFacts failed = ground().driver().fingerprint();
        assertFalse(failed.healthy());
        assertTrue(
                failed.attributes().getOrDefault("driver.exec.runc.failure", "").contains("no \"luck\""),
                failed.toString());

        Path hanging = runtime("exec sleep 3040");
        ground().make(ExecSettings.STRICT, List.of(hanging));
        int told = ground().told();
        DriverFacts waiting = ground().driver().fingerprint();
        assertFalse(waiting.healthy());
        assertTrue(waiting.healthDescription().contains("not known yet"), waiting.toString());
        Eventually.holds(() -> ground().told() > told, "the outcome is told");
        DriverFacts hung = ground().driver().fingerprint();
        assertFalse(hung.healthy());
        assertTrue(hung.healthDescription().contains("gave no answer"), hung.healthDescription());
    }

    @Test
    void aShimThatDiesBeforeItWroteAnythingLeavesNothing() throws Exception {
        Path flag = ground().root().resolve("die");
        Path directory = runtime(ExecGround.runtime()
                + " \"$@\" || exit 1; case \" $* \" in *\" create \"*) test ! -e "
                + flag
                + " || kill -9 $PPID;; esac");
        ground().make(ExecSettings.STRICT, List.of(directory));
        assertTrue(ground().driver().fingerprint().healthy());
        Files.writeString(flag, "");
        TaskConfig config = config("echo ran > /local/ran");
        DriverTrouble trouble =
                assertThrows(DriverTrouble.class, () -> ground().driver().start(config));
        assertEquals(Effect.UNKNOWN, trouble.effect(), trouble.reason());
        assertTrue(ground().driver().find(config).isEmpty());
        assertEquals(List.of(), ground().cgroups().group("alloc.web.ffffffff").processes());
        assertFalse(Files.exists(ground().root().resolve("task/local/ran")));
    }

    /** What is found of a runtime that is called so. */
    private DriverFacts found(String script) throws Exception {
        ground().make(ExecSettings.STRICT, List.of(runtime(script)));
        return ground().driver().fingerprint();
    }

    private static String words(DriverFacts facts) {
        assertFalse(facts.healthy(), facts.toString());
        return facts.attributes().getOrDefault("driver.exec.runc.failure", "");
    }

    @Test
    void withoutRootOrAControllerOfItsLimitsNoRuntimeIsUsedAndItsWordsAreShown() throws Exception {
        String notRoot =
                words(found("exec setpriv --bounding-set=-all --inh-caps=-all " + ExecGround.runtime() + " \"$@\""));
        assertTrue(notRoot.matches(".*create' failed: (?!it said nothing).+"), notRoot);
        String noMemory = words(found("exec unshare -m --propagation private sh -c 'umount /sys/fs/cgroup/memory"
                + " || mount -t tmpfs none /sys/fs/cgroup; exec "
                + ExecGround.runtime()
                + " \"$@\"' runc \"$@\""));
        assertTrue(noMemory.contains("cgroup"), noMemory);
    }

    @Test
    void aRuntimeThatFailsLaterRefusesTheTaskInItsWordsAndTheNextOneRuns() throws Exception {
        Path broken = ground().root().resolve("broken");
        DriverFacts facts = found("case \" $* \" in *\" $(cat "
                + broken
                + " 2>/dev/null) \"*) echo '{\"msg\":\"no luck\"}' > $4; exit 1;; esac; exec "
                + ExecGround.runtime()
                + " \"$@\"");
        assertTrue(facts.healthy(), facts.toString());
        TaskConfig config = config("exec sleep 300");
        for (String verb : List.of("create", "start")) {
            Files.writeString(broken, verb);
            DriverTrouble trouble =
                    assertThrows(DriverTrouble.class, () -> ground().driver().start(config));
            assertEquals(Effect.NONE, trouble.effect(), trouble.reason());
            assertTrue(trouble.reason().contains(verb + "' failed: no luck"), trouble.reason());
            assertTrue(ground().driver().find(config).isEmpty());
        }
        Files.delete(broken);
        TaskHandle task = ground().driver().start(config);
        ground().driver().destroy(task);
    }

    @Test
    void aRuntimeThatIsTakenAwayHurtsNoTaskThatRuns() throws Exception {
        Path directory = runtime("exec " + ExecGround.runtime() + " \"$@\"");
        ground().make(ExecSettings.STRICT, List.of(directory));
        TaskHandle task = ground().driver().start(config("exec sleep 300"));
        Files.delete(directory.resolve("runc"));
        try (ExecSession session = ground().driver().exec(task, new ExecCommand(List.of("echo", "well"), false))) {
            ExecSession.Output said = session.next().orElseThrow();
            assertTrue(
                    said instanceof ExecSession.Output.Out(byte[] bytes)
                            && new String(bytes, StandardCharsets.UTF_8).equals("well\n"),
                    said.toString());
        }
        ground().driver().stop(task, "SIGKILL", Duration.ZERO);
        assertEquals(9, ground().driver().await(task).signal());
        ground().driver().destroy(task);
    }
}
