package io.cleat.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExecSession.Output;
import io.cleat.driver.ExitResult;
import io.cleat.driver.NetworkMaker;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskNetwork;
import io.cleat.kernel.Mounts;
import io.cleat.model.AllocatedPort;
import io.cleat.model.DriverNetwork;
import io.cleat.model.Resources;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What containers see, print and may, with a real engine. */
@Timeout(60)
class DockerTasksTest {
    private static final String ALLOCATION = "8c1b2d3e-0000-4000-8000-000000000002";

    private static @Nullable RealEngine engine;

    @TempDir
    Path root;

    private DockerGround ground;
    private final List<TaskHandle> handles = new ArrayList<>();

    @BeforeAll
    static void openEngine(@TempDir Path directory) throws Exception {
        engine = RealEngine.open(directory);
    }

    @AfterAll
    static void closeEngine() throws Exception {
        if (engine != null) {
            engine.close();
        }
    }

    private static RealEngine engine() {
        return Objects.requireNonNull(engine);
    }

    @BeforeEach
    void begin() throws Exception {
        ground = new DockerGround(root, DockerGround.settings(engine().socket()));
    }

    @AfterEach
    void end() throws Exception {
        if (ground != null) {
            for (TaskHandle handle : handles) {
                ground.driver().destroy(handle);
            }
            ground.end();
        }
    }

    private TaskHandle started(Map<String, Object> block, Resources resources) throws Exception {
        String id = ALLOCATION + "/web/%08x".formatted(handles.size() + 1);
        TaskConfig config = ground.config(id, block, resources);
        TaskHandle handle = ground.driver().start(config);
        handles.add(handle);
        return handle;
    }

    private TaskHandle started(String script) throws Exception {
        return started(DockerGround.block(RealEngine.IMAGE, script), Resources.NONE);
    }

    /** Its namespace is there before its tasks, and goes with what holds it. */
    @Test
    void containersJoinTheNetworkThatIsHeldForTheirAllocation() throws Exception {
        NetworkMaker maker = ground.driver().networkMaker().orElseThrow();
        NetworkMaker.Made made = maker.make(ALLOCATION, "front");
        Path namespace = Path.of(made.path());
        String held = "net:[" + Files.getAttribute(namespace, "unix:ino") + "]";
        assertEquals(made, maker.make(ALLOCATION, "front"), "it is made once");
        try {
            Map<String, Object> block = DockerGround.block(
                    RealEngine.IMAGE,
                    "readlink /proc/self/ns/net; uname -n; cat /etc/hostname; grep front /etc/hosts;"
                            + " cat /etc/resolv.conf");
            block.remove("network_mode");
            block.put("dns_options", List.of("ndots:3"));
            TaskConfig config = ground.config(ALLOCATION + "/web/%08x".formatted(7), block, Resources.NONE)
                    .in(new TaskNetwork(
                            Optional.of(namespace),
                            made.labels(),
                            "front",
                            List.of("172.26.64.2", "fd00::2"),
                            FullJob.DNS));
            handles.add(ground.driver().start(config));
            ground.driver().await(handles.getLast());
            assertEquals(
                    held
                            + "\nfront\nfront\n172.26.64.2 front\nfd00::2 front\n"
                            + "nameserver 192.0.2.53\nsearch example.com\noptions ndots:3\n",
                    ground.output("stdout"));
            assertEquals(Optional.empty(), ground.driver().network(handles.getLast()));
            assertEquals(List.of(), ground.driver().live(ALLOCATION), "what holds it is no task");
            ground.driver().tidyNow(_ -> true);
            assertTrue(hasPauseImage(), "what it is made of stays as long as it is there");
        } finally {
            for (TaskHandle handle : handles) {
                ground.driver().destroy(handle);
            }
            handles.clear();
            maker.unmake(ALLOCATION, made);
        }
        assertFalse(Files.exists(namespace));
        maker.unmake(ALLOCATION, made);
        ground.driver().tidyNow(_ -> true);
        assertFalse(hasPauseImage(), "and goes when nobody has used it for the images' delay");
        maker.unmake(ALLOCATION, maker.make(ALLOCATION, ""));
        assertTrue(hasPauseImage(), "it is made again for the next");
        ground.driver().tidyNow(_ -> true);
    }

