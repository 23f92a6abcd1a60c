package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EarlyEndTest {
    private final List<String> woken = new ArrayList<>();

    @Test
    void whoWaitsIsWoken_alsoOneThatComesLate_andNobodyWhoLeft() {
        EarlyEnd early = new EarlyEnd();
        Runnable left = () -> woken.add("left");
        early.wakes(() -> woken.add("first"));
        early.wakes(left);
        early.forget(left);
        assertFalse(early.isEnded());
        early.end();
        early.wakes(() -> woken.add("late"));
        assertTrue(early.isEnded());
        assertEquals(List.of("first", "late"), woken);
    }

    @Test
    void whatIsNeverEndedKeepsNobody() {
        EarlyEnd.NEVER.wakes(() -> woken.add("first"));
        assertThrows(IllegalStateException.class, EarlyEnd.NEVER::end);
        assertEquals(List.of(), woken);
    }
}
