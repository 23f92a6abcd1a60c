package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafeRemoveTest {
    private final SystemTime time = new SystemTime();
    private final Mounts mounts = Mounts.linux();

    @TempDir
    Path temporary;

    private Path root = Path.of("/");
    private Path alloc = root;
    private Path volume = root;
    private List<String> command = List.of("false");

    @BeforeEach
    void fill() throws Exception {
        root = temporary.toRealPath();
        command = List.of(ShimProgram.built().toString(), "path");
        alloc = Files.createDirectories(root.resolve("allocs/a1/web/local/deep"));
        Files.writeString(alloc.resolve("file"), "x");
        alloc = root.resolve("allocs/a1");
        volume = Files.createDirectory(root.resolve("volume"));
        Files.writeString(volume.resolve("canary"), "alive");
        Files.createSymbolicLink(alloc.resolve("web/link"), volume);
        Files.createSymbolicLink(alloc.resolve("web/file-link"), volume.resolve("canary"));
    }

    @AfterEach
    void leaveNothingMounted() throws Exception {
        for (Mount mount : mounts.table().atOrBelow(root).reversed()) {
            mounts.detach(Path.of(mount.target()));
        }
    }

    private void remove(MountTable.Source source) throws Exception {
        try (PathWorkers workers = new PathWorkers(command, Threads.virtual((where, fault) -> {}), time)) {
            new SafeRemove(workers, "allocations", source)
                    .tree(new Place(root.resolve("allocs"), "a1"), Deadline.in(time, Duration.ofSeconds(30)));
        }
    }

    @Test
    void anAllocationsDirectoryGoesWholeAndLinksAreNotFollowed() throws Exception {
        remove(MountTable::read);
        assertFalse(Files.exists(alloc));
        assertTrue(Files.exists(root.resolve("allocs")));
        assertEquals("alive", Files.readString(volume.resolve("canary")));
        remove(MountTable::read);
    }

    @Test
    void whileAnythingIsMountedBelowNothingIsTouched() throws Exception {
        Root.required("mounting");
        Path target = Files.createDirectory(alloc.resolve("web/volume"));
        mounts.bind(volume, target);
        KernelTrouble trouble = assertThrows(KernelTrouble.class, () -> remove(MountTable::read));
        assertEquals(Effect.NONE, trouble.effect());
        assertTrue(trouble.reason().contains(target.toString()), trouble.reason());
        assertEquals("x", Files.readString(alloc.resolve("web/local/deep/file")));
    }

    @Test
    void aMountThatAppearsAfterTheLookIsNotCrossed() throws Exception {
        Root.required("mounting");
        Path target = Files.createDirectory(alloc.resolve("web/volume"));
        MountTable before = MountTable.readTwice();
        mounts.bind(volume, target);
        assertThrows(KernelTrouble.class, () -> remove(() -> before));
        assertEquals("alive", Files.readString(volume.resolve("canary")));
        command = List.of(command.getFirst(), "path", "walk");
        assertThrows(KernelTrouble.class, () -> remove(() -> before));
        assertEquals("alive", Files.readString(volume.resolve("canary")));
    }

    private void removeTemporary() throws Exception {
        new TemporaryTree(root.resolve("allocs"))
                .remove(Path.of(command.getFirst()), Threads.virtual((where, fault) -> {}), time);
    }

    @Test
    void aTemporaryTreeGoesWholeButNotWhileAnythingIsMountedInIt() throws Exception {
        Root.required("mounting");
        Path target = Files.createDirectory(alloc.resolve("web/volume"));
        mounts.bind(volume, target);
        KernelTrouble trouble = assertThrows(KernelTrouble.class, this::removeTemporary);
        assertTrue(trouble.reason().contains(target.toString()), trouble.reason());
        assertEquals("x", Files.readString(alloc.resolve("web/local/deep/file")));
        mounts.unmount(target);
        removeTemporary();
        assertFalse(Files.exists(root.resolve("allocs")));
        assertEquals("alive", Files.readString(volume.resolve("canary")));
        removeTemporary();
    }

    @Test
    void theRootOfAllAllocationsIsNoAllocation() {
        try (PathWorkers workers = new PathWorkers(command, Threads.virtual((where, fault) -> {}), time)) {
            SafeRemove remove = new SafeRemove(workers, "allocations", MountTable::read);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> remove.tree(new Place(root.resolve("allocs"), ""), Deadline.in(time, Duration.ofSeconds(1))));
        }
        assertTrue(Files.exists(alloc));
    }
}
