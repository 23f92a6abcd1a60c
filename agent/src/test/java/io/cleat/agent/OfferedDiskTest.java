package io.cleat.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.FileSystems;
import org.junit.jupiter.api.Test;

final class OfferedDiskTest {
    private int told;
    private long free;
    private boolean isUnknown;
    private final OfferedDisk offered = new OfferedDisk(
            5,
            () -> {
                if (isUnknown) {
                    throw new KernelTrouble("statvfs", Effect.NONE, Retry.SAME_CALL);
                }
                return new FileSystems.Usage(1L << 40, free << 20, 0, 0, 0);
            },
            () -> told++);

    private long after(long free) {
        this.free = free;
        offered.look();
        return offered.getAsLong();
    }

    /** A node whose agent began on a full disk took no work until the agent's next start. */
    @Test
    void begunOnAFullDisk_itOffersWhatSomebodyClearsAway() {
        assertEquals(5, offered.getAsLong());
        assertEquals(5, after(60));
        assertEquals(0, told);
        assertEquals(400, after(400));
        assertEquals(1, told);
    }

    @Test
    void whatIsWritten_makesItNoLess() {
        after(10_000);
        assertEquals(10_000, after(2_000));
        assertEquals(10_000, after(10_900));
        assertEquals(11_000, after(11_000));
        assertEquals(2, told);
    }

    @Test
    void aDiskThatCannotBeSeen_isOfferedAsBefore() {
        after(10_000);
        isUnknown = true;
        assertEquals(10_000, after(20_000));
    }
}
