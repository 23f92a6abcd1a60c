package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.server.commit.Saved;
import io.cleat.server.decide.Recovery;
import io.cleat.state.ClusterState;
import io.cleat.state.Snapshot;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server begins with what was saved of it, or of another one. */
final class RestoredLogTest {
    @TempDir
    Path temporary;

    private Path directory;
    private ServerWorld world;

    @BeforeEach
    void open() throws Exception {
        directory = temporary.resolve("server");
        world = new ServerWorld(directory);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void register(String name) throws Exception {
        world.requests().jobs().register(Samples.job(name, "data"), null, null, 0, world.asked());
    }

    private List<String> jobs() throws Exception {
        return world.image().jobs().stream().map(job -> job.id().id()).toList();
    }

    private static RestoredLog at(Path server) {
        return new RestoredLog(
                server, new SystemTime(), Threads.platform((where, fault) -> fault.printStackTrace()), Ids.random());
    }

    @Test
    void whatWasSavedComesBack_andWhatWasAcknowledgedSincePutsTheClusterIntoRecovery() throws Exception {
        register("before");
        Saved<ClusterState> saved = world.requests().reads().save();
        register("after");
        AtomicReference<Optional<Path>> old = new AtomicReference<>(Optional.empty());

        world.restartAfter(() -> old.set(at(directory).of(saved)));

        assertEquals(List.of("before"), jobs());
        assertTrue(world.image().isRecovering());
        String words = Recovery.words(world.image());
        assertTrue(words.contains("the server's own note says that it has acknowledged"), words);
        Path before = old.get().orElseThrow();
        assertTrue(Files.isDirectory(before), before::toString);
        assertEquals(
                1,
                world.requests()
                        .recovery()
                        .end("somebody", false, Deadline.in(new SystemTime(), Duration.ofMinutes(1))));
        register("later");
        world.restart();
        assertEquals(List.of("before", "later"), jobs());

        // Nothing of it is lost.
        Path log = directory.resolve("log");
        world.restartAfter(() -> {
            Files.move(log, directory.resolve("restored"));
            Files.move(before, log);
        });
        assertEquals(List.of("after", "before"), jobs());
    }

    @Test
    void anotherServerBeginsWithIt_andGoesOnAsThatCluster() throws Exception {
        register("before");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Saved<ClusterState> saved = world.requests().reads().save();
        saved.writeTo(bytes);
        Path other = temporary.resolve("other");

        Saved<ClusterState> read = Server.read(new ByteArrayInputStream(bytes.toByteArray()));
        assertEquals(Optional.empty(), at(other).of(read));

        assertEquals(
                Snapshot.digest(saved.applied().image()),
                Snapshot.digest(read.applied().image()));
        try (ServerWorld restored = new ServerWorld(other)) {
            ClusterState image = restored.image();
            assertEquals(world.image().clusterId(), image.clusterId());
            assertFalse(image.isRecovering());
            assertEquals(1, image.jobs().size());
        }
    }

    @Test
    void aServerThatRunsIsNotRestored() throws Exception {
        Saved<ClusterState> saved = world.requests().reads().save();
        DiskTrouble refused =
                assertThrows(DiskTrouble.class, () -> at(directory).of(saved));
        assertTrue(refused.reason().contains("locked by another process"), refused.reason());
        register("goes-on");
    }

    @Test
    void aRestoreThatWasCutOff_isSaid_andNoOtherClusterIsBegun() throws Exception {
        Saved<ClusterState> saved = world.requests().reads().save();
        Path log = directory.resolve("log");
        Path whole = directory.resolve("log.restored");
        DiskTrouble refused = assertThrows(DiskTrouble.class, () -> world.restartAfter(() -> Files.move(log, whole)));
        assertTrue(refused.reason().contains("a restore did not come to its end"), refused.reason());
        assertThrows(DiskTrouble.class, () -> at(directory).of(saved));
        Files.move(whole, log);
        world.restart();
        Files.createDirectory(directory.resolve("log.unfinished"));
        DiskTrouble left = assertThrows(DiskTrouble.class, () -> at(directory).of(saved));
        assertTrue(left.reason().contains("remove it, and restore again"), left.reason());
    }
}
