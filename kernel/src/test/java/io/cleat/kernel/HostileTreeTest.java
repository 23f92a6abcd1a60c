package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a task can leave in its directory, made as {@code nobody} where the test is root. */
class HostileTreeTest {
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
        if (isRoot()) {
            Files.setAttribute(alloc, "unix:uid", 65534);
        }
    }

    /** JUnit removes no tree that is so deep; what a failed test left goes by other means. */
    @AfterEach
    void leaveNothing() throws Exception {
        assertEquals(
                0, new ProcessBuilder("rm", "-rf", alloc.toString()).start().waitFor());
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Runs a script in the allocation's directory. */
    private void asNobody(String script) throws Exception {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"));
        }
        command.addAll(List.of("sh", "-e", "-c", script));
        Process process = new ProcessBuilder(command)
                .directory(alloc.toFile())
                .redirectErrorStream(true)
                .start();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), words);
    }

    private Place at() {
        return new Place(allocs, "a1");
    }

    private void remove(String... how) throws Exception {
        List<String> command = new ArrayList<>(List.of(shim.toString(), "path"));
        command.addAll(List.of(how));
        try (PathWorkers workers = new PathWorkers(command, Threads.virtual((where, fault) -> {}), time)) {
            new SafeRemove(workers, "allocations", MountTable::read)
                    .tree(at(), Deadline.in(time, Duration.ofMinutes(2)));
        }
        assertFalse(Files.exists(alloc));
    }

    @Test
    void sixtyThousandFilesWithLongNames() throws Exception {
        asNobody("seq -f %0240.0f 60000 | xargs touch");
        remove();
    }

    @Test
    void namesThatAreNotUtf8() throws Exception {
        asNobody("name=$(printf 'a\\377\\200b'); mkdir \"$name\"; touch \"$name/$name\"; "
                + "ln -s /etc \"$name/link$name\"; mkfifo \"$name/$(printf '\\033\\n')\"");
        remove();
    }

    @Test
    void threeHundredDirectoriesInOneAnother() throws Exception {
        asNobody("mkdir -p $(seq -s/ 300); touch $(seq -s/ 300)/file 1/2/file");
        remove();
    }

    private void nestLongNames() throws Exception {
        asNobody("name=$(printf %0240d 7); mkdir $name; touch $name/file; i=0; "
                + "while [ $i -lt 200 ]; do mkdir t; mv $name t; mv t $name; "
                + "i=$((i + 1)); done");
    }

    @Test
    void twoHundredDirectoriesWithLongNamesInOneAnother() throws Exception {
        nestLongNames();
        remove();
    }

    @Test
    void twoHundredDirectoriesWithLongNamesOnKernelsWithoutOpenat2() throws Exception {
        nestLongNames();
        remove("walk");
    }

    @Test
    void directoriesBesideOneAnotherAtEachDepth() throws Exception {
        asNobody("for i in $(seq 10); do mkdir -p $(seq -s/ $((i * 12)))/b$i/c/d; done; "
                + "touch $(seq -s/ 120)/b10/c/d/file");
        remove();
    }

    @Test
    void removalThatIsNotDoneInTimeSaysSoAndGoesOn() throws Exception {
        asNobody("seq 3000 | xargs touch");
        try (PathWorkers workers =
                new PathWorkers(List.of(shim.toString(), "path"), Threads.virtual((where, fault) -> {}), time)) {
            WorkerPaths paths = new WorkerPaths(workers, "allocations");
            Place place = at();
            Deadline deadline = Deadline.in(time, Duration.ofMinutes(1));
            assertEquals(
                    new WorkerPaths.Cleared(1_000, true), paths.clear(place, 1_000, Duration.ofMinutes(1), deadline));
            assertEquals(new WorkerPaths.Cleared(0, true), paths.clear(place, 1_000, Duration.ZERO, deadline));
            assertEquals(
                    new WorkerPaths.Cleared(2_001, false), paths.clear(place, 20_000, Duration.ofMinutes(1), deadline));
        }
    }

    @Test
    void whatCannotBeRemovedIsNamed() throws Exception {
        Root.required("mounting");
        Path below = Files.createDirectories(alloc.resolve("web/local/volume"));
        Path volume = Files.createDirectory(temporary.resolve("volume"));
        Files.writeString(volume.resolve("canary"), "alive");
        MountTable before = MountTable.readTwice();
        Mounts.linux().bind(volume, below);
        try (PathWorkers workers =
                new PathWorkers(List.of(shim.toString(), "path"), Threads.virtual((where, fault) -> {}), time)) {
            KernelTrouble trouble = assertThrows(
                    KernelTrouble.class,
                    () -> new SafeRemove(workers, "allocations", () -> before)
                            .tree(at(), Deadline.in(time, Duration.ofMinutes(1))));
            assertEquals(Effect.NONE, trouble.effect());
            assertTrue(trouble.reason().contains("\"web/local/volume\""), trouble.reason());
            assertEquals("alive", Files.readString(volume.resolve("canary")));
        } finally {
            Mounts.linux().unmount(below);
        }
    }

    /** More names than an answer holds: some of them, and that there are more. */
    @Test
    void listsOfTooManyNamesAreCut() throws Exception {
        asNobody("seq -f %0240.0f 6000 | xargs touch");
        try (PathWorkers workers = new PathWorkers(shim, Threads.virtual((where, fault) -> {}), time)) {
            Place place = at();
            Deadline deadline = Deadline.in(time, Duration.ofMinutes(1));
            Paths.Names names = workers.of("x").list(place, deadline);
            assertTrue(names.hasMore());
            assertTrue(names.sorted().size() > 4000, names.sorted().size() + " names");
            FileReads.Entries entries = workers.reads("x").entries(place, deadline);
            assertTrue(entries.hasMore());
            assertTrue(entries.byName().size() > 2000, entries.byName().size() + " entries");
        }
    }

    /** As an archive of many files is moved to where its destination exists. */
    @Test
    void moreFilesThanAListHoldsAreMovedAll() throws Exception {
        asNobody("mkdir from from/sub to to/sub; touch from/sub/x; seq -f %0240.0f 6000 | env -C from xargs touch");
        try (PathWorkers workers = new PathWorkers(shim, Threads.virtual((where, fault) -> {}), time)) {
            workers.moves("x")
                    .entries(
                            new Place(alloc, "from"), new Place(alloc, "to"), Deadline.in(time, Duration.ofMinutes(3)));
        }
        try (var moved = Files.list(alloc.resolve("to"))) {
            assertEquals(6001, moved.count());
        }
        assertTrue(Files.exists(alloc.resolve("to/sub/x")));
    }
}
