package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.KernelTrouble;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every form of the shim's protocols that was ever written stays readable, by both sides. */
class ShimSamplesTest {
    private static String text(String sample) throws Exception {
        return Files.readString(ShimProgram.sample(sample));
    }

    private static String framed(String sample) throws Exception {
        ByteBuffer frame = ByteBuffer.wrap(Files.readAllBytes(ShimProgram.sample(sample)));
        byte[] body = new byte[frame.getInt()];
        frame.get(body);
        assertEquals(0, frame.remaining());
        return new String(body, StandardCharsets.US_ASCII);
    }

    @Test
    void theDescriptionIsReadByTheShimAndWrittenTheSame() throws Exception {
        ShimDescription description = new ShimDescription(
                new ShimDescription.Command(
                        Path.of("/bin/sh"),
                        List.of("-c", "echo \"$GREETING\"\nexit 3"),
                        Map.of("GREETING", "good\nday", "EMPTY", ""),
                        Path.of("/"),
                        List.of(65534L, 65534L, 100L)),
                "web",
                Optional.of(Path.of("/var/log/alloc")),
                10,
                10 << 20,
                15,
                Duration.ofSeconds(5),
                List.of(Path.of("/sys/fs/cgroup/cleat-a/web"), Path.of("/sys/fs/cgroup/memory/cleat-a/web")),
                List.of(Path.of("/sys/fs/cgroup/cleat-a/shims")));
        readable("task.v1", description);
    }

    @Test
    void theDescriptionWithLimitsIsReadByTheShimAndWrittenTheSame() throws Exception {
        readable(
                "task.v3",
                new ShimDescription(
                        new ShimDescription.Command(
                                Path.of("/bin/sh"),
                                List.of("-c", "exit 3"),
                                Map.of(),
                                Path.of("/"),
                                List.of(),
                                Map.of(
                                        "core", 0L,
                                        "memlock", 8388608L,
                                        "msgqueue", 819200L,
                                        "nofile", 65536L,
                                        "rtprio", 0L)),
                        "web",
                        Optional.of(Path.of("/var/log/alloc")),
                        10,
                        10 << 20,
                        15,
                        Duration.ofSeconds(5),
                        List.of(Path.of("/sys/fs/cgroup/cleat-a/web")),
                        List.of(Path.of("/sys/fs/cgroup/cleat-a/shims"))));
    }

    @Test
    void theDescriptionOfAContainerIsReadByTheShimAndWrittenTheSame() throws Exception {
        readable(
                "task.v2",
                new ShimDescription(
                        new ShimDescription.Container(
                                Path.of("/usr/sbin/runc"),
                                List.of("--root", "/data/containers/a.web/runtime"),
                                Path.of("/data/containers/a.web/words"),
                                Path.of("/data/containers/a.web"),
                                "a.web"),
                        "web",
                        Optional.empty(),
                        10,
                        10 << 20,
                        15,
                        Duration.ofSeconds(5),
                        List.of(Path.of("/sys/fs/cgroup/cleat-a/a.web")),
                        List.of(Path.of("/sys/fs/cgroup/cleat-a/shims"))));
    }

    private static void readable(String name, ShimDescription description) throws Exception {
        Path sample = ShimProgram.sample(name);
        assertArrayEquals(Files.readAllBytes(sample), description.encode());
        Process read = new ProcessBuilder(ShimProgram.built().toString(), "read", sample.toString())
                .redirectErrorStream(true)
                .start();
        assertEquals("readable\n", new String(read.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, read.waitFor());
    }

    @Test
    void aCommandIsDescribedAsEver() throws Exception {
        ShimCommand command =
                new ShimCommand(List.of("/bin/sh", "-c", "echo \"$1\"\nexit 3", "good\nday"), true, 50, 132, true);
        assertArrayEquals(Files.readAllBytes(ShimProgram.sample("exec.v1")), command.encode());
    }

    @Test
    void whatAShimRecordedIsRead() throws Exception {
        BootId boot = new BootId("735194c6-6b43-4311-b4d3-ba7e71d6e36b");
        assertEquals(
                new ShimState(new ProcessIdentity(25177, 195183, boot), new ProcessIdentity(25178, 195184, boot)),
                ShimState.parse(text("state.v1")));
        Instant ended = Instant.ofEpochMilli(1795243441978L);
        assertEquals(new ShimExit(-1, 9, ShimExit.Oom.YES, 4096, ended, ""), ShimExit.parse(text("exit.v1")));
        assertEquals(
                new ShimExit(
                        127,
                        0,
                        ShimExit.Oom.UNKNOWN,
                        0,
                        ended,
                        "executing '/bin/absent' failed: No such file or directory"),
                ShimExit.parse(text("exit-failed.v1")));
    }

    @Test
    void whatAShimAnsweredIsRead() throws Exception {
        assertEquals(
                new ShimStatus(ShimStatus.Phase.STOPPING, 25178, 3, Optional.of(Duration.ofMillis(1500)), 12),
                ShimStatus.of(ShimText.reply(framed("status-answer.v1"))));
        KernelTrouble refused = assertThrows(KernelTrouble.class, () -> ShimText.reply(framed("refused-answer.v1")));
        assertEquals("the shim refused: the main process has ended", refused.reason());
    }

    @Test
    void aNewerRecordIsRefusedWithItsNumber() throws Exception {
        String state = text("state.v1").replace("cleat-state 1", "cleat-state 2");
        KernelTrouble newer = assertThrows(KernelTrouble.class, () -> ShimState.parse(state));
        assertTrue(newer.reason().contains("version 2"), newer.reason());
        for (String torn : List.of("", "cleat-exit", "cleat-exit 1\ncode 1\n", "cleat-exit x\n")) {
            assertThrows(KernelTrouble.class, () -> ShimExit.parse(torn), torn);
        }
    }

    @Test
    void requestsAreAnsweredByTodaysShim() throws Exception {
        Path shim = ShimProgram.built();
        Process version = new ProcessBuilder(shim.toString(), "version").start();
        assertEquals(
                "cleat-shim 0.1.0 run 1 path 1\n",
                new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        Process worker = new ProcessBuilder(shim.toString(), "path").start();
        worker.getOutputStream().write(Files.readAllBytes(ShimProgram.sample("path-requests.v1")));
        worker.getOutputStream().close();
        ByteBuffer answer = ByteBuffer.wrap(worker.getInputStream().readAllBytes());
        byte[] fields = new byte[answer.getInt()];
        answer.get(fields);
        assertTrue(
                new String(fields, StandardCharsets.UTF_8).startsWith("1\0007\0ok\0directory\000755\000"),
                new String(fields, StandardCharsets.UTF_8));
        assertEquals(0, worker.waitFor());
    }
}
