package io.cleat.agent.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.kernel.FileWrites;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskDirectoryTest {
    private static final List<Long> OURS = List.of();
    private static final List<Long> THEIRS = List.of(4242L, 4243L, 7L);

    @TempDir
    Path root;

    private TaskDirectory directory = new TaskDirectory(Path.of("unset"));

    @BeforeEach
    void name() throws IOException {
        directory = new TaskDirectory(Files.createDirectory(root.resolve("a")).resolve("t"));
    }

    private static String of(Path path) throws IOException {
        return "%s %s:%s"
                .formatted(
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)),
                        Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS),
                        Files.getAttribute(path, "unix:gid", LinkOption.NOFOLLOW_LINKS));
    }

    private void letPass() throws IOException {
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
    }

    private static void asRoot() {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")), "reason: giving a file to another user needs root");
    }

    @Test
    void aTaskThatIsIsolatedHasADirectoryThatNobodyElsePasses() throws Exception {
        directory.makeShown(OURS, false);
        assertTrue(of(directory.root()).startsWith("rwx------ "));
        assertTrue(of(directory.local()).startsWith("rwxr-xr-x "));
        assertTrue(of(directory.tmp()).startsWith("rwxrwxrwx "));
        assertTrue(of(directory.secrets()).startsWith("rwx------ "));
    }

    @Test
    void aTaskThatIsIsolated_hasWhatItIsShownAsItsOwnUsers() throws Exception {
        asRoot();
        directory.makeShown(THEIRS, false);
        assertTrue(of(directory.root()).startsWith("rwx------ 0:"));
        assertEquals("rwx------ 4242:4243", of(directory.local()));
        assertEquals("rwx------ 4242:4243", of(directory.tmp()));
        assertEquals(new FileWrites.Owner(0700, 4242, 4243), TaskDirectory.shown(THEIRS, false));
    }

    @Test
    void whatAnEarlierVersionLeftOpenToAll_isClosedAtTheNextStart() throws Exception {
        directory.make(OURS);
        for (Path open : List.of(directory.local(), directory.tmp())) {
            Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        directory.make(OURS);
        assertTrue(of(directory.local()).startsWith("rwx------ "));
        assertTrue(of(directory.tmp()).startsWith("rwx------ "));
    }

    @Test
    void aTaskOfOursMayDropItsOwnUserAndStillComeToItsFiles() throws Exception {
        directory.make(OURS);
        assertTrue(of(directory.root()).startsWith("rwx--x--x "));
        assertTrue(of(root.resolve("a")).startsWith("rwx--x--x "));
        assertTrue(of(directory.local()).startsWith("rwx------ "));
        assertTrue(of(directory.tmp()).startsWith("rwx------ "));
        assertTrue(of(directory.secrets()).startsWith("rwx------ "));
    }

    @Test
    void aTaskWithAUserOfItsOwnHasADirectoryThatIsThatUsers() throws Exception {
        asRoot();
        letPass();
        directory.make(THEIRS);
        assertEquals("rwx------ 4242:4243", of(directory.root()));
        assertEquals("rwx------ 4242:4243", of(directory.local()));
        assertEquals("rwx------ 4242:4243", of(directory.tmp()));
        assertEquals("rwx------ 4242:4243", of(directory.secrets()));
    }

    @Test
    void aTaskThatRunsAsRootHasAllItsDirectories() throws Exception {
        asRoot();
        letPass();
        for (int start = 0; start < 2; start++) {
            directory.make(List.of(0L, 0L));
            assertEquals("rwx------ 0:0", of(directory.root()));
            assertEquals("rwx------ 0:0", of(directory.secrets()));
            assertEquals("rwx------ 0:0", of(directory.local()));
            assertEquals("rwx------ 0:0", of(directory.tmp()));
        }
    }

    @Test
    void whatIsTheUsersAlreadyIsNotTouchedAgain() throws Exception {
        asRoot();
        letPass();
        directory.make(THEIRS);
        Path victim = Files.createFile(root.resolve("victim"));
        String before = of(victim);
        Files.delete(directory.secrets());
        Files.createSymbolicLink(directory.secrets(), victim);
        Files.delete(directory.local());
        directory.make(THEIRS);
        assertEquals(before, of(victim));
        assertTrue(Files.notExists(directory.local()));
    }

    @Test
    void anAgentThatDiedOnTheWayIsFinishedFor() throws Exception {
        asRoot();
        letPass();
        Files.createDirectory(directory.root());
        directory.make(THEIRS);
        assertEquals("rwx------ 4242:4243", of(directory.root()));
    }

    @Test
    void aUserWhoCannotComeThereIsToldWhereItEnds() throws Exception {
        asRoot();
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> directory.make(THEIRS));
        assertTrue(trouble.reason().endsWith("chmod o+x " + root), trouble.reason());
        directory.make(OURS);
    }

    /** It may hang, and its owner and mode are those of the volume. */
    @Test
    void onWhatSomethingIsMountedIsNotTouched() throws Exception {
        Path local = Files.createDirectories(directory.root().resolve("local"));
        Files.setPosixFilePermissions(local, PosixFilePermissions.fromString("rwxr-x--x"));
        TaskDirectory again = new TaskDirectory(directory.root(), Set.of(local));
        again.make(OURS);
        again.makeShown(OURS, false);
        assertEquals("rwxr-x--x", PosixFilePermissions.toString(Files.getPosixFilePermissions(local)));
    }
}
