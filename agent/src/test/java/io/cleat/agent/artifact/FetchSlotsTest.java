package io.cleat.agent.artifact;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class FetchSlotsTest {
    private final FetchSlots slots = new FetchSlots();

    @Test
    void anAllocationHasAFewPlaces_andLeavesTheOthersToTheOthers() {
        for (int i = 0; i < FetchSlots.OF_ONE; i++) {
            assertTrue(slots.enter("large"));
        }
        assertFalse(slots.enter("large"));
        assertTrue(slots.enter("other"));
        slots.leave("large");
        assertTrue(slots.enter("large"));
        assertFalse(slots.enter("large"));
    }

    @Test
    void aNodeHasSoManyPlaces_whoeverAsks() {
        for (int i = 0; i < FetchSlots.PLACES; i++) {
            assertTrue(slots.enter("alloc-" + i));
        }
        assertFalse(slots.enter("one more"));
        slots.leave("alloc-0");
        assertTrue(slots.enter("one more"));
    }
}
