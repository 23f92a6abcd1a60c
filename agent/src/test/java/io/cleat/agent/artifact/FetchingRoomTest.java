package io.cleat.agent.artifact;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class FetchingRoomTest {
    private final FetchingRoom room = new FetchingRoom();

    @Test
    void anAllocationHasAFewPlaces_andLeavesTheOthersToTheOthers() {
        for (int i = 0; i < FetchingRoom.OF_ONE; i++) {
            assertTrue(room.enter("large"));
        }
        assertFalse(room.enter("large"));
        assertTrue(room.enter("other"));
        room.leave("large");
        assertTrue(room.enter("large"));
        assertFalse(room.enter("large"));
    }

    @Test
    void aNodeHasSoManyPlaces_whoeverAsks() {
        for (int i = 0; i < FetchingRoom.PLACES; i++) {
            assertTrue(room.enter("alloc-" + i));
        }
        assertFalse(room.enter("one more"));
        room.leave("alloc-0");
        assertTrue(room.enter("one more"));
    }
}
