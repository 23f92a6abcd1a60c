package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Watched;
import io.cleat.testkit.FakeTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is stuck is said, and ends the process; what rightly waits does not. */
final class WatchdogTest {
    private final List<String> ends = new ArrayList<>();
    private final FakeTime clock = new FakeTime();
    private Optional<Object> head = Optional.empty();
    private final Watchdog watchdog =
            new Watchdog(List.of(() -> head.map(work -> new Watched.Head(work, "3 decisions wait"))), clock, ends::add);

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            clock.sleep(Duration.ofSeconds(1));
            watchdog.look();
        }
    }

    @Test
    void whatIsStuckForTenSecondsIsSaidAndAMinuteLaterEndsTheProcessOnce() {
        head = Optional.of("decision 7");
        seconds(10);
        assertEquals(Optional.empty(), watchdog.stuck());
        assertEquals(0, watchdog.stuckSeconds());
        seconds(1);
        assertEquals(Optional.of("3 decisions wait for 10 s"), watchdog.stuck());
        assertEquals(10, watchdog.stuckSeconds());
        seconds(59);
        assertEquals(List.of(), ends);
        seconds(10);
        assertEquals(List.of("3 decisions wait for 70 s"), ends);
    }

    @Test
    void whatGoesOnIsNotStuckHoweverLongItTakes() {
        for (int i = 0; i < 100; i++) {
            head = Optional.of(new Object());
            seconds(9);
        }
        assertEquals(Optional.empty(), watchdog.stuck());
        assertEquals(List.of(), ends);
    }

    @Test
    void whatMayWaitIsNotStuckAndBeginsAnewAfterwards() {
        head = Optional.of("decision 7");
        seconds(60);
        head = Optional.empty();
        seconds(1);
        assertEquals(Optional.empty(), watchdog.stuck());
        head = Optional.of("decision 7");
        seconds(10);
        assertEquals(Optional.empty(), watchdog.stuck());
    }

    @Test
    void aMachineThatWasSuspendedIsNotStuck() {
        head = Optional.of("decision 7");
        seconds(5);
        clock.sleep(Duration.ofHours(8));
        watchdog.look();
        assertEquals(Optional.empty(), watchdog.stuck());
        assertEquals(List.of(), ends);
    }

    @Test
    void aDumpHoldsVirtualThreadsIsItsOwnersAndThreeAreKept(@TempDir Path directory) throws Exception {
        Path dumps = directory.resolve("dumps");
        CountDownLatch release = new CountDownLatch(1);
        Thread waiting = Thread.ofVirtual().name("commit/decider").start(() -> {
            try {
                release.await();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        Path last = directory;
        for (int i = 0; i < 5; i++) {
            last = ThreadDump.write(dumps, Instant.EPOCH.plusSeconds(i));
        }
        release.countDown();
        waiting.join();
        assertTrue(Files.readString(last).contains("commit/decider"), "the thread is in the dump");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(last)));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(dumps)));
        try (Stream<Path> files = Files.list(dumps)) {
            assertEquals(ThreadDump.KEPT, files.count());
        }
        assertTrue(Files.exists(last));
    }
}
