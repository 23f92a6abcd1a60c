package io.cleat.agent.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cleat.base.KernelTrouble;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.PathWorkers;
import io.cleat.testkit.ShimProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundVolumesTest {
    @TempDir Path temporary;

    private Path root;
    private Path taskDir;
    private Path published;
    private PathWorkers workers;
    private BoundVolumes binds;

    @BeforeEach
    void start() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "bind mounts need root");
        root = temporary.toRealPath().resolve("alloc");
        taskDir = Files.createDirectories(root.resolve("a").resolve("t"));
        published = Files.createDirectories(temporary.toRealPath().resolve("published"));
        Files.writeString(published.resolve("file"), "data");
        workers =
                new PathWorkers(
                        ShimProgram.built(),
                        Threads.virtual(
                                (where, fault) -> {
                                    throw new AssertionError(where, fault);
                                }),
                        new SystemTime());
        binds = new BoundVolumes(root, workers.of("tasks"), MountTable::read, new SystemTime());
    }

    @AfterEach
    void nothingIsLeftMounted() throws Exception {
        if (workers != null) {
            binds.unbindAll(taskDir);
            assertTrue(MountTable.readTwice().atOrBelow(root).isEmpty());
            workers.close();
        }
    }

    @Test
    void aVolumeIsSeenAtItsDestinationAndOnlyOnce() throws Exception {
        Path seen = binds.bind(published, taskDir, "/var/data", false).path();
        assertEquals(taskDir.resolve("var/data"), seen);
        assertEquals("data", Files.readString(seen.resolve("file")));
        binds.bind(published, taskDir, "/var/data", false);
        assertEquals(1, MountTable.readTwice().atOrBelow(root).size());
        binds.unbindAll(taskDir);
        assertFalse(Files.exists(seen.resolve("file")));
        assertTrue(Files.exists(published.resolve("file")));
    }

    @Test
    void aReadOnlyBindCannotBeWritten() throws Exception {
        Path seen = binds.bind(published, taskDir, "data", true).path();
        assertThrows(IOException.class, () -> Files.writeString(seen.resolve("new"), "x"));
    }

    @Test
    void aLinkThatTheWorkloadPutThereIsNotFollowed() throws Exception {
        Path outside = Files.createDirectories(temporary.toRealPath().resolve("outside"));
        Files.createSymbolicLink(taskDir.resolve("data"), outside);
        assertThrows(KernelTrouble.class, () -> binds.bind(published, taskDir, "/data", false));
        assertTrue(MountTable.readTwice().atOrBelow(outside).isEmpty());
    }

    @Test
    void aDestinationOutsideTheTasksDirectoryIsRefused() {
        assertThrows(KernelTrouble.class, () -> binds.bind(published, taskDir, "/../x", false));
        assertThrows(KernelTrouble.class, () -> binds.bind(published, taskDir, "/", false));
    }
}
