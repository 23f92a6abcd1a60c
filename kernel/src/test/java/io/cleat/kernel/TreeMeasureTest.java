package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What trees take, as workloads make them. */
class TreeMeasureTest {
    private static final int MEBI = 1 << 20;

    private final SystemTime time = new SystemTime();

    @TempDir
    Path temporary;

    private Path allocs = Path.of("/");
    private Path alloc = allocs;
    private Path shim = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        shim = ShimProgram.built();
        allocs = temporary.toRealPath().resolve("allocs");
        alloc = Files.createDirectories(allocs.resolve("a1"));
    }

    /** JUnit removes no tree that is so deep. */
    @AfterEach
    void leaveNothing() throws Exception {
        assertEquals(
                0, new ProcessBuilder("rm", "-rf", alloc.toString()).start().waitFor());
    }

    private void sh(String script) throws Exception {
        Process process = new ProcessBuilder("sh", "-e", "-c", script)
                .directory(alloc.toFile())
                .redirectErrorStream(true)
                .start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), words);
    }

    private PathWorkers workers(String... how) {
        List<String> command =
                how.length == 0 ? List.of(shim.toString(), "path") : List.of(shim.toString(), "path", how[0]);
        return new PathWorkers(command, Threads.virtual((where, fault) -> {}), time);
    }

    private Place at() {
        return new Place(allocs, "a1");
    }

    private Deadline deadline() {
        return Deadline.in(time, Duration.ofMinutes(1));
    }

    private TreeSize size(String besides, String... how) throws Exception {
        try (PathWorkers workers = workers(how)) {
            TreeSize size = new TreeMeasure(workers, "measuring")
                    .of(at(), besides, seen -> false, deadline())
                    .size();
            assertTrue(size.isWhole());
            return size;
        }
    }

    /** What it is beside directories and their like, of a few KiB each. */
    private static void assertAbout(long bytes, TreeSize size) {
        assertTrue(size.bytes() >= bytes, size + " is less than " + bytes);
        assertTrue(size.bytes() < bytes + MEBI / 2, size + " is more than " + bytes);
    }

    @Test
    void emptyDirectoryHoldsNothing() throws Exception {
        assertEquals(TreeSize.NONE, size(""));
    }

    @Test
    void filesCountWithTheirBlocks() throws Exception {
        sh("mkdir -p t/local; head -c 3145728 /dev/zero > t/local/a; head -c 1048576 /dev/zero > b");
        TreeSize size = size("");
        assertAbout(4 * MEBI, size);
        assertEquals(4, size.files());
    }

    @Test
    void holesDoNotCount() throws Exception {
        try (RandomAccessFile file =
                new RandomAccessFile(alloc.resolve("sparse").toFile(), "rw")) {
            file.setLength(1L << 40);
            file.seek(1L << 39);
            file.write(new byte[MEBI]);
        }
        assertAbout(MEBI, size(""));
    }

    @Test
    void fileOfManyNamesCountsOnce() throws Exception {
        sh("mkdir d; head -c 3145728 /dev/zero > a; for i in 1 2 3 4 5 6; do ln a d/$i; done; ln -s a link");
        TreeSize size = size("");
        assertAbout(3 * MEBI - 7, size);
        assertEquals(9, size.files());
    }

    @Test
    void whatIsLeftOutDoesNotCount_andIsNoOtherOfItsName() throws Exception {
        sh("mkdir -p alloc/logs t/alloc/logs; head -c 3145728 /dev/zero > alloc/logs/a; "
                + "head -c 1048576 /dev/zero > t/alloc/logs/b");
        assertAbout(MEBI, size("alloc/logs"));
        assertAbout(4 * MEBI, size(""));
        assertAbout(4 * MEBI, size("not/there"));
    }

    /** Else a task would choose what is left out. */
    @Test
    void whatIsLeftOutIsNoLink() throws Exception {
        sh("mkdir alloc t; head -c 3145728 /dev/zero > t/a; ln -s ../t alloc/logs");
        assertAbout(3 * MEBI, size("alloc/logs"));
    }

    @Test
    void namesThatAreNotUtf8() throws Exception {
        sh("name=$(printf 'a\\377\\200b'); mkdir \"$name\"; "
                + "head -c 1048576 /dev/zero > \"$name/$name\"; "
                + "ln -s /etc \"$name/link$name\"; mkfifo \"$name/$(printf '\\033\\n')\"");
        TreeSize size = size("");
        assertAbout(MEBI, size);
        assertEquals(4, size.files());
    }

    /** Deep, with something beside each level, so that all of them are come back to. */
    private void nest() throws Exception {
        sh("name=$(printf %0200d 7); i=0; while [ $i -lt 300 ]; do "
                + "mkdir t; touch t/before t/zafter; mkdir t/0empty t/zempty; "
                + "[ ! -e $name ] || mv $name t; mv t $name; i=$((i + 1)); done");
    }

    @Test
    void threeHundredDirectoriesInOneAnother() throws Exception {
        nest();
        assertEquals(300 * 5, size("").files());
    }

    @Test
    void threeHundredDirectoriesInOneAnotherOnKernelsWithoutOpenat2() throws Exception {
        nest();
        assertEquals(300 * 5, size("", "walk").files());
    }

    @Test
    void sixtyThousandFilesInPieces() throws Exception {
        sh("mkdir d; cd d; seq -f %0240.0f 60000 | xargs touch");
        try (PathWorkers workers = workers()) {
            WorkerPaths paths = new WorkerPaths(workers, "measuring");
            WorkerPaths.Measured seen = paths.measure(at(), "", Duration.ZERO, 0, deadline());
            assertFalse(seen.size().isWhole());
            int calls = 1;
            while (!seen.size().isWhole()) {
                long before = seen.size().files();
                seen = paths.measure(at(), "", Duration.ZERO, seen.walk(), deadline());
                assertTrue(seen.size().files() >= before);
                calls++;
            }
            assertEquals(60_001, seen.size().files());
            assertTrue(calls > 100, calls + " calls");
            assertTrue(seen.took().isPositive());
        }
    }

    /** Which directories are held then must not matter to the next one. */
    @Test
    void measuringThatIsNotGoneOnWith() throws Exception {
        sh("seq 1000 | xargs touch; mkdir -p d/$(seq -s/ 50)");
        try (PathWorkers workers = workers()) {
            WorkerPaths paths = new WorkerPaths(workers, "measuring");
            for (int i = 0; i < 100; i++) {
                assertFalse(paths.measure(at(), "", Duration.ZERO, 0, deadline())
                        .size()
                        .isWhole());
            }
            TreeMeasure measure = new TreeMeasure(workers, "measuring");
            assertEquals(
                    1_051,
                    measure.of(at(), "", seen -> false, deadline()).size().files());
        }
    }

    /** Nothing is known of what is left, and need not be. */
    @Test
    void whatIsEnoughIsEnough() throws Exception {
        sh("seq 1000 | xargs touch");
        try (PathWorkers workers = workers()) {
            Deadline over = Deadline.in(time, Duration.ofMinutes(1));
            TreeMeasure measure = new TreeMeasure(workers, "measuring");
            assertTrue(measure.of(at(), "", seen -> true, over).size().files() > 0);
        }
    }

    @Test
    void walkThatTheWorkerDoesNotKnowIsRefused() throws Exception {
        try (PathWorkers workers = workers()) {
            WorkerPaths paths = new WorkerPaths(workers, "measuring");
            KernelTrouble trouble =
                    assertThrows(KernelTrouble.class, () -> paths.measure(at(), "", Duration.ZERO, 7, deadline()));
            assertTrue(trouble.reason().contains("ESTALE"), trouble.reason());
        }
    }

    /** A directory that is moved elsewhere meanwhile leads nobody out of the tree. */
    @Test
    void directoriesThatAreMovedWhileTheyAreMeasured() throws Exception {
        Path outside = Files.createDirectories(allocs.resolve("other"));
        sh("mkdir -p $(seq -s/ 60); cd $(seq -s/ 60); seq 2000 | xargs touch");
        for (int i = 0; i < 2_000; i++) {
            Files.createFile(outside.resolve("f" + i));
        }
        try (PathWorkers workers = workers()) {
            WorkerPaths paths = new WorkerPaths(workers, "measuring");
            WorkerPaths.Measured seen = paths.measure(at(), "", Duration.ZERO, 0, deadline());
            while (seen.size().files() < 100) {
                seen = paths.measure(at(), "", Duration.ZERO, seen.walk(), deadline());
            }
            // Level 60, in whose files the walk is, now lies in a directory beside the tree.
            sh("mv $(seq -s/ 60) ../other/moved");
            while (!seen.size().isWhole()) {
                seen = paths.measure(at(), "", Duration.ZERO, seen.walk(), deadline());
            }
            assertEquals(60 + 2_000, seen.size().files());
        } finally {
            assertEquals(
                    0,
                    new ProcessBuilder("rm", "-rf", outside.toString()).start().waitFor());
        }
    }

    @Test
    void whatIsMountedInTheTreeDoesNotCount() throws Exception {
        Root.required("mounting");
        Path volume = Files.createDirectory(temporary.resolve("volume"));
        Files.write(volume.resolve("large"), new byte[MEBI]);
        Path file = Files.write(temporary.resolve("device"), new byte[MEBI]);
        sh("mkdir -p web/volume web/local; touch web/device; head -c 1048576 /dev/zero > web/local/a");
        Path below = alloc.resolve("web/volume");
        Path device = alloc.resolve("web/device");
        Mounts.linux().bind(alloc, alloc);
        Mounts.linux().bind(volume, below);
        assertEquals(
                0,
                new ProcessBuilder("mount", "--bind", file.toString(), device.toString())
                        .start()
                        .waitFor());
        try {
            assertAbout(MEBI, size(""));
            assertAbout(MEBI, size("", "walk"));
        } finally {
            Mounts.linux().unmount(device);
            Mounts.linux().unmount(below);
            Mounts.linux().unmount(alloc);
        }
    }

    @Test
    void directoryThatIsGone() throws Exception {
        Files.delete(alloc);
        assertThrows(KernelTrouble.class, () -> size(""));
    }
}
