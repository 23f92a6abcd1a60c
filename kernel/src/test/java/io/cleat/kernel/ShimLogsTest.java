package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a shim does where a task put something else in the place of its log files. */
@Timeout(60)
class ShimLogsTest {
    private static final long FILE_SIZE = 1000;
    private static final String LINES = "seq 1 2000";

    /** Else what a task plants may be there before its first file is, and be taken for the newest. */
    private static final String ONCE_IT_IS_KEPT = "while [ ! -e logs/web.stdout.0 ]; do sleep 0.01; done; ";

    private final SystemTime time = new SystemTime();

    @TempDir
    Path temporary;

    private Path root = Path.of("/");
    private Path logs = root;
    private ShimRun run = new ShimRun(root, root, Processes.linux(), time);

    @BeforeEach
    void prepare() throws Exception {
        root = temporary.toRealPath();
        logs = Files.createDirectory(root.resolve("logs"));
        run = new ShimRun(ShimProgram.built(), root.resolve("run"), Processes.linux(), time);
    }

    @AfterEach
    void end() throws Exception {
        if (run.runs()) {
            run.stop(9, Duration.ZERO, soon());
            run.awaitEnd();
        }
    }

    private Deadline soon() {
        return Deadline.in(time, Duration.ofSeconds(20));
    }

    private void start(String script) throws Exception {
        run.start(
                new ShimDescription(
                        new ShimDescription.Command(
                                Path.of("/bin/sh"),
                                List.of("-c", ONCE_IT_IS_KEPT + script),
                                Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
                                root,
                                List.of()),
                        "web",
                        Optional.of(logs),
                        10,
                        FILE_SIZE,
                        15,
                        Duration.ofMillis(200),
                        List.of(),
                        List.of()),
                soon());
    }

    private Path file(int index) {
        return logs.resolve("web.stdout." + index);
    }

    /** All but the first file's is lost, and counted. */
    private void assertTheRestIsDropped() throws Exception {
        ShimExit exit = run.awaitEnd().orElseThrow();
        assertEquals(0, exit.code());
        assertEquals(FILE_SIZE, Files.size(file(0)));
        assertEquals(8893 - FILE_SIZE, exit.droppedBytes());
    }

    @Test
    void aPipeAsTheNextFile_neitherBlocksStopNorSignalNorIsWritten() throws Exception {
        start("mkfifo logs/web.stdout.1; trap 'exit 7' USR1; " + LINES + "; >told; while :; do sleep 0.02; done");
        while (!Files.exists(root.resolve("told"))) {
            Thread.onSpinWait();
        }
        run.signal(10, soon());
        ShimExit exit = run.awaitEnd().orElseThrow();
        assertEquals(7, exit.code());
        assertEquals(8893 - FILE_SIZE, exit.droppedBytes());
    }

    @Test
    void aPipeThatSomebodyReads_isNotWritten() throws Exception {
        start("mkfifo logs/web.stdout.1; exec 5<>logs/web.stdout.1; " + LINES);
        assertTheRestIsDropped();
    }

    @Test
    void aSecondNameOfAnotherFile_isNotWritten() throws Exception {
        Path other = Files.writeString(root.resolve("other"), "as it was");
        Files.createLink(file(1), other);
        Files.writeString(file(0), "");
        start("ln -f other logs/web.stdout.1; " + LINES);
        run.awaitEnd();
        assertEquals("as it was", Files.readString(other));
    }

    @Test
    void aLinkAsTheNextFile_isNotFollowed() throws Exception {
        start("ln -s ../made logs/web.stdout.1; " + LINES);
        assertTheRestIsDropped();
        assertTrue(Files.notExists(root.resolve("made")));
    }

    @Test
    void aDeviceAsTheNextFile_isNotOpened() throws Exception {
        Root.required("making a device");
        start("mknod logs/web.stdout.1 c 1 3 || exit 9; " + LINES);
        assertTheRestIsDropped();
    }

    @Test
    void aFileOfAnotherUser_isNotWritten() throws Exception {
        Root.required("giving a file away");
        start(">logs/web.stdout.1; chown 4242 logs/web.stdout.1; " + LINES);
        assertTheRestIsDropped();
        assertEquals(0, Files.size(file(1)));
    }

    @Test
    void aLogDirectoryThatIsALinkNow_isRefusedAndNothingIsWrittenBehindIt() throws Exception {
        Path elsewhere = Files.createDirectory(root.resolve("elsewhere"));
        Files.delete(logs);
        Files.createSymbolicLink(logs, elsewhere);
        KernelTrouble refused = assertThrows(KernelTrouble.class, () -> start("echo a"));
        assertTrue(refused.reason().contains("the log directory"), refused.reason());
        try (var left = Files.list(elsewhere)) {
            assertEquals(List.of(), left.toList());
        }
    }

    @Test
    void aFileWithTheHighestNumberThereIs_keepsNoOutputBack() throws Exception {
        Files.createFile(logs.resolve("web.stdout." + Long.MAX_VALUE));
        start("echo said");
        run.awaitEnd();
        assertEquals("said\n", Files.readString(file(0)));
    }
}
