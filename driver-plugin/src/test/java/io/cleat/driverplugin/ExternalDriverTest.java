package io.cleat.driverplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExecSession.Output;
import io.cleat.driver.ExitResult;
import io.cleat.driver.NetworkMaker;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskNetwork;
import io.cleat.driver.TaskStats;
import io.cleat.model.NetworkDns;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.TaskDriverContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A driver in a program over the real go-plugin keeps the contract of all drivers. */
class ExternalDriverTest extends TaskDriverContract {
    @TempDir
    Path directory;

    private Optional<PluginGround> ground = Optional.empty();

    @BeforeEach
    void begin() throws Exception {
        ground = Optional.of(new PluginGround(directory, Fixture.in(directory, Map.of(), "-networks")));
    }

    @Override
    protected void nothingIsLeft() throws Exception {
        if (ground.isPresent()) {
            ground.get().end();
        }
    }

    private PluginGround ground() {
        return ground.orElseThrow();
    }

    @Override
    protected TaskDriver driver() {
        return ground().driver();
    }

    @Override
    protected void restart() {
        try {
            ground().restart();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Override
    protected TaskConfig config(String id, Map<String, Object> block) {
        return ground().config(id, block);
    }

    private static Map<String, Object> shell(String script) {
        return Map.of("command", "/bin/sh", "args", List.of("-c", script));
    }

    @Override
    protected Map<String, Object> exiting(int code) {
        return shell("exit " + code);
    }

    @Override
    protected Map<String, Object> waiting() {
        return shell("exec sleep 300");
    }

    @Override
    protected Map<String, Object> stubborn() {
        return shell("trap '' TERM; echo deaf; while true; do sleep 1; done");
    }

    private String printed() throws Exception {
        return Fixture.words(directory.resolve("logs/web.stdout.0"));
    }

    @Override
    protected void awaitStubbornness(TaskHandle task) throws Exception {
        Eventually.holds(() -> printed().contains("deaf"), "the task is deaf");
    }

    @Test
    void whatIsPrintedIsKeptAndNothingIsLost() throws Exception {
        TaskHandle task = started(shell("seq 1 50000; echo oh >&2; pwd; echo \"$GREETING\""));
        assertEquals(new ExitResult(0, 0, false), driver().await(task));
        StringBuilder expected = new StringBuilder();
        for (int number = 1; number <= 50_000; number++) {
            expected.append(number).append('\n');
        }
        expected.append(directory.resolve("alloc/web").toRealPath()).append("\nhello\nworld\n");
        assertEquals(expected.toString(), printed());
        assertEquals("oh\n", Fixture.words(directory.resolve("logs/web.stderr.0")));
    }

    @Test
    void whatIsPrintedWithoutAnAgentIsKept() throws Exception {
        Path sign = directory.resolve("sign");
        TaskHandle task =
                started(shell("while [ ! -e " + sign + " ]; do sleep 0.01; done; seq 1 30000; exec sleep 300"));
        Files.createFile(sign);
        restart();
        Eventually.holds(() -> printed().endsWith("\n30000\n"), "all of it is kept");
        driver().destroy(task);
    }

    @Test
    void aCommandHasInputOutputAndAnEnd() throws Exception {
        TaskHandle task = started(waiting());
        try (ExecSession session =
                driver().exec(task, new ExecCommand(List.of("sh", "-c", "echo oh >&2; cat; exit 7"), false))) {
            session.input("one ".getBytes(StandardCharsets.UTF_8));
            session.input(new byte[0]);
            session.input("two".getBytes(StandardCharsets.UTF_8));
            session.endInput();
            StringBuilder out = new StringBuilder();
            StringBuilder err = new StringBuilder();
            Optional<ExitResult> exit = Optional.empty();
            for (Optional<Output> next = session.next(); next.isPresent(); next = session.next()) {
                switch (next.get()) {
                    case Output.Out(byte[] bytes) -> out.append(new String(bytes, StandardCharsets.UTF_8));
                    case Output.Err(byte[] bytes) -> err.append(new String(bytes, StandardCharsets.UTF_8));
                    case Output.Exited(ExitResult end) -> exit = Optional.of(end);
                }
            }
            assertEquals("one two", out.toString());
            assertEquals("oh\n", err.toString());
            assertEquals(Optional.of(new ExitResult(7, 0, false)), exit);
        }
    }

    @Test
    void tenMegabytesGoThroughACommandAndBackEqual() throws Exception {
        Echoed.through(driver(), started(waiting()), 10 << 20);
    }

    @Test
    void whatATaskUsesIsWhatItsPluginSays() throws Exception {
        TaskHandle task = started(waiting());
        TaskStats first = driver().stats(task);
        TaskStats second = driver().stats(task);
        assertEquals(8192, first.memoryBytes());
        assertEquals(16_384, first.memoryMaxBytes());
        assertEquals(1, first.pids().size());
        assertEquals(0, first.cpuUserNanos());
        assertTrue(second.cpuUserNanos() > 0, second.toString());
    }

    @Test
    void aTaskRunsInTheNetworkThatItsDriverHasMade() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a network namespace needs root, and the tests run as another user");
        assertTrue(driver().joinsNetworks());
        NetworkMaker maker = driver().networkMaker().orElseThrow();
        String alloc = UUID.randomUUID().toString();
        NetworkMaker.Made made = maker.make(alloc, "front");
        Path path = Path.of(made.path());
        try {
            assertEquals(Map.of("host", "front"), made.labels());
            TaskNetwork network =
                    new TaskNetwork(Optional.of(path), made.labels(), "front", List.of(), NetworkDns.OF_NODE);
            TaskHandle task = started(next(shell("readlink /proc/self/ns/net")).in(network));
            assertEquals(new ExitResult(0, 0, false), driver().await(task));
            assertEquals("net:[" + Files.getAttribute(path, "unix:ino") + "]\n", printed());
        } finally {
            maker.unmake(alloc, made);
        }
        maker.unmake(alloc, made);
        assertFalse(Files.exists(path));
    }

    @Test
    void itsHealthAndAttributesAreTold() throws Exception {
        Eventually.holds(() -> driver().fingerprint().healthy(), "it is healthy");
        Map<String, String> attributes = driver().fingerprint().attributes();
        assertEquals("1", attributes.get("driver.fixture"));
        assertEquals("5 MiB", attributes.get("driver.fixture.size"));
    }
}
