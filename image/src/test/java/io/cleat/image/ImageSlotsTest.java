package io.cleat.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.SystemTime;
import io.cleat.driver.Starting;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** So many tasks get images at once, and no more. */
final class ImageSlotsTest {
    private final List<String> told = new ArrayList<>();
    private final Starting unwanted = new Starting() {
        @Override
        public void told(String words) {
            told.add(words);
        }

        @Override
        public boolean isWanted() {
            return told.isEmpty();
        }
    };

    @Test
    void whoFindsNoPlace_isTold_andGivesUpWhenItIsNotWantedAnyMore() throws Exception {
        ImageSlots slots = new ImageSlots(new SystemTime());
        for (int i = 0; i < ImageSlots.PLACES; i++) {
            assertTrue(slots.enter(Starting.ALONE));
        }
        assertFalse(slots.enter(unwanted));
        assertEquals(List.of("Waiting for the images of 8 other tasks of this node"), told);
        slots.leave();
        assertTrue(slots.enter(Starting.ALONE));
    }
}
