package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilesTest {
    @TempDir
    Path root;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aFileIsReplacedWholeAndForItsOwnerOnly() throws Exception {
        Path file = root.resolve("file");
        DurableFiles.write(file, bytes("first, and longer"));
        DurableFiles.write(file, bytes("second"));
        assertArrayEquals(bytes("second"), Files.readAllBytes(file));
        assertEquals(PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(file));
        try (var entries = Files.list(root)) {
            assertEquals(1, entries.count());
        }
    }

    @Test
    void whatACrashLeftUnderTheTemporaryNameIsTakenOver() throws Exception {
        Path file = root.resolve("file");
        Path elsewhere = Files.writeString(root.resolve("elsewhere"), "canary");
        Files.createSymbolicLink(root.resolve("file.tmp"), elsewhere);
        DurableFiles.write(file, bytes("new"));
        assertEquals("new", Files.readString(file));
        assertEquals("canary", Files.readString(elsewhere));
    }

    @Test
    void aFailedWriteLeavesTheOldContent() throws Exception {
        Path file = Files.createDirectory(root.resolve("file"));
        Files.writeString(file.resolve("inner"), "kept");
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> DurableFiles.write(file, bytes("x")));
        assertEquals(Effect.NONE, trouble.effect());
        assertEquals("kept", Files.readString(file.resolve("inner")));
        assertFalse(Files.exists(root.resolve("file.tmp")));
    }

    @Test
    void directoriesAreMadeForTheirOwnerOnlyAndMayExist() throws Exception {
        Path deep = root.resolve("a/b/c");
        DurableFiles.makeDirectory(deep);
        DurableFiles.makeDirectory(deep);
        assertEquals(
                Set.copyOf(PosixFilePermissions.fromString("rwx------")),
                Files.getPosixFilePermissions(root.resolve("a")));
        Path file = Files.writeString(root.resolve("file"), "");
        assertThrows(DiskTrouble.class, () -> DurableFiles.makeDirectory(file));
    }

    @Test
    void deletingTwiceIsNoError() throws Exception {
        Path file = Files.writeString(root.resolve("file"), "");
        assertTrue(DurableFiles.delete(file));
        assertFalse(DurableFiles.delete(file));
    }
}
