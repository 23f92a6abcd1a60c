package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class MeterTest {
    private final Meter meter = new Meter(new Meter.Limits(1000, 10_000, 2));

    @Test
    void counting_asMuchAsIsAllowed_isTaken_andOneMoreIsRefused() throws Refused {
        meter.step(1000);
        Refused refused = assertThrows(Refused.class, () -> meter.step(1));
        assertEquals(
                "it needs more than 1,000 steps: 1,000 are used, and this needs 1; make it smaller, or split it",
                refused.refusal().message());
    }

    @Test
    void counting_numbersThatWouldOverflow_areRefused() throws Refused {
        meter.step(1);
        assertThrows(Refused.class, () -> meter.step(Long.MAX_VALUE));
        assertThrows(Refused.class, () -> meter.make(Long.MAX_VALUE));
        assertThrows(Refused.class, () -> meter.makeElements(Long.MAX_VALUE));
    }

    @Test
    void making_moreThanIsAllowedInSum_isRefused() throws Refused {
        meter.make(9_999);
        meter.make(1);
        assertThrows(Refused.class, () -> meter.make(1));
    }

    @Test
    void entering_deeperThanAllowed_isRefused_andLeavingGivesTheLevelBack() throws Refused {
        meter.enter();
        meter.enter();
        assertThrows(Refused.class, meter::enter);
        meter.leave();
        meter.enter();
    }
}
