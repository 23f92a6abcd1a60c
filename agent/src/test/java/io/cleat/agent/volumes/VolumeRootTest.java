package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VolumeRootTest {
    private final Mounts mounts = Mounts.linux();

    @TempDir
    private Path directory = Path.of("");

    @Test
    void isASharedMountOnceAndGoesWithoutWhatIsBelow() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: mounting needs root, and the tests run as another user");
        Path link = directory.resolve("link");
        Files.createSymbolicLink(link, Files.createDirectory(directory.resolve("real")));
        VolumeRoot root = VolumeRoot.prepare(link.resolve("csi"), mounts);
        try {
            assertEquals(directory.toRealPath().resolve("real/csi"), root.path());
            assertTrue(
                    mounts.table().at(root.path()).orElseThrow().propagation().isShared());
            assertEquals(root.path(), VolumeRoot.prepare(root.path(), mounts).path());
            assertEquals(1, MountTable.read().atOrBelow(root.path()).size());

            // What is mounted below is seen through another bind of the root.
            Path other = Files.createDirectory(directory.toRealPath().resolve("other"));
            Path inner = Files.createDirectory(root.path().resolve("inner"));
            mounts.bind(root.path(), other);
            mounts.mount("cleat-test", inner, "tmpfs", Set.of(), "size=64k");
            assertTrue(mounts.table().at(other.resolve("inner")).isPresent());
            assertFalse(root.release());
            mounts.unmount(inner);
            assertTrue(mounts.unmount(other));
        } finally {
            assertTrue(root.release());
        }
        assertEquals(0, MountTable.read().atOrBelow(root.path()).size());
    }
}
