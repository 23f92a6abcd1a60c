package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tree that somebody made is given away whole, and nothing beside it. */
class OwnTreeTest {
    private static final int MAKER = 1_990_000_000;
    private static final int OWNER = 1_234;

    @TempDir
    Path directory;

    private Path root = Path.of("/");
    private PathWorkers workers = new PathWorkers(
            Path.of("/"),
            Threads.virtual((where, fault) -> {
                throw new AssertionError(where, fault);
            }),
            new SystemTime());

    @BeforeEach
    void begin() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: files are given away by root only, and the tests run as another user");
        root = directory.toRealPath().resolve("work");
        Files.createDirectories(root.resolve("tree"));
        workers = new PathWorkers(
                ShimProgram.built(),
                Threads.virtual((where, fault) -> {
                    throw new AssertionError(where, fault);
                }),
                new SystemTime());
        made(root.resolve("tree"));
    }

    @AfterEach
    void end() {
        workers.close();
    }

    private static Path made(Path path) throws Exception {
        Files.setAttribute(path, "unix:gid", MAKER, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:uid", MAKER, LinkOption.NOFOLLOW_LINKS);
        return path;
    }

    private void own(int uid) throws Exception {
        workers.moves("test")
                .own(new Place(root, "tree"), MAKER, uid, uid, Deadline.in(new SystemTime(), Duration.ofSeconds(60)));
    }

    private static void assertOwner(int uid, Path path) throws Exception {
        assertEquals(uid, Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS), "" + path);
        assertEquals(uid, Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS), "" + path);
    }

    @Test
    void allOfItIsGivenWithoutSetuidAndWhatALinkLeadsToIsNot() throws Exception {
        Path outside = Files.writeString(directory.resolve("outside"), "x");
        Path tree = root.resolve("tree");
        Path below = made(Files.createDirectory(tree.resolve("d")));
        Path file = made(Files.writeString(below.resolve("f"), "x"));
        Files.createLink(tree.resolve("second"), file);
        made(Files.createSymbolicLink(below.resolve("link"), outside));
        Files.setAttribute(file, "unix:mode", 06755);
        Files.setAttribute(below, "unix:mode", 03777);
        own(OWNER);
        for (String each : new String[] {"", "d", "d/f", "d/link", "second"}) {
            assertOwner(OWNER, tree.resolve(each));
        }
        assertOwner(0, outside);
        assertEquals("rwxr-xr-x", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(0100755, (int) Files.getAttribute(file, "unix:mode"));
        assertEquals(0040777, (int) Files.getAttribute(below, "unix:mode"));
    }

    @Test
    void whatIsAnothersOrNoFileEndsItAndIsNamed() throws Exception {
        Path other = Files.writeString(root.resolve("tree/other"), "x");
        KernelTrouble refused = assertThrows(KernelTrouble.class, () -> own(-1));
        assertTrue(refused.reason().contains("\"other\""), refused.reason());
        assertOwner(0, other);
        Files.delete(other);
        assertEquals(
                0, new ProcessBuilder("mkfifo", root + "/tree/pipe").start().waitFor());
        made(root.resolve("tree/pipe"));
        refused = assertThrows(KernelTrouble.class, () -> own(-1));
        assertTrue(refused.reason().contains("\"pipe\""), refused.reason());
        Files.delete(root.resolve("tree/pipe"));
        own(-1);
        assertOwner(0, root.resolve("tree"));
    }
}
