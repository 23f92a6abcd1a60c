package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class PlainPathsTest {
    @TempDir
    Path directory;

    private static CallRefused refused(Executable call) {
        return assertThrows(CallRefused.class, call);
    }

    @Test
    void pathsOfRequestsAreAbsoluteAndPlain() throws Exception {
        assertEquals(Path.of("/a/b"), PlainPaths.parse("target_path", "/a/b"));
        for (String given : List.of("", "a/b", "/a/../b", "/", "/a\0b")) {
            CallRefused refused = refused(() -> PlainPaths.parse("target_path", given));
            assertEquals(Status.Code.INVALID_ARGUMENT, refused.code());
            assertTrue(refused.sentence().contains("target_path"), refused::sentence);
        }
    }

    @Test
    void aLinkInThePlaceOfADirectoryIsRefusedAndItsAimSurvives() throws Exception {
        Path canary = Files.createDirectory(directory.resolve("canary"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), canary);
        for (Executable call : List.<Executable>of(
                () -> PlainPaths.makeEmpty(link),
                () -> PlainPaths.requireEmpty(link),
                () -> PlainPaths.removeEmpty(link),
                () -> PlainPaths.resolve(link.resolve("target")))) {
            CallRefused refused = refused(call);
            assertEquals(Status.Code.FAILED_PRECONDITION, refused.code());
            assertTrue(refused.sentence().contains(link + " is a symbolic link"), refused::sentence);
        }
        assertTrue(Files.isSymbolicLink(link));
        assertTrue(Files.isDirectory(canary, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void aFileInThePlaceOfADirectoryIsRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "precious");
        refused(() -> PlainPaths.makeEmpty(file));
        refused(() -> PlainPaths.removeEmpty(file));
        assertEquals("precious", Files.readString(file));
    }

    @Test
    void whatIsNotEmptyIsLeftAlone() throws Exception {
        Path full = Files.createDirectory(directory.resolve("full"));
        Files.writeString(full.resolve("file"), "precious");
        refused(() -> PlainPaths.makeEmpty(full));
        refused(() -> PlainPaths.removeEmpty(full));
        assertEquals("precious", Files.readString(full.resolve("file")));
    }

    @Test
    void anotherUsersDirectoryIsRefusedByName() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")), "reason: only root gives a directory to another user");
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Files.setAttribute(theirs, "unix:uid", 12345);
        CallRefused refused = refused(() -> PlainPaths.requireEmpty(theirs));
        assertTrue(refused.sentence().contains(theirs + " belongs to 12345"), refused::sentence);
        refused(() -> PlainPaths.makeEmpty(theirs.resolve("target")));
        assertFalse(Files.exists(theirs.resolve("target")));
    }

    @Test
    void directoriesAreMadeForTheirOwnerAndRemoved() throws Exception {
        Path target = directory.resolve("target");
        PlainPaths.makeEmpty(target);
        PlainPaths.makeEmpty(target);
        assertTrue(Files.isDirectory(target));
        PlainPaths.removeEmpty(target);
        PlainPaths.removeEmpty(target);
        assertFalse(Files.exists(target));
    }
}
