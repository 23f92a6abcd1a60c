package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refusal;
import io.cleat.testkit.Eventually;
import io.cleat.testkit.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system that fills up under the log, and empties again. */
final class FullDiskTest {
    private static final String TEXT = "z".repeat(200_000);

    @TempDir
    Path mountPoint;

    @AutoClose
    private SmallDisk disk;

    @BeforeEach
    void mount() throws Exception {
        disk = SmallDisk.mount(mountPoint, 32);
    }

    private LogSettings settings(long reserve) {
        return new LogSettings(mountPoint.resolve("log"), Optional.empty(), 1 << 20, 100, 4 << 20, reserve);
    }

    /** Who frees something must be able to say so, or nobody could make room. */
    @Test
    void inTheReserveEntriesAreTaken_andItIsSaidThatThereIsLittleRoom() throws Exception {
        Recording recording = new Recording();
        try (RatisLog log = RatisLogTest.ratis(settings(8 << 20), recording)) {
            log.start(recording);
            recording.awaitLeading();
            assertEquals(Optional.empty(), log.tight());
            Path filler = disk.fill(6 << 20);
            Eventually.holds(() -> log.tight().isPresent(), "a look is trusted for 50 ms");
            Refusal tight = log.tight().orElseThrow();
            assertTrue(tight.message().contains("at least 8 MiB are wanted"), tight.message());
            assertEquals(Optional.empty(), log.status().refusing());
            outcomeOfAppends(log, recording, Outcome.Applied.class);
            Files.delete(filler);
            assertEquals(Optional.empty(), log.tight());
        }
    }

    /** With bytes to spare, a file system may have no place for one more file. */
    @Test
    void whereFilesAreNotToBeHad_itIsSaidAsWhereBytesAreNot() throws Exception {
        Recording recording = new Recording();
        AtomicLong files = new AtomicLong(1_024);
        Room room = directory -> new Room.Left(1L << 40, files.get());
        try (RatisLog log = RatisLogTest.ratis(settings(8 << 20), room, recording)) {
            log.start(recording);
            recording.awaitLeading();
            assertEquals(Optional.empty(), log.tight());
            files.set(1_023);
            Eventually.holds(() -> log.tight().isPresent(), "a look is trusted for 50 ms");
            Refusal tight = log.tight().orElseThrow();
            assertTrue(tight.message().contains("1023 files more, at least 1024 are wanted"), tight.message());
            outcomeOfAppends(log, recording, Outcome.Applied.class);
            files.set(255);
            outcomeOfAppends(log, recording, Outcome.NotAppended.class);
            files.set(1_024);
            outcomeOfAppends(log, recording, Outcome.Applied.class);
            assertEquals(Optional.empty(), log.tight());
        }
    }

    @Test
    void entriesAreRefusedBelowTheLastOfTheReserveAndTakenAgainAboveIt() throws Exception {
        Recording recording = new Recording();
        try (RatisLog log = RatisLogTest.ratis(settings(32 << 20), recording)) {
            log.start(recording);
            recording.awaitLeading();
            ReplicatedLogContract.append(log, recording, "before");
            recording.awaitOutcomes(1);
            // A look is trusted for 50 ms, in which segments may begin: 1 MiB each, two at a time.
            Path filler = disk.fill(7 << 20);
            Outcome outcome = outcomeOfAppends(log, recording, Outcome.NotAppended.class);
            assertInstanceOf(Refusal.Exhausted.class, ((Outcome.NotAppended) outcome).refusal());
            assertTrue(log.status().refusing().isPresent());
            Files.delete(filler);
            outcomeOfAppends(log, recording, Outcome.Applied.class);
            assertEquals(1, recording.leaderships());
            assertEquals(List.of(), recording.faults());
        }
    }

    @Test
    void logThatRanOutOfRoomLosesNothingAndGoesOnWhenThereIsRoom() throws Exception {
        Recording recording = new Recording();
        List<String> applied = new ArrayList<>();
        try (RatisLog log = RatisLogTest.ratis(settings(0), recording)) {
            log.start(recording);
            recording.awaitLeading();
            for (int round = 0; round < 4; round++) {
                Path filler = disk.fill(0);
                outcomeOfAppends(log, recording, Outcome.Unknown.class);
                Outcome refused = outcomeOfAppends(log, recording, Outcome.NotAppended.class);
                assertInstanceOf(Refusal.Exhausted.class, ((Outcome.NotAppended) refused).refusal());
                assertTrue(log.status().alive());
                Files.delete(filler);
                outcomeOfAppends(log, recording, Outcome.Applied.class);
            }
            assertEquals(List.of(), recording.faults());
            applied.addAll(recording.texts());
        }
        assertEquals(applied.stream().distinct().toList(), applied, "an entry applied twice");
        Recording again = new Recording();
        try (RatisLog log = RatisLogTest.ratis(settings(0), again)) {
            log.start(again);
            again.awaitLeading();
            assertEquals(applied, again.texts());
        }
    }

    private int appends;

    /** Appends, one after the other, until one comes to what is wanted. */
    private Outcome outcomeOfAppends(RatisLog log, Recording recording, Class<?> wanted) {
        long deadline = System.nanoTime() + 30_000_000_000L;
        while (System.nanoTime() < deadline) {
            int told = recording.outcomes().size();
            ReplicatedLogContract.append(log, recording, appends++ + TEXT);
            recording.awaitOutcomes(told + 1);
            Outcome last = recording.outcomes().get(told);
            if (wanted.isInstance(last)) {
                return last;
            }
        }
        throw new AssertionError("no " + wanted.getSimpleName() + " within 30 s");
    }
}
