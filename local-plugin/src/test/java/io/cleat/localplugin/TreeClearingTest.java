package io.cleat.localplugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.kernel.Mounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeClearingTest {
    @TempDir
    Path directory;

    @Test
    void aTreeGoesAndTheAimsOfItsLinksStay() throws Exception {
        Path canary = Files.createDirectory(directory.resolve("canary"));
        Files.writeString(canary.resolve("file"), "precious");
        Path tree = Files.createDirectories(directory.resolve("tree/a/b"));
        Files.createSymbolicLink(tree.resolve("link"), canary);
        Files.writeString(tree.resolve("file"), "x");
        TreeClearing.clear(directory.resolve("tree"));
        assertFalse(Files.exists(directory.resolve("tree")));
        assertEquals("precious", Files.readString(canary.resolve("file")));
    }

    @Test
    void aLinkInThePlaceOfTheTreeGoesAlone() throws Exception {
        Path canary = Files.createDirectories(directory.resolve("canary/inside"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), canary);
        TreeClearing.clear(link);
        assertFalse(Files.isSymbolicLink(link));
        assertTrue(Files.exists(canary));
    }

    @Test
    void anAbsentTreeIsCleared() throws Exception {
        TreeClearing.clear(directory.resolve("absent"));
    }

    @Test
    void aTreeWithAMountInsideIsLeftWhole() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "reason: mounting needs root");
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Files.writeString(tree.resolve("file"), "x");
        Path inside = Files.createDirectory(tree.resolve("inside"));
        Mounts mounts = Mounts.linux();
        mounts.mount("canary", inside, "tmpfs", Set.of(), "size=64k");
        try {
            Files.writeString(inside.resolve("file"), "precious");
            assertThrows(DiskTrouble.class, () -> TreeClearing.clear(tree));
            assertTrue(Files.exists(tree.resolve("file")));
            assertEquals("precious", Files.readString(inside.resolve("file")));
        } finally {
            mounts.unmount(inside);
        }
        TreeClearing.clear(tree);
        assertFalse(Files.exists(tree));
    }
}
