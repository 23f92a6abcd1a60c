package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportedCausesTest {
    private final ReportedCauses told = new ReportedCauses();

    @Test
    void eachCauseIsToldOnce_alsoWhenAnotherCameBetween() {
        assertTrue(told.isNew("it hangs"));
        assertFalse(told.isNew("it hangs"));
        assertTrue(told.isNew("it is gone"));
        assertFalse(told.isNew("it hangs"));
    }

    @Test
    void wordsThatAreDifferentEachTime_areNotToldForEver() {
        long count =
                IntStream.range(0, 1000).filter(i -> told.isNew("try " + i)).count();
        assertEquals(ReportedCauses.MOST, count);
    }
}