    private static boolean hasPauseImage() throws IOException {
        return engine().images().stream().anyMatch(name -> name.contains("/cleat-pause:"));
    }

    /** What came of a command: output, errors, how it ended. */
    private static List<String> result(ExecSession session) throws Exception {
        StringBuilder out = new StringBuilder();
        StringBuilder errors = new StringBuilder();
        String exit = "";
        try (session) {
            for (Optional<Output> next = session.next(); next.isPresent() && exit.isEmpty(); next = session.next()) {
                switch (next.get()) {
                    case Output.Out(byte[] bytes) -> out.append(new String(bytes, UTF_8));
                    case Output.Err(byte[] bytes) -> errors.append(new String(bytes, UTF_8));
                    case Output.Exited(ExitResult end) -> exit = "" + end.exitCode();
                }
            }
        }
        return List.of(out.toString(), errors.toString(), exit);
    }

    private ExecSession exec(TaskHandle task, boolean terminal, String script) throws Exception {
        return ground.driver().exec(task, new ExecCommand(List.of("/bin/sh", "-c", script), terminal));
    }

    @Test
    void commandsHaveInputOutputErrorsAndAnEnd() throws Exception {
        TaskHandle task = started("while :; do sleep 0.05; done");
        assertEquals(
                List.of("hello\nworld\n", "oh\n", "7"),
                result(exec(task, false, "echo \"$GREETING\"; echo oh >&2; exit 7")));
        ExecSession reading = exec(task, false, "cat; echo over");
        reading.input("one ".getBytes(UTF_8));
        reading.input("two ".getBytes(UTF_8));
        reading.endInput();
        assertEquals(List.of("one two over\n", "", "0"), result(reading));
        ExecSession terminal = exec(task, true, "tty -s && read x && stty size && exit 3");
        terminal.resize(50, 132);
        terminal.input("\n".getBytes(UTF_8));
        assertEquals(List.of("\r\n50 132\r\n", "", "3"), result(terminal));
    }

