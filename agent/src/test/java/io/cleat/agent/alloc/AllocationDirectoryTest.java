package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationDirectoryTest {
    @TempDir
    Path temporary;

    private AllocationDirectory directory = new AllocationDirectory(Path.of("unset"));

    @BeforeEach
    void name() {
        directory = AllocationDirectory.of(temporary.resolve("alloc"), "a-1");
    }

    private static String mode(Path path) throws IOException {
        return Integer.toOctalString((int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777);
    }

    private static void open(Path path) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @Test
    void aNewAllocation_noTaskRenamesItsLogs() throws Exception {
        directory.make(false);
        assertEquals("700", mode(directory.root()));
        assertEquals("755", mode(directory.shared()));
        assertEquals("755", mode(directory.logs()));
        assertEquals("1770", mode(directory.shared().resolve("data")));
        assertEquals("1770", mode(directory.shared().resolve("tmp")));
    }

    @Test
    void anAllocationOfAnEarlierVersion_isClosedWhenItIsTakenOver() throws Exception {
        directory.make(false);
        open(directory.shared());
        directory.make(true);
        assertEquals("755", mode(directory.shared()));
    }

    @Test
    void anAllocationThatIsOver_isPassedByNobodyElse() throws Exception {
        directory.make(false);
        open(directory.root());
        directory.close();
        assertEquals("700", mode(directory.root()));
    }

    @Test
    void whatTasksPutInTheSharedDirectory_isNotTouchedWhenItIsTakenOver() throws Exception {
        directory.make(false);
        Path victim = Files.createDirectory(temporary.resolve("victim"));
        String before = mode(victim);
        for (String name : new String[] {"logs", "tmp", "data"}) {
            Files.delete(directory.shared().resolve(name));
        }
        Files.createSymbolicLink(directory.shared().resolve("data"), victim);
        directory.make(true);
        assertEquals(before, mode(victim));
        assertTrue(Files.notExists(directory.logs()));
        assertTrue(Files.notExists(directory.shared().resolve("tmp")));
    }
}
