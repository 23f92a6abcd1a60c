package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.kernel.TreeSize;
import io.cleat.model.EphemeralDisk;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DiskPaceTest {
    private static final EphemeralDisk DISK = new EphemeralDisk(1_000, false, false);
    private static final Duration QUICK = Duration.ofMillis(1);

    private final DiskPace pace = new DiskPace(DISK);

    private static TreeSize mebi(long size) {
        return new TreeSize(size << 20, 10, true);
    }

    private Duration rest(TreeSize size, int times) {
        Duration last = Duration.ZERO;
        for (int i = 0; i < times; i++) {
            last = pace.after(size, QUICK);
        }
        return last;
    }

    @Test
    void whatRestsIsMeasuredSeldom() {
        assertEquals(DiskPace.SELDOM, rest(mebi(10), 10));
    }

    @Test
    void whatGrowsIsMeasuredSoonAfterItRested() {
        rest(mebi(10), 10);
        assertEquals(DiskPace.SOON, pace.after(mebi(200), QUICK));
    }

    @Test
    void littleGrowthIsNone() {
        rest(mebi(10), 10);
        assertEquals(DiskPace.SELDOM, pace.after(mebi(11), QUICK));
    }

    @Test
    void filesGrowToo() {
        rest(mebi(10), 10);
        assertEquals(DiskPace.SOON, pace.after(new TreeSize(10L << 20, 100_000, true), QUICK));
    }

    @Test
    void whatIsNearlyFullIsMeasuredOften() {
        assertEquals(DiskPace.OFTEN, rest(mebi(900), 10));
    }

    @Test
    void measuringTakesAHundredthOfACoreAtMost_orATenthOfWhatGrows() {
        rest(mebi(10), 10);
        Duration took = Duration.ofSeconds(4);
        assertTrue(pace.after(mebi(10), took).compareTo(took.multipliedBy(99)) >= 0);
        assertTrue(pace.after(mebi(990), took).compareTo(took.multipliedBy(9)) >= 0);
    }

    @Test
    void sizesBeyondAllNumbers() {
        EphemeralDisk all = new EphemeralDisk(Long.MAX_VALUE, false, false);
        assertEquals(Long.MAX_VALUE, all.bytes());
        assertEquals(Long.MAX_VALUE / 4096, all.files());
        assertEquals(0, new EphemeralDisk(-1, false, false).bytes());
        assertEquals(100_000, new EphemeralDisk(10, false, false).files());
        assertEquals(256_000, DISK.files());
        TreeSize most = new TreeSize(Long.MAX_VALUE, Long.MAX_VALUE, false);
        assertEquals(DiskPace.SOON, new DiskPace(all).after(most, QUICK));
    }
}
