package io.cleat.driverplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExecSession.Output;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskNetwork;
import io.cleat.driverplugin.DriverSuite.Outcome;
import io.cleat.driverplugin.DriverSuite.Result;
import io.cleat.model.Resources;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.FullJob;
import io.cleat.testkit.LeakCheck;
import io.cleat.testkit.ShimProgram;
import io.cleat.testkit.TaskDriverContract;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The driver kit's example, as its own program: a driver that was written with the kit keeps the contract of all
 * drivers, and what plugins owe.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JavaDriverTest extends TaskDriverContract {
    /** What may read the test's own directory, without any of root's rights. */
    private static final String USER = "root";

    @TempDir
    static Path directory;

    private Optional<PluginGround> ground = Optional.empty();

    @BeforeAll
    void begin() throws Exception {
        ground = Optional.of(new PluginGround(directory, settings()));
        assertEquals("", ground().told());
    }

    @AfterAll
    void end() throws Exception {
        if (ground.isPresent()) {
            ground.get().end();
        }
    }

    private PluginSettings settings() throws Exception {
        String group = "cleat-test-java-" + ProcessHandle.current().pid();
        LeakCheck.noteGroup(group);
        Path program = directory.resolve("java-driver");
        Files.writeString(
                program,
                "#!/bin/sh\nexec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx64m -Dcleat.shim='%s' -cp '%s' %s%n"
                        .formatted(
                                Path.of(System.getProperty("java.home"), "bin/java"),
                                ShimProgram.built(),
                                System.getProperty("java.class.path"),
                                "io.cleat.javadriver.JavaDriver"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return new PluginSettings(
                "java-driver",
                program,
                List.of(),
                Map.of("directory", directory.resolve("tasks").toString(), "cgroup", group));
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
        TaskConfig config = ground().config(id, block);
        return new TaskConfig(
                config.id(),
                config.allocId(),
                config.task(),
                config.config(),
                config.env(),
                USER,
                new Resources(100, 128, 0),
                config.allocDir(),
                config.taskDir(),
                config.mounts(),
                config.logs());
    }

    private static Map<String, Object> running(String... args) {
        return Map.of(
                "class",
                JavaTask.class.getName(),
                "class_path",
                JavaTask.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath(),
                // Quick to start; signals are the tests' own.
                "jvm_options",
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xrs", "-Xshare:auto"),
                "args",
                List.of(args));
    }

    @Override
    protected Map<String, Object> exiting(int code) {
        return running("exit", Integer.toString(code));
    }

    @Override
    protected Map<String, Object> waiting() {
        return running("wait");
    }

    @Override
    protected Map<String, Object> stubborn() {
        return Map.of(
                "class",
                JavaTask.class.getName(),
                "class_path",
                JavaTask.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath(),
                "args",
                List.of("deaf"));
    }

    private String printed() throws Exception {
        return Fixture.words(directory.resolve("logs/web.stdout.0"));
    }

    @Override
    protected void awaitStubbornness(TaskHandle task) throws Exception {
        Eventually.holds(() -> printed().contains("deaf"), "the task is deaf");
        Files.delete(directory.resolve("logs/web.stdout.0"));
    }

    @Test
    void theHeapFitsTheMemoryOfTheTask() throws Exception {
        started(running("heap"));
        Eventually.holds(() -> printed().contains("heap"), "it has said its heap");
        long heap = printed().lines().mapToLong(JavaDriverTest::number).max().orElse(0);
        assertTrue(heap > 48 && heap <= 64, "of 128 MiB it has " + heap);
    }

    private static long number(String line) {
        return line.matches("[0-9]+") ? Long.parseLong(line) : 0;
    }

    @Test
    void aCommandHasNoMoreThanItsTask() throws Exception {
        TaskHandle task = started(waiting());
        assertEquals(
                "NoNewPrivs:\t1\nCapEff:\t0000000000000000\n",
                said(task, "grep -E 'NoNewPrivs|CapEff' /proc/self/status | sort -r"));
        long pid = driver().stats(task).pids().getFirst();
        String status = Files.readString(Path.of("/proc/" + pid + "/status"));
        assertTrue(status.contains("NoNewPrivs:\t1"), status);
        assertTrue(status.contains("CapEff:\t0000000000000000"), status);
    }

    /** As allocations have it: with an address, names of its own, and nothing of the machine. */
    @Test
    void aTaskAndItsCommandsSeeTheNetworkOfTheirAllocation() throws Exception {
        String name = "cleat-test-java-" + ProcessHandle.current().pid();
        run("ip", "netns", "add", name);
        try {
            run("ip", "-n", name, "addr", "add", "192.0.2.7/32", "dev", "lo");
            String id = PluginGround.ALLOCATION + "/web/0000aaaa";
            TaskNetwork network = new TaskNetwork(
                    Optional.of(Path.of("/run/netns", name)), Map.of(), "front", List.of("192.0.2.7"), FullJob.DNS);
            TaskHandle task = driver().start(config(id, waiting()).in(network));
            try {
                String expected = "front\n192.0.2.7 front\nnameserver 192.0.2.53\nsearch example.com\n"
                        + "options ndots:2\n192.0.2.7/32\n";
                String script =
                        "uname -n; grep front /etc/hosts; cat /etc/resolv.conf; ip -o addr | grep -o '192[^ ]*'";
                assertEquals(expected, said(task, script));
                long pid = driver().stats(task).pids().getFirst();
                assertEquals(
                        Files.getAttribute(Path.of("/run/netns", name), "unix:ino"),
                        Files.getAttribute(Path.of("/proc/" + pid + "/ns/net"), "unix:ino"));
                ground().restart();
                assertTrue(driver().find(config(id, waiting()).in(network)).isPresent());
                assertEquals(expected, said(task, script), "of the next program");
            } finally {
                driver().destroy(task);
            }
        } finally {
            run("ip", "netns", "delete", name);
        }
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), words);
    }

    private String said(TaskHandle task, String script) throws Exception {
        StringBuilder out = new StringBuilder();
        try (ExecSession session = driver().exec(task, new ExecCommand(List.of("sh", "-c", script), false))) {
            session.endInput();
            for (Optional<Output> next = session.next(); next.isPresent(); next = session.next()) {
                if (next.get() instanceof Output.Out(byte[] bytes)) {
                    out.append(new String(bytes, StandardCharsets.UTF_8));
                }
            }
        }
        return out.toString();
    }

    @Test
    void tenMegabytesGoThroughACommandAndBackEqual() throws Exception {
        Echoed.through(driver(), started(waiting()), 10 << 20);
    }

    @Test
    void whatNomadRunsPluginsWithRunsItToo() throws Exception {
        PluginSettings host = Fixture.in(directory, Map.of(), "-runs=" + directory.resolve("java-driver"));
        List<String> command = new ArrayList<>(List.of(host.program().toString()));
        command.addAll(host.args());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertTrue(said.contains("\"name\":\"java\""), said);
        assertTrue(said.contains("\"type\":\"DRIVER\""), said);
    }

    @Test
    void whatCannotBeRunIsRefusedInWords() {
        List<String> said = new ArrayList<>();
        for (Map<String, Object> block :
                List.<Map<String, Object>>of(Map.of(), Map.of("jar", "a.jar", "class_path", "b.jar"))) {
            said.add(assertThrows(DriverTrouble.class, () -> started(block)).reason());
        }
        assertTrue(said.getFirst().contains("needs either jar"), said.toString());
        assertTrue(said.getLast().contains("class_path goes with class"), said.toString());
    }

    @Test
    void itDoesWhatPluginsOwe() throws Exception {
        List<Result> results = new DriverSuite(
                        directory.resolve("suite"),
                        settings(),
                        ground().parts(),
                        Optional.of(id -> config(id, waiting())))
                .run();
        assertEquals(
                List.of(),
                results.stream()
                        .filter(each -> each.outcome() != Outcome.PASSED)
                        .toList());
        assertTrue(results.size() > 10, results.toString());
    }
}
