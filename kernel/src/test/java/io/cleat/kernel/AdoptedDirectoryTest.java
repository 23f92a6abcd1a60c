package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fresh directory of root's is given to a user, and no other. */
class AdoptedDirectoryTest {
    private static final int USER = 1_990_000_001;
    private static final int OTHER = 1_990_000_002;

    @TempDir
    Path directory;

    private Path volume = Path.of("/");
    private PathWorkers workers = workers(Path.of("/"));

    @BeforeEach
    void begin() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: files are given away by root only, and the tests run as another user");
        volume = Files.createDirectory(directory.toRealPath().resolve("volume"));
        workers = workers(ShimProgram.built());
    }

    @AfterEach
    void end() {
        workers.close();
    }

    private static PathWorkers workers(Path program) {
        return new PathWorkers(
                program,
                Threads.virtual((where, fault) -> {
                    throw new AssertionError(where, fault);
                }),
                new SystemTime());
    }

    private Paths.Whose adopt(Path path) throws Exception {
        return workers.of("test")
                .adopt(
                        Place.of(directory.toRealPath(), path),
                        USER,
                        USER,
                        Deadline.in(new SystemTime(), Duration.ofSeconds(60)));
    }

    private void assertKept(int owner) throws Exception {
        assertEquals(new Paths.Whose(false, 0755, owner, owner), adopt(volume));
        assertEquals(owner, Files.getAttribute(volume, "unix:uid"));
    }

    private static void give(Path path, int owner) throws Exception {
        Files.setAttribute(path, "unix:gid", owner);
        Files.setAttribute(path, "unix:uid", owner);
    }

    @Test
    void whatIsEmptyAndRootsIsGivenOnce() throws Exception {
        assertEquals(new Paths.Whose(true, 0755, USER, USER), adopt(volume));
        assertEquals(USER, Files.getAttribute(volume, "unix:uid"));
        assertKept(USER);
    }

    @Test
    void whatMkfsMakesCountsForNothing_andStaysRoots() throws Exception {
        Path found = Files.createDirectory(volume.resolve("lost+found"));
        assertTrue(adopt(volume).given());
        assertEquals(0, Files.getAttribute(found, "unix:uid"));
    }

    @Test
    void whatHasAFileStaysRoots() throws Exception {
        Files.createFile(volume.resolve(".hidden"));
        assertKept(0);
    }

    @Test
    void whatIsSomebodysStaysSo() throws Exception {
        give(volume, OTHER);
        assertKept(OTHER);
    }

    @Test
    void whatIsOfAnotherGroupStaysSo() throws Exception {
        Files.setAttribute(volume, "unix:gid", OTHER);
        assertFalse(adopt(volume).given());
        assertEquals(0, Files.getAttribute(volume, "unix:uid"));
    }

    @Test
    void whatCannotBeChangedStaysSo() throws Exception {
        Mounts.linux().mount("cleat-test", volume, "tmpfs", Set.of(Mounts.Flag.READ_ONLY), "mode=755");
        try {
            assertKept(0);
        } finally {
            Mounts.linux().unmount(volume);
        }
    }

    @Test
    void aLinkIsNotFollowed() throws Exception {
        Path link = Files.createSymbolicLink(directory.toRealPath().resolve("link"), volume);
        assertThrows(KernelTrouble.class, () -> adopt(link));
        assertEquals(0, Files.getAttribute(volume, "unix:uid"));
    }

    private Paths.Whose settle(@Nullable Long uid, @Nullable Long gid, @Nullable Integer mode) throws Exception {
        return workers.of("test")
                .settle(
                        Place.of(directory.toRealPath(), volume),
                        uid,
                        gid,
                        mode,
                        Deadline.in(new SystemTime(), Duration.ofSeconds(60)));
    }

    @Test
    void whatIsSaidIsDoneOnce_whateverIsInIt_andAnewWhenSomethingElseIsSaid() throws Exception {
        Files.createFile(volume.resolve("f"));
        give(volume, OTHER);
        long user = USER;
        assertEquals(new Paths.Whose(true, 02750, USER, OTHER), settle(user, null, 02750));
        Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwx------"));
        assertFalse(settle(user, null, 02750).given());
        assertEquals(new Paths.Whose(true, 0700, USER, USER), settle(null, user, null));
        assertEquals(new Paths.Whose(true, 02750, USER, USER), settle(user, null, 02750));
    }

    @Test
    void whereNothingCanBeKept_onlyWhatIsFreshIsGiven() throws Exception {
        // It keeps no attributes.
        Mounts.linux().mount("cleat-test", volume, "ramfs", Set.of(), "mode=755");
        try {
            long user = USER;
            assertEquals(new Paths.Whose(true, 0700, USER, USER), settle(user, user, 0700));
            assertFalse(settle(0L, 0L, 0755).given(), "somebody has it");
            give(volume, 0);
            Files.createFile(volume.resolve("f"));
            assertFalse(settle(user, user, 0700).given(), "something is in it");
        } finally {
            Mounts.linux().unmount(volume);
        }
    }

    @Test
    void whoMayWrite_isSaidByOwnerGroupAndOthers() {
        Paths.Whose shared = new Paths.Whose(false, 0770, 1, 2);
        assertTrue(shared.letsWrite(1, List.of()));
        assertTrue(shared.letsWrite(3, List.of(9L, 2L)));
        assertFalse(shared.letsWrite(3, List.of(3L)));
        assertTrue(new Paths.Whose(false, 01777, 0, 0).letsWrite(3, List.of(3L)));
        assertFalse(new Paths.Whose(false, 0077, 1, 2).letsWrite(1, List.of(2L)));
        assertFalse(new Paths.Whose(false, 0622, 1, 2).letsWrite(3, List.of(2L)));
    }
}
