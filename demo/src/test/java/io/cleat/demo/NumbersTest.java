package io.cleat.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void aNumberIsTheLastWordOfALine() throws Exception {
        assertEquals(
                List.of(1L, 2L, 30L),
                Numbers.in("t", "1\ncounted 2\nwent on to 30\n").all());
    }

    @Test
    void aLineThatIsNotEndedIsNotRead() throws Exception {
        assertEquals(List.of(1L), Numbers.in("t", "counted 1\ncounted 2").all());
    }

    @Test
    void aLineWithoutANumberFails() {
        CheckFailed failed = assertThrows(CheckFailed.class, () -> Numbers.in("t", "1\nno!\n"));
        assertEquals("\"no!\"", failed.seen());
    }

    @Test
    void unbrokenNumbersPass() throws Exception {
        new Numbers(List.of(4L, 5L, 6L)).unbroken("t", 4, 6);
    }

    @Test
    void aGapIsSaidWithItsPlace() {
        CheckFailed failed =
                assertThrows(CheckFailed.class, () -> new Numbers(List.of(1L, 2L, 4L)).unbroken("t", 1, 4));
        assertEquals("4 where 3 belongs", failed.seen());
    }

    @Test
    void aNumberTwiceFails() {
        assertThrows(CheckFailed.class, () -> new Numbers(List.of(1L, 2L, 2L)).unbroken("t", 1, 2));
    }

    @Test
    void tooFewNumbersFail() {
        CheckFailed failed = assertThrows(CheckFailed.class, () -> new Numbers(List.of(1L, 2L)).unbroken("t", 1, 9));
        assertTrue(failed.seen().contains("the last is 2"), failed.seen());
    }

    @Test
    void noNumbersAreNoSuccess() {
        assertThrows(CheckFailed.class, () -> new Numbers(List.of()).unbroken("t", 1, 1));
    }
}
