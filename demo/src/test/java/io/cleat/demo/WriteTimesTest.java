package io.cleat.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class WriteTimesTest {
    private static final String TEXT = "1000 1\n1100 2\n1900 3\n2000 4\n2050 5\n21";

    @Test
    void theLongestPauseIsBetweenTwoLines() throws Exception {
        WriteTimes times = WriteTimes.in("file", TEXT);
        assertEquals(5, times.count());
        assertEquals(800, times.longestPause(1));
        assertEquals(800, times.longestPause(2));
        assertEquals(100, times.longestPause(3));
        assertEquals(0, times.longestPause(5));
        assertEquals("3 to 5 without a gap, on the same mount; the longest pause was 0.10 s", times.told(3));
    }

    @Test
    void aNumberThatIsMissingFails() {
        assertThrows(CheckFailed.class, () -> WriteTimes.in("file", "1000 1\n1100 3\n"));
        assertThrows(CheckFailed.class, () -> WriteTimes.in("file", "x 1\n"));
        assertThrows(CheckFailed.class, () -> WriteTimes.in("file", ""));
    }
}
