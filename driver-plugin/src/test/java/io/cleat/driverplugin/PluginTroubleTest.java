package io.cleat.driverplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import io.cleat.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Programs that hold a driver and die, hang, or are none. */
@Timeout(120)
class PluginTroubleTest {
    private static final Map<String, Object> SLEEPING = Map.of("command", "/bin/sleep", "args", List.of("300"));

    @TempDir
    Path directory;

    private Optional<PluginGround> ground = Optional.empty();

    private PluginGround ground(String... args) throws Exception {
        ground = Optional.of(new PluginGround(directory, Fixture.in(directory, Map.of(), args)));
        return ground.get();
    }

    @AfterEach
    void end() throws Exception {
        if (ground.isPresent()) {
            ground.get().end();
        }
    }

    private static long pid(ExternalDriver driver) throws Exception {
        Eventually.holds(() -> driver.fingerprint().healthy(), "it is healthy");
        return Long.parseLong(driver.fingerprint().attributes().get("driver.fixture.pid"));
    }

    private static void kill(ExternalDriver driver) throws Exception {
        ProcessHandle process = ProcessHandle.of(pid(driver)).orElseThrow();
        process.destroyForcibly();
        process.onExit().get();
    }

    private TaskConfig task(int number, Map<String, Object> block) {
        return ground.orElseThrow().config(PluginGround.ALLOCATION + "/web/%08x".formatted(number), block);
    }

    @Test
    void tasksOutliveTheirPluginAndItsSuccessorHasThem() throws Exception {
        ExternalDriver driver = ground().driver();
        TaskHandle task = driver.start(task(1, SLEEPING));
        long before = pid(driver);
        kill(driver);
        driver.stats(task);
        assertTrue(pid(driver) != before, "another one");
        assertEquals(List.of(task), driver.live(PluginGround.ALLOCATION));
        driver.destroy(task);
        assertEquals(List.of(), driver.live(PluginGround.ALLOCATION));
    }

    @Test
    void aTaskWhoseEndNobodySawIsLost() throws Exception {
        ExternalDriver driver = ground().driver();
        TaskHandle task = driver.start(task(1, SLEEPING));
        kill(driver);
        driver.signal(task, "SIGKILL");
        TaskLost lost = assertThrows(TaskLost.class, () -> driver.await(task));
        assertTrue(lost.reason().contains("its exit code was not seen"), lost.reason());
        driver.destroy(task);
    }

    /** The statistics call of the reference blocked for ever; so would every other. */
    @ParameterizedTest
    @CsvSource({"TaskStats", "SignalTask", "WaitTask", "ExecTaskStreaming", "StartTask"})
    void aPluginThatDiesInACallIsShutDownEverywhere(String method) throws Exception {
        Path once = Files.createFile(directory.resolve("once"));
        ExternalDriver driver = ground("-dies=" + method, "-once=" + once).driver();
        boolean inStart = method.equals("StartTask");
        TaskConfig config = task(1, SLEEPING);
        Optional<TaskHandle> task = inStart ? Optional.empty() : Optional.of(driver.start(config));
        PluginShutDown trouble = assertThrows(PluginShutDown.class, () -> {
            switch (method) {
                case "TaskStats" -> driver.stats(task.orElseThrow());
                case "SignalTask" -> driver.signal(task.orElseThrow(), "SIGUSR1");
                case "WaitTask" -> driver.await(task.orElseThrow());
                case "StartTask" -> driver.start(config);
                default ->
                    driver.exec(task.orElseThrow(), new ExecCommand(List.of("true"), false))
                            .next();
            }
        });
        assertTrue(trouble.reason().startsWith("plugin is shut down: "), trouble.reason());
        assertTrue(trouble.reason().contains(Fixture.NAME + ", process "), trouble.reason());
        assertTrue(trouble.reason().endsWith(method), trouble.reason());
        if (inStart) {
            assertEquals(Effect.UNKNOWN, trouble.effect());
            assertEquals(Optional.empty(), driver.find(config));
        } else {
            assertEquals(List.of(task.orElseThrow()), driver.live(PluginGround.ALLOCATION));
            driver.destroy(task.orElseThrow());
        }
    }

