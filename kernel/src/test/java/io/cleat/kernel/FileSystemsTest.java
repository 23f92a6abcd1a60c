package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.KernelTrouble;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSystemsTest {
    private final FileSystems fileSystems = FileSystems.linux();

    @TempDir
    Path root;

    @Test
    void usageIsThatOfTheFileSystem() throws Exception {
        Root.required("mounting");
        Path disk = Files.createDirectory(root.resolve("disk"));
        Mounts.linux().mount("disk", disk, "tmpfs", Set.of(), "size=8m,nr_inodes=100");
        try {
            FileSystems.Usage empty = fileSystems.usage(disk);
            assertEquals(8 << 20, empty.total());
            assertEquals(8 << 20, empty.available());
            assertEquals(100, empty.inodes());
            Files.write(disk.resolve("file"), new byte[1 << 20]);
            FileSystems.Usage used = fileSystems.usage(disk);
            assertEquals(1 << 20, used.used() - empty.used());
            assertEquals(empty.inodesFree() - 1, used.inodesFree());
        } finally {
            Mounts.linux().unmount(disk);
        }
    }

    @Test
    void whatIsNotThereHasNoUsage() {
        Path absent = root.resolve("absent");
        KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> fileSystems.usage(absent));
        assertTrue(trouble.reason().contains("ENOENT"), trouble::reason);
    }

    @Test
    void aFileSystemThatIsNotFrozenIsNotThawed() throws Exception {
        Root.required("thawing");
        assertFalse(fileSystems.thaw(root));
    }
}
