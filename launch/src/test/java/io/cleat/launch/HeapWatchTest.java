package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.testkit.FakeTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeapWatchTest {
    private static final long MB = 1 << 20;

    private final FakeHeap heap = new FakeHeap();
    private final FakeTime time = new FakeTime();
    private final HeapWatch watch = new HeapWatch(heap, time);

    /** Of 1,000 MB. */
    private static final class FakeHeap implements Heap {
        private long used = 50 * MB;
        private long committed = 60 * MB;
        private double lasting;
        private long collections;
        private long committedAfter = 60 * MB;
        private double lastingAfter;
        private int asked;

        @Override
        public long used() {
            return used;
        }

        @Override
        public long committed() {
            return committed;
        }

        @Override
        public long max() {
            return 1000 * MB;
        }

        @Override
        public double lasting() {
            return lasting;
        }

        @Override
        public long collections() {
            return collections;
        }

        @Override
        public void collect() {
            asked++;
            collections++;
            committed = committedAfter;
            lasting = lastingAfter;
        }
    }

    private void seconds(int count) {
        for (int i = 0; i < count; i++) {
            time.sleep(HeapWatch.LOOK_EVERY);
            watch.look();
        }
    }

    @Test
    void aHeapIsFullByWhatIsLeftAfterACollectionAndNotByGarbage() {
        heap.used = 990 * MB;
        seconds(1);
        assertFalse(watch.getAsBoolean());
        heap.lasting = 0.86;
        seconds(1);
        assertTrue(watch.getAsBoolean());
        heap.lasting = 0.84;
        seconds(1);
        assertFalse(watch.getAsBoolean());
    }

    /** While little happens nobody collects, and the figure would be that of the full heap for ever. */
    @Test
    void aFullHeapIsLookedAtAgainThoughNothingCollectsIt() {
        heap.used = 900 * MB;
        heap.lasting = 0.9;
        heap.lastingAfter = 0.9;
        seconds(31);
        assertEquals(1, heap.asked);
        assertTrue(watch.getAsBoolean());
        heap.lastingAfter = 0.3;
        seconds(31);
        assertEquals(2, heap.asked);
        assertFalse(watch.getAsBoolean());
    }

    @Test
    void whatALoadLeftIsGivenBackWithinTwoMinutesOfQuiet() {
        heap.committed = 800 * MB;
        List<Integer> asked = new ArrayList<>();
        for (int minute = 0; minute < 3; minute++) {
            heap.collections += 100;
            seconds(60);
            asked.add(heap.asked);
        }
        assertEquals(List.of(0, 0, 0), asked, "while there is load nobody adds to it");
        seconds(121);
        assertEquals(1, heap.asked);
        assertEquals(60 * MB, heap.committed);
    }

    @Test
    void whatCannotBeGivenBackIsNotAskedForAgainAndAgain() {
        heap.committed = 800 * MB;
        heap.committedAfter = 700 * MB;
        seconds(3600);
        assertEquals(1, heap.asked);
        heap.committed = 900 * MB;
        seconds(3600);
        assertEquals(2, heap.asked);
    }

    /** A large image was loaded, and its rows were deleted later: the heap stayed as large as it had been. */
    @Test
    void whatWasDeletedLater_isGivenBackOnceAnHourHasPassed() {
        heap.committed = 800 * MB;
        heap.committedAfter = 700 * MB;
        seconds(121);
        assertEquals(1, heap.asked);
        heap.collections += 50;
        heap.committedAfter = 100 * MB;
        seconds(3600 + 121);
        assertEquals(2, heap.asked);
        assertEquals(100 * MB, heap.committed);
        seconds(3 * 3600);
        assertEquals(2, heap.asked, "nothing was done since");
    }

    @Test
    void aSmallHeapIsLeftAlone() {
        seconds(3600);
        assertEquals(0, heap.asked);
    }
}
