package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.SummedText;
import io.cleat.base.SystemTime;
import io.cleat.base.Trouble;
import io.cleat.model.NodeFacts;
import io.cleat.server.commit.Applied;
import io.cleat.server.decide.Recovery;
import io.cleat.state.ClusterState;
import io.cleat.state.OtherPastRow;
import io.cleat.testkit.History;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of the log is lost while no server runs, and no node has acted on it. */
final class LostEndTest {
    private static final NodeFacts NODE = Samples.node("n1", Set.of());

    @TempDir
    Path temporary;

    private Path directory;
    private ServerWorld world;

    /** What becomes of the open segment. */
    enum Damage {
        CUT_TO_HALF {
            @Override
            void at(Path segment) throws IOException {
                try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
                    channel.truncate(written(segment) / 2);
                }
            }
        },
        CUT_BETWEEN_ZEROS {
            @Override
            void at(Path segment) throws IOException {
                byte[] bytes = Files.readAllBytes(segment);
                Arrays.fill(bytes, (int) written(segment) / 2, bytes.length, (byte) 0);
                Files.write(segment, bytes);
            }
        },
        EMPTIED {
            @Override
            void at(Path segment) throws IOException {
                Files.write(segment, new byte[0]);
            }
        },
        DELETED {
            @Override
            void at(Path segment) throws IOException {
                Files.delete(segment);
            }
        };

        abstract void at(Path segment) throws IOException;

        /** How much of it is no reserve. */
        static long written(Path segment) throws IOException {
            byte[] bytes = Files.readAllBytes(segment);
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] == 0) {
                end--;
            }
            return end;
        }
    }

    @BeforeEach
    void open() throws Exception {
        directory = temporary.resolve("server");
        world = new ServerWorld(directory);
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void register(String name, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            world.requests().jobs().register(Samples.job(name + i, "data"), null, null, 0, world.asked());
        }
    }

    private Path segment() throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve("log"))) {
            List<Path> open = all.filter(path -> path.getFileName().toString().startsWith("log_inprogress"))
                    .toList();
            assertEquals(1, open.size(), open.toString());
            return open.getFirst();
        }
    }

    private void loses(Damage damage) throws Exception {
        world.restartAfter(() -> damage.at(segment()));
    }

    @ParameterizedTest
    @EnumSource
    void whatWasAcknowledgedAndIsGone_isSaidAndPutsTheClusterIntoRecovery(Damage damage) throws Exception {
        register("before", 4);
        world.restart();
        register("after", 6);
        long acknowledged = world.image().version();

        loses(damage);

        ClusterState image = world.image();
        assertTrue(image.isRecovering());
        String words = Recovery.words(image);
        assertTrue(words.contains("the server's own note says that it has acknowledged"), words);
        OtherPastRow lost = image.openPasts().iterator().next();
        assertTrue(lost.version() >= acknowledged, words);
        long missing = lost.version() - lost.knownThen();
        assertTrue(missing > 0, words);
        assertTrue(words.contains(": at least " + missing + " decision"), words);
        assertEquals(
                0,
                image.jobs().stream()
                        .filter(job -> job.id().id().equals("after5"))
                        .count());
    }

    @Test
    void aLossThatAPersonHasDecidedOf_isNoneAgain_butTheNextOneIs() throws Exception {
        register("before", 4);
        loses(Damage.CUT_TO_HALF);
        world.restart();
        assertTrue(world.image().isRecovering());
        assertEquals(1, world.image().openPasts().size());
        int begun = world.requests()
                .recovery()
                .end("somebody", false, Deadline.in(new SystemTime(), Duration.ofMinutes(1)));
        assertEquals(1, begun);
        register("later", 1);
        world.restart();
        assertFalse(world.image().isRecovering());
        register("later", 9);
        loses(Damage.CUT_TO_HALF);
        assertTrue(world.image().isRecovering());
    }

    @Test
    void aLogThatHoldsAllThatWasAcknowledged_isOpenedAsEver() throws Exception {
        register("before", 4);
        world.connect("secret", NODE);
        for (int i = 0; i < 2; i++) {
            world.restart();
            register("more", 1);
            assertFalse(world.image().isRecovering());
        }
    }

    @Test
    void theSampleOfTheNote_isRead() throws Exception {
        Path note = temporary.resolve("note");
        Files.write(note, new History("server").sample("acknowledged-1", new byte[0]));
        try (Acknowledged read = Acknowledged.in(note, true)) {
            assertEquals(
                    Optional.of(new Acknowledged.Mark(1234, "11111111-2222-3333-4444-555555555555")),
                    read.lost(new Applied<>(ClusterState.empty(), 0, Instant.EPOCH, 1, List.of())));
        }
    }

    @Test
    void aNoteThatIsDamagedOrGone_isBegunAnew() throws Exception {
        register("before", 2);
        Path note = directory.resolve("acknowledged");
        String whole = Files.readString(note);
        for (String text : List.of(
                "",
                "cleat-acknowledged 1\nversion 9\n",
                "nonsense\n\n\n\n\n",
                whole + "and more",
                // A damaged version is no newer one.
                whole.replaceFirst("1", "3"))) {
            world.restartAfter(() -> Files.writeString(note, text));
            assertFalse(world.image().isRecovering());
            assertEquals(whole.length(), Files.size(note), "it is whole again");
        }
        world.restartAfter(() -> Files.delete(note));
        assertFalse(world.image().isRecovering());
        register("after", 2);
        loses(Damage.EMPTIED);
        assertTrue(world.image().isRecovering());
    }

    @Test
    void aNoteOfANewerProgram_isRefused() throws Exception {
        Path note = directory.resolve("acknowledged");
        Trouble refused = assertThrows(
                DiskTrouble.class,
                () -> world.restartAfter(() -> Files.writeString(note, SummedText.with("cleat-acknowledged 2\n"))));
        assertTrue(refused.reason().contains(note.toString()), refused.reason());
        Files.delete(note);
        world.restart();
    }

    @Test
    void anEmptyLogBesideItsIdentity_isALoss() throws Exception {
        register("before", 2);
        DiskTrouble lost = assertThrows(DiskTrouble.class, () -> world.restartAfter(() -> Files.delete(segment())));
        assertTrue(lost.reason().contains("its files are gone"), lost.reason());
    }
}
