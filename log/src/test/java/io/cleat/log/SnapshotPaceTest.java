package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.testkit.FakeTime;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** When a snapshot is due. */
class SnapshotPaceTest {
    private static final int ENTRY = 1000;

    private final FakeTime time = new FakeTime();
    private final LogSettings settings = LogSettings.in(Path.of("unused"));
    private final int some = (int) (settings.soonBytes() / (ENTRY + SnapshotPace.PER_ENTRY)) + 1;

    private SnapshotPace opened(int segments, long snapshot) {
        SnapshotPace pace = new SnapshotPace(settings, time);
        pace.opened(segments, snapshot);
        return pace;
    }

    /** How many entries of so many bytes it takes. */
    private static int until(SnapshotPace pace, int bytes) {
        int entries = 1;
        while (!pace.isDueAfter(bytes)) {
            entries++;
        }
        return entries;
    }

    /** Each restart left a file of the log, for as long as a server had little to do. */
    @Test
    void aServerThatIsOftenRestarted_writesOneThoughItHasLittleToDo() {
        assertFalse(opened(1, 0).isDueAfter(100));
        assertFalse(opened(60, 0).isDueAfter(100));
        SnapshotPace crowded = opened(64, 1 << 30);
        assertTrue(crowded.isDueAfter(100));
        crowded.begin();
        assertFalse(crowded.isDueAfter(100));
    }

    @Test
    void ofALogThatGrowsFast_itIsDueAfterSoManyEntriesOrBytes() {
        assertEquals(settings.snapshotEntries(), until(opened(1, 0), 10));
        assertEquals(settings.snapshotBytes() / 1000 + 1, until(opened(1, 0), 1000));
    }

    /** A start took seconds for what was logged since the last one. */
    @Test
    void onceTheLastOneIsAWhileAgo_itIsDueAfterWhatAStartWouldNotice() {
        SnapshotPace pace = opened(1, 0);
        time.advance(SnapshotPace.PAUSE);
        assertEquals(some, until(pace, ENTRY));
        pace.begin();
        for (int i = 0; i < 2 * some; i++) {
            assertFalse(pace.isDueAfter(ENTRY), "it was begun just now");
        }
        time.advance(SnapshotPace.PAUSE);
        assertTrue(pace.isDueAfter(ENTRY));
    }

    /** A snapshot of 653 MB was written for each 16 MiB. */
    @Test
    void itIsNeverDueBeforeAPartOfTheImageIsLogged() {
        long size = 653L << 20;
        SnapshotPace pace = opened(1, size);
        time.advance(SnapshotPace.PAUSE);
        long each = ENTRY + SnapshotPace.PER_ENTRY;
        assertEquals(size / SnapshotPace.PART / each + 1, until(pace, ENTRY));
        pace.begin();
        pace.written(100);
        time.advance(SnapshotPace.PAUSE);
        assertEquals(some, until(pace, ENTRY));
    }
}
