package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.base.DiskTrouble;
import io.cleat.log.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
    @TempDir
    Path temporary;

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

    /** It said only which file could not be written. */
    @Test
    void onADiskWithoutRoom_nothingIsBegun_andItIsSaidWhatToDo() throws Exception {
        Path data = temporary.resolve("data");
        DiskTrouble full = assertThrows(
                DiskTrouble.class, () -> DataDirectory.take(data, at -> new Room.Left(4096, Long.MAX_VALUE)));
        assertEquals(
                "the file system of the data directory %s has 4096 bytes left, and an agent does not"
                                .formatted(data.toRealPath())
                        + " start with less than 65536: make room there, and start it again; what runs goes on "
                        + "meanwhile",
                full.reason());
        try (Stream<Path> begun = Files.list(data)) {
            assertEquals(List.of(), begun.toList());
        }
    }
}