    @Test
    void aPortOfTheNodeLeadsIntoTheContainer() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        String listen = "exec perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalPort => 80,"
                + " Listen => 5) or die $!; while ($c = $s->accept) { print $c \"from the"
                + " container\"; close $c }'";
        Map<String, Object> block = new HashMap<>(DockerGround.block(RealEngine.IMAGE, listen));
        block.put("network_mode", "bridge");
        block.put("ports", List.of("http"));
        TaskConfig config = ground.config(
                ALLOCATION + "/web/00000077",
                block,
                Resources.NONE,
                List.of(),
                List.of(new AllocatedPort("http", port, 80, "127.0.0.1", false)),
                false);
        handles.add(ground.driver().start(config));
        assertEquals("from the container", said(port));
        DriverNetwork own = ground.driver().network(handles.getLast()).orElseThrow();
        assertEquals("from the container", said(own.address(), 80));
        assertFalse(own.advertised());
    }

    /** What is said by whoever listens there; waits until somebody does. */
    private static String said(int port) throws IOException {
        return said("127.0.0.1", port);
    }

    private static String said(String address, int port) throws IOException {
        for (; ; ) {
            try (Socket socket = new Socket(address, port)) {
                String said = new String(socket.getInputStream().readAllBytes(), UTF_8);
                if (!said.isEmpty()) {
                    return said;
                }
            } catch (IOException nobodyYet) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aCommandWhoseCallerGoesIsEnded() throws Exception {
        TaskHandle task = started("while :; do sleep 0.05; done");
        ExecSession session = exec(task, false, "echo $$ > /local/pid; exec sleep 1000");
        Path file = root.resolve("task/local/pid");
        Eventually.holds(() -> Files.exists(file) && Files.size(file) > 0, "it runs");
        session.close();
        String pid = Files.readString(file).strip();
        Eventually.holds(
                () -> result(exec(task, false, "test ! -e /proc/" + pid)).get(2).equals("0"), "it is gone");
    }

    @Test
    void outputIsKeptOnce_thoughTheAgentDiesInBetween() throws Exception {
        TaskHandle task =
                started("i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo line $i; echo err $i >&2; sleep 0.005; done");
        Eventually.holds(() -> ground.output("stdout").contains("line 20\n"), "it prints");
        ground.restart();
        assertEquals(0, ground.driver().await(task).exitCode());
        StringBuilder out = new StringBuilder();
        StringBuilder errors = new StringBuilder();
        for (int i = 1; i <= 400; i++) {
            out.append("line ").append(i).append('\n');
            errors.append("err ").append(i).append('\n');
        }
        assertEquals(out.toString(), ground.output("stdout"));
        assertEquals(errors.toString(), ground.output("stderr"));
    }

    @Test
    void whoTakesMoreMemoryThanItMayIsKilled() throws Exception {
        TaskHandle task = started(
                DockerGround.block(RealEngine.IMAGE, "x=a; while :; do x=$x$x; done; echo over"),
                new Resources(100, 32, 0));
        ExitResult end = ground.driver().await(task);
        // That it was for memory not every engine says under every kind of control groups.
        assertEquals(137, end.exitCode(), end.toString());
    }

    @Test
    void aTaskSeesItsDirectoriesAndWhatItAskedFor() throws Exception {
        Files.writeString(root.resolve("task/local/mine"), "mine\n");
        Map<String, Object> block = new HashMap<>(DockerGround.block(
                RealEngine.IMAGE,
                "cat /seen/mine; echo x > /seen/x || echo read-only;"
                        + " echo shared > /alloc/x; echo y > /alloc/logs/y || echo"
                        + " logs; ulimit -n; cat /proc/sys/kernel/hostname"));
        block.put("volumes", List.of("local:/seen:ro"));
        block.put("hostname", "here");
        block.put("ulimit", Map.of("nofile", "99:99", "nproc", "500"));
        TaskHandle task = started(block, Resources.NONE);
        assertEquals(0, ground.driver().await(task).exitCode(), ground.output("stderr"));
        assertEquals("mine\nread-only\nlogs\n99\nhere\n", ground.output("stdout"));
        assertEquals("shared\n", Files.readString(root.resolve("alloc/x")));
    }

    /** A plugin that begins anew finds what it had mounted. */
    @ParameterizedTest
    @ValueSource(strings = {"private", "host-to-task", "bidirectional"})
    void whatWasMountedBeforeItsStartIsSeen_howeverItSpreads(String propagation) throws Exception {
        Path volume = Files.createDirectory(root.resolve("volume")).toRealPath();
        Path below = Files.createDirectory(volume.resolve("below"));
        Mounts mounts = Mounts.linux();
        mounts.bind(volume, volume);
        try {
            mounts.mount("before", below, "tmpfs", Set.of(), "");
            Files.writeString(below.resolve("file"), "seen\n");
            String id = ALLOCATION + "/web/00000001";
            TaskHandle task = ground.driver()
                    .start(ground.config(
                            id,
                            DockerGround.block(RealEngine.IMAGE, "cat /data/below/file"),
                            Resources.NONE,
                            List.of(new TaskConfig.TaskMount(volume, "/data", false, propagation)),
                            false));
            handles.add(task);
            assertEquals(0, ground.driver().await(task).exitCode(), ground.output("stderr"));
            assertEquals("seen\n", ground.output("stdout"));
        } finally {
            mounts.detach(below);
            mounts.detach(volume);
        }
    }

    @Test
    void useIsMeasured_andAProgramThatIsNotThereIsNoTask() throws Exception {
        TaskHandle task = started("while :; do :; done");
        Eventually.holds(() -> ground.driver().stats(task).cpuUserNanos() > 0, "it uses a processor");
        assertEquals(1, ground.driver().stats(task).pids().size());
        ground.driver().stop(task, "SIGKILL", Duration.ZERO);
        assertEquals(137, ground.driver().await(task).exitCode());
        Map<String, Object> block = DockerGround.block(RealEngine.IMAGE, "");
        block.put("command", "/no-such-program");
        DriverTrouble trouble = assertThrows(
                DriverTrouble.class,
                () -> ground.driver().start(ground.config(ALLOCATION + "/web/000000ff", block, Resources.NONE)));
        assertTrue(trouble.reason().contains("no-such-program"), trouble.reason());
        assertEquals(List.of(), ground.driver().live(ALLOCATION));
    }
}
