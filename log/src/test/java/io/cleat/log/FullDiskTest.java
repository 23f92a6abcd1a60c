package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refusal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system that fills up under the log, and empties again. */
final class FullDiskTest {
    private static final String TEXT = "z".repeat(200_000);

    @TempDir Path mountPoint;
    private boolean isMounted;

    @BeforeEach
    void mount() throws Exception {
        int code = run("mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", mountPoint.toString());
        Assumptions.assumeTrue(code == 0, "reason: mounting a tmpfs needs root");
        isMounted = true;
    }

    @AfterEach
    void unmount() throws Exception {
        if (isMounted) {
            List<String> open = openFiles();
            // Lazily, so that a failing test leaves no mount behind.
            assertEquals(0, run("umount", "-l", mountPoint.toString()));
            assertEquals(List.of(), open, "a closed log holds no file open");
        }
    }

    private List<String> openFiles() throws IOException {
        List<String> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors.filter(Files::isSymbolicLink).toList()) {
                String target = Files.readSymbolicLink(descriptor).toString();
                // The library leaves a segment that it could not begin to the collector.
                if (target.startsWith(mountPoint.toString()) && !target.endsWith("(deleted)")) {
                    open.add(target);
                }
            }
        }
        return open;
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private LogSettings settings(long reserve) {
        return new LogSettings(
                mountPoint.resolve("log"), Optional.empty(), 1 << 20, 100, 4 << 20, reserve);
    }

    private Path fill(long leave) throws IOException {
        Path filler = mountPoint.resolve("filler");
        byte[] block = new byte[4096];
        try (OutputStream out = Files.newOutputStream(filler)) {
            while (Files.getFileStore(mountPoint).getUsableSpace() > leave) {
                out.write(block);
            }
        } catch (IOException full) {
            assertTrue(leave == 0, full.toString());
        }
        return filler;
    }

    @Test
    void entriesAreRefusedBelowTheReserveAndTakenAgainAboveIt() throws Exception {
        Recording recording = new Recording();
        try (RatisLog log = RatisLogTest.ratis(settings(8 << 20), recording)) {
            log.start(recording);
            recording.awaitLeading();
            ReplicatedLogContract.append(log, recording, "before");
            recording.awaitOutcomes(1);
            Path filler = fill(6 << 20);
            // A look at the disk is trusted for 50 ms.
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
                Path filler = fill(0);
                outcomeOfAppends(log, recording, Outcome.Unknown.class);
                Outcome refused = outcomeOfAppends(log, recording, Outcome.NotAppended.class);
                assertInstanceOf(
                        Refusal.Exhausted.class, ((Outcome.NotAppended) refused).refusal());
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
