package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    @TempDir Path temporary;

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void theLock_isMadeForItsOwnerOnly() throws Exception {
        try (DataDirectory data = DataDirectory.take(temporary.resolve("data"))) {
            assertEquals("rw-------", mode(data.root().resolve("agent.lock")));
        }
    }

    @Test
    void theLockOfAnEarlierVersion_isKeptFromOthersWhenItIsTaken() throws Exception {
        Path data = Files.createDirectory(temporary.resolve("data"));
        Path lock = Files.createFile(data.resolve("agent.lock"));
        Files.setPosixFilePermissions(lock, PosixFilePermissions.fromString("rw-r--r--"));
        DataDirectory.take(data).close();
        assertEquals("rw-------", mode(lock));
    }

    @Test
    void aFileThatWasOpenToOthers_isItsOwnersOnly() throws Exception {
        Path calls = Files.createFile(temporary.resolve("local-plugin.calls"));
        Files.setPosixFilePermissions(calls, PosixFilePermissions.fromString("rw-r--r--"));
        DataDirectory.keepToOwner(calls);
        assertEquals("rw-------", mode(calls));
    }
}
