package io.cleat.agent.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.testkit.DoomedThreads;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error in each vital thread around mounted volumes ends the process. */
final class VitalThreadsTest {
    @ParameterizedTest
    @ValueSource(strings = {"journal/write", "volumes/sweep", "volumes/watch"})
    void itsErrorEndsTheProcess(String name) throws Exception {
        DoomedThreads threads = new DoomedThreads(name);
        Ground ground = Ground.make();
        try {
            Thread sweeping = ground.sweeper.start(threads, List::of);
            Thread watching = ground.watch.start(threads, Ground.NOBODY);
            Journal journal = Journal.open(ground.directory.resolve("other.journal"), threads, ground.time);
            Thread keeping = Thread.ofVirtual().start(() -> {
                try {
                    journal.keep(JournalTest.record("v"));
                } catch (io.cleat.base.DiskTrouble trouble) {
                    throw new AssertionError(trouble);
                }
            });
            assertEquals(Optional.of(name), threads.end());
            sweeping.interrupt();
            watching.interrupt();
            sweeping.join();
            watching.join();
            if (!name.equals("journal/write")) {
                keeping.join();
            }
            journal.close();
        } finally {
            ground.close();
        }
    }

    @Test
    void theseAreAll() {
        assertEquals(
                Set.of("journal/write", "volumes/sweep", "volumes/watch"),
                DoomedThreads.listed("io.cleat.agent.volumes"));
    }
}
