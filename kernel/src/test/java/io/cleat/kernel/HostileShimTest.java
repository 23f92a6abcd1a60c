package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.VisibleText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A workload that took over its container's first process answers in its place. Whatever it says, that command fails
 * and nothing else does.
 */
@Timeout(60)
class HostileShimTest {
    private final SystemTime time = new SystemTime();

    @TempDir
    Path directory = Path.of("");

    private Deadline soon() {
        return Deadline.in(time, Duration.ofSeconds(20));
    }

    private ShimRun run() {
        return new ShimRun(Path.of("/none"), directory, Processes.linux(), time);
    }

    private ShimExec exec(String... words) throws KernelTrouble {
        return run().exec(new ShimCommand(List.of(words), false, 0, 0, false), soon());
    }

    private FakeShim running(byte[] output) throws Exception {
        return FakeShim.in(directory, connection -> {
            FakeShim.answer(connection, FakeShim.framed("1 ok"));
            FakeShim.answer(connection, FakeShim.framed("1 ok"));
            FakeShim.say(connection, output);
            FakeShim.untilGone(connection);
        });
    }

    /** What ended the agent of a node: NumberFormatException in ShimExec.output. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "0",
                "pwned",
                "0 x",
                "99999999999 0",
                "0 99999999999",
                "0 0 0",
                "256 0",
                "0 128",
                "-2 0",
                "+1 0",
                "-1 -9",
                " 0 0",
                "0 0\n",
                "\u06600 0"
            })
    void anEndThatIsNoneIsTroubleOfThatCommand(String end) throws Exception {
        try (FakeShim _ = running(FakeShim.frame('x', end));
                ShimExec exec = exec("true")) {
            KernelTrouble trouble = assertThrows(KernelTrouble.class, exec::next);
            assertTrue(trouble.reason().length() < 300, trouble.reason());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 65_538, 1 << 20, Integer.MAX_VALUE})
    void aFrameOfAnImpossibleSizeIsTroubleAndTakesNoMemory(int size) throws Exception {
        byte[] head = ByteBuffer.allocate(5).putInt(size).put((byte) 'o').array();
        try (FakeShim _ = running(head);
                ShimExec exec = exec("true")) {
            KernelTrouble trouble = assertThrows(KernelTrouble.class, exec::next);
            assertTrue(trouble.reason().contains("a frame of"), trouble.reason());
        }
    }

    @Test
    void aFrameOfNoKindIsTroubleInVisibleWords() throws Exception {
        try (FakeShim _ = running(FakeShim.frame('\u001b', "[2J"));
                ShimExec exec = exec("true")) {
            KernelTrouble trouble = assertThrows(KernelTrouble.class, exec::next);
            assertTrue(trouble.reason().contains("'\\u001b'"), trouble.reason());
        }
    }

    @Test
    void whatComesAfterTheEndIsNotHeard() throws Exception {
        byte[] twice = (head('x', "0 0") + head('o', "more") + head('x', "1 0")).getBytes(StandardCharsets.ISO_8859_1);
        try (FakeShim _ = running(twice);
                ShimExec exec = exec("true")) {
            assertEquals(Optional.of(new ShimExec.Output.Exited(0, 0)), exec.next());
            assertEquals(Optional.empty(), exec.next());
        }
    }

    private static String head(char letter, String rest) {
        return new String(FakeShim.frame(letter, rest), StandardCharsets.ISO_8859_1);
    }

    @Test
    void whoTakesNothingIsGivenUpAtTheDeadline() throws Exception {
        // More than the socket holds for somebody who does not read.
        String large = "x".repeat(3 << 20);
        try (FakeShim _ = FakeShim.in(directory, connection -> {
            FakeShim.answer(connection, FakeShim.framed("1 ok"));
            Thread.currentThread().join();
        })) {
            ShimCommand command = new ShimCommand(List.of("echo", large), false, 0, 0, false);
            KernelTrouble trouble = assertThrows(
                    KernelTrouble.class, () -> run().exec(command, Deadline.in(time, Duration.ofMillis(300))));
            assertTrue(trouble.reason().contains("not taken in time"), trouble.reason());
        }
    }

    @Test
    void whoSaysOneByteAndStopsIsGivenUpAtTheDeadline() throws Exception {
        try (FakeShim _ = FakeShim.in(directory, connection -> {
            FakeShim.answer(connection, new byte[] {0});
            FakeShim.untilGone(connection);
        })) {
            ShimRun run = run();
            KernelTrouble trouble =
                    assertThrows(KernelTrouble.class, () -> run.status(Deadline.in(time, Duration.ofMillis(200))));
            assertTrue(trouble.reason().contains("no answer in time"), trouble.reason());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n",
                "1 ok",
                "2 ok\n",
                "1 ok\nstate running\nchild 1 2\nprocesses 99999999999\nstop_left_ms 1\ndropped 0",
                "1 ok\nstate running\nchild 1 2\nprocesses -1\nstop_left_ms 1\ndropped 0",
                "1 ok\nstate running\nchild -1 2\nprocesses 1\nstop_left_ms 1\ndropped 0",
                "1 ok\nstate running\nchild 1 2\nprocesses 1\nstop_left_ms -9\ndropped 0",
                "1 ok\nstate running\nchild 1 2\nprocesses 1\nstop_left_ms 1\ndropped -1",
                "1 refused \u001b[2Jgone"
            })
    void aStatusOutOfItsRangesIsTroubleInFewVisibleWords(String answer) throws Exception {
        try (FakeShim _ = FakeShim.in(directory, connection -> FakeShim.answer(connection, FakeShim.framed(answer)))) {
            KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> run().status(soon()));
            assertTrue(trouble.reason().codePoints().allMatch(VisibleText::isVisible), trouble.reason());
        }
    }

    @Test
    void aRefusalIsCutToFewWords() throws Exception {
        try (FakeShim _ = FakeShim.in(
                directory,
                connection -> FakeShim.answer(connection, FakeShim.framed("1 refused " + "\0".repeat(60_000))))) {
            KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> exec("true"));
            assertTrue(trouble.reason().length() < 8_000, trouble.reason());
        }
    }

    /** A long name of a command was cut inside of a character, and its end was never read. */
    @Test
    void anExitWhoseWordsAreCutInsideOfACharacterIsRead() throws Exception {
        byte[] before = "cleat-exit 1\ncode 127\nsignal 0\noom no\ndropped 0\nended 1\nerror executing '\u00e9\u00e9"
                .getBytes(StandardCharsets.UTF_8);
        Files.write(directory.resolve("exit"), Arrays.copyOf(before, before.length - 1));
        ShimExit exit = run().exit().orElseThrow();
        assertEquals(127, exit.code());
        assertEquals("executing '\u00e9\ufffd", exit.error());
    }

    /** What a container's first process said stood in the file as it was, line ends too. */
    @Test
    void wordsInAnExitChangeNoOtherLineOfIt() throws Exception {
        Files.writeString(
                directory.resolve("exit"),
                "cleat-exit 1\ncode 1\nsignal 0\noom no\ndropped 0\nended 1\nerror x\ncode 0\noom yes\n");
        ShimExit exit = run().exit().orElseThrow();
        assertEquals(1, exit.code());
        assertEquals(ShimExit.Oom.NO, exit.oom());
    }

    @Test
    void aFileThatIsNoRecordIsNoneHoweverLargeItIs() throws Exception {
        Files.write(directory.resolve("exit"), new byte[1 << 20]);
        assertEquals(Optional.empty(), run().exit());
        Files.write(directory.resolve("state"), new byte[] {(byte) 0xff, (byte) 0xfe});
        assertThrows(KernelTrouble.class, () -> run().state());
        assertEquals(Optional.empty(), run().readableState());
        assertFalse(Files.exists(directory.resolve("socket")));
    }
}