    @Test
    void aCallThatIsNeverAnsweredHoldsUpNothingElse() throws Exception {
        ExternalDriver driver = ground("-hangs=SignalTask").driver();
        TaskHandle task = driver.start(task(1, SLEEPING));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> signalling = threads.submit(() -> {
                driver.signal(task, "SIGUSR1");
                return null;
            });
            driver.stats(task);
            TaskHandle other = driver.start(task(2, Map.of("command", "/bin/sh", "args", List.of("-c", "exit 3"))));
            assertEquals(new ExitResult(3, 0, false), driver.await(other));
            driver.destroy(other);
            assertFalse(signalling.isDone());
            signalling.cancel(true);
            driver.destroy(task);
        }
    }

    @Test
    void setConfigReceivesTheEncodedConfigNotItsSchema() throws Exception {
        Path calls = directory.resolve("calls");
        ground = Optional.of(new PluginGround(
                directory, Fixture.in(directory, Map.of("nodes", List.of("one", "two")), "-record=" + calls)));
        pid(ground.get().driver());
        List<String> lines = Files.readAllLines(calls);
        byte[] packed = {
            (byte) 0x82,
            (byte) 0xa8,
            'g',
            'r',
            'e',
            'e',
            't',
            'i',
            'n',
            'g',
            (byte) 0xa5,
            'h',
            'e',
            'l',
            'l',
            'o',
            (byte) 0xa5,
            'n',
            'o',
            'd',
            'e',
            's',
            (byte) 0x92,
            (byte) 0xa3,
            'o',
            'n',
            'e',
            (byte) 0xa3,
            't',
            'w',
            'o'
        };
        String expected = Base64.getEncoder().encodeToString(packed);
        assertEquals(2, lines.size(), lines.toString());
        assertTrue(lines.get(0).contains(expected), lines.get(0));
        assertFalse(lines.get(0).contains("nomad_config"), lines.get(0));
        assertTrue(lines.get(1).contains(expected), lines.get(1));
        assertTrue(lines.get(1).contains("\"ClientMinPort\":14000"), lines.get(1));
        assertTrue(lines.get(1).contains("\"guess_speed\":\"1000\""), lines.get(1));
    }

    /** What it says is told, and an agent goes on without it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "-noise=hello;the plugin's first line of output is 'hello'; expected five fields",
                "-cookie=other;it ended before it said how it is spoken to;This binary is a plugin",
                "-kind=DEVICE;it is a plugin of the type DEVICE, and no driver;",
                "-name=exec;its driver exec is that of the agent itself;",
                "-nosuchflag;it ended before it said how it is spoken to;flag provided but not defined"
            })
    void aProgramThatIsNoDriverIsLeftOutAndSaysWhy(String arg, String words, String more) throws Exception {
        PluginGround made = ground(arg);
        assertEquals(List.of(), made.drivers());
        assertTrue(made.told().contains(words), made.told());
        assertTrue(made.told().contains(more == null ? "" : more), made.told());
    }

    @Test
    void aFileThatCannotBeExecutedIsNamed() throws Exception {
        Path file = Files.createFile(directory.resolve("text"));
        ground = Optional.of(new PluginGround(directory, PluginSettings.of(file)));
        assertEquals(List.of(), ground.get().drivers());
        assertTrue(
                ground.get().told().contains(file + " is no file that can be executed"),
                ground.get().told());
    }

    @Test
    void whatCannotBeStartedLeavesNothing() throws Exception {
        ExternalDriver driver = ground().driver();
        TaskConfig config = task(1, Map.of("command", "/no/such/program"));
        DriverTrouble trouble = assertThrows(DriverTrouble.class, () -> driver.start(config));
        assertEquals(Effect.NONE, trouble.effect());
        assertTrue(trouble.reason().contains("no such file"), trouble.reason());
        assertEquals(Optional.empty(), driver.find(config));
        DriverTrouble missing = assertThrows(DriverTrouble.class, () -> driver.start(task(2, Map.of())));
        assertTrue(missing.reason().contains("config has no 'command'"), missing.reason());
    }

    @Test
    void aStopOutlivesThePluginThatWasAskedForIt() throws Exception {
        Path once = Files.createFile(directory.resolve("once"));
        ExternalDriver driver = ground("-dies=StopTask", "-once=" + once).driver();
        TaskHandle task = driver.start(task(1, SLEEPING));
        driver.stop(task, "SIGTERM", Duration.ofSeconds(30));
        assertThrows(DriverTrouble.class, () -> {
            driver.await(task);
            driver.await(task);
        });
        Eventually.holds(() -> driver.live(PluginGround.ALLOCATION).isEmpty(), "the task was stopped");
        driver.destroy(task);
    }
}
