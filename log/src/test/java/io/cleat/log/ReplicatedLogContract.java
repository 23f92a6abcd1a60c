package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Trouble;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every {@link ReplicatedLog} does when nothing goes wrong outside it. */
abstract class ReplicatedLogContract {
    private final List<ReplicatedLog> opened = new ArrayList<>();

    /** A log, not started, over the same storage as the others of this test; faults go to it. */
    abstract ReplicatedLog make(Recording recording);

    @AfterEach
    void closeAll() {
        opened.forEach(ReplicatedLog::close);
    }

    private ReplicatedLog open(Recording recording) throws Trouble {
        ReplicatedLog log = make(recording);
        opened.add(log);
        log.start(recording);
        recording.awaitLeading();
        return log;
    }

    static void append(ReplicatedLog log, Recording recording, String text) {
        log.append(text.getBytes(StandardCharsets.UTF_8), recording::told);
    }

    static List<String> numbered(int from, int to) {
        List<String> texts = new ArrayList<>();
        for (int i = from; i < to; i++) {
            texts.add("entry " + i);
        }
        return texts;
    }

    @Test
    void appliesEntriesInTheOrderOfTheAppends() throws Trouble {
        Recording recording = new Recording();
        ReplicatedLog log = open(recording);
        numbered(0, 200).forEach(text -> append(log, recording, text));
        recording.awaitOutcomes(200);
        assertEquals(numbered(0, 200), recording.texts());
        List<Long> told = new ArrayList<>();
        for (Outcome outcome : recording.outcomes()) {
            told.add(assertInstanceOf(Outcome.Applied.class, outcome).index());
        }
        assertEquals(recording.indexes(), told);
        assertEquals(told.stream().sorted().distinct().toList(), told);
        LogStatus status = log.status();
        assertTrue(status.alive() && status.leading());
        assertEquals(told.get(199), status.lastApplied());
    }

    @Test
    void keepsEntriesOverARestart() throws Trouble {
        Recording first = new Recording();
        ReplicatedLog log = open(first);
        numbered(0, 10).forEach(text -> append(log, first, text));
        first.awaitOutcomes(10);
        log.close();
        Recording second = new Recording();
        ReplicatedLog again = open(second);
        assertEquals(numbered(0, 10), second.texts(), "applied before leadership is told");
        append(again, second, "entry 10");
        second.awaitOutcomes(1);
        assertEquals(numbered(0, 11), second.texts());
    }

    @Test
    void startsFromASnapshotAndTheEntriesAfterIt() throws Trouble {
        Recording first = new Recording();
        ReplicatedLog log = open(first);
        numbered(0, 20).forEach(text -> append(log, first, text));
        first.awaitOutcomes(20);
        log.takeSnapshot();
        awaitSnapshot(log);
        numbered(20, 25).forEach(text -> append(log, first, text));
        first.awaitOutcomes(25);
        log.close();
        Recording second = new Recording();
        open(second);
        assertEquals(numbered(0, 25), second.texts());
        assertEquals(5, second.applyCalls());
    }

    private static void awaitSnapshot(ReplicatedLog log) {
        long deadline = System.nanoTime() + 20_000_000_000L;
        while (log.status().snapshotIndex() < 0) {
            assertTrue(System.nanoTime() < deadline, "no snapshot");
            Thread.onSpinWait();
        }
    }

    @Test
    void barrierComesAfterWhatWasAppliedBefore() throws Trouble {
        Recording recording = new Recording();
        ReplicatedLog log = open(recording);
        numbered(0, 50).forEach(text -> append(log, recording, text));
        recording.awaitOutcomes(50);
        log.barrier(recording::told);
        recording.awaitOutcomes(51);
        assertInstanceOf(Outcome.Applied.class, recording.outcomes().get(50));
        assertEquals(50, recording.texts().size());
    }

    @Test
    void takesAnEntryOfTheLargestSize() throws Trouble {
        Recording recording = new Recording();
        ReplicatedLog log = open(recording);
        String large = "x".repeat(LogSettings.ENTRY_BYTES);
        append(log, recording, large);
        append(log, recording, large);
        recording.awaitOutcomes(2);
        assertEquals(List.of(large, large), recording.texts());
    }

    @Test
    void stopsAtAnEntryThatCannotBeRead() throws Trouble {
        Recording recording = new Recording();
        ReplicatedLog log = open(recording);
        append(log, recording, "before");
        append(log, recording, Recording.UNREADABLE);
        append(log, recording, "after");
        recording.awaitFault();
        assertFalse(log.status().alive());
        log.close();
        recording.awaitOutcomes(3);
        assertEquals(List.of("before"), recording.texts());
        assertFalse(recording.faults().get(0).isEmpty());
        assertFalse(recording.outcomes().get(2) instanceof Outcome.Applied);
    }

    @Test
    void closedLogRefusesAndTellsThatItFollows() throws Trouble {
        Recording recording = new Recording();
        ReplicatedLog log = open(recording);
        log.close();
        log.close();
        recording.await("following", () -> !log.status().leading());
        append(log, recording, "late");
        log.barrier(recording::told);
        recording.awaitOutcomes(2);
        recording.outcomes().forEach(outcome -> assertInstanceOf(Outcome.NotAppended.class, outcome));
        assertFalse(log.status().alive());
    }
}
