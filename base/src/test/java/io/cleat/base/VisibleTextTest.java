package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What others wrote is shown, and does nothing to who looks at it. */
final class VisibleTextTest {
    @Test
    void whatCanBeSeenStays() {
        String plain = "größe \u65e5\u672c \ud83d\ude00 100 % [a] \\ \"";
        assertEquals(plain, VisibleText.line(plain));
        assertEquals(plain, VisibleText.cut(plain, 1000));
        assertEquals("a\tb\nc", VisibleText.lines("a\tb\nc"));
    }

    @Test
    void whatActsOnATerminalIsWrittenAsItsEscape() {
        assertEquals("\\u001b[2J\\u0000\\u007f\\u009b", VisibleText.line("\u001b[2J\0\u007f\u009b"));
        assertEquals("a\\u000ab\\u0009\\u000d", VisibleText.line("a\nb\t\r"));
        assertEquals("a\nb\\u000d\n", VisibleText.lines("a\nb\r\n"));
    }

    @Test
    void whatHidesOrTurnsTextIsWrittenAsItsEscape() {
        assertEquals(
                "\\u202e\\u2066\\u200b\\u2028\\u2029\\ufeff", VisibleText.line("\u202e\u2066\u200b\u2028\u2029\ufeff"));
        assertEquals("\\udb40\\udc41", VisibleText.line("\udb40\udc41"));
        assertEquals("\\ud800x\\udc00", VisibleText.line("\ud800x\udc00"));
    }

    @Test
    void longTextsAreCutBetweenCharacters() {
        assertEquals("ab ... (4 characters)", VisibleText.cut("abcd", 2));
        assertEquals("a ... (4 characters)", VisibleText.cut("a\ud83d\ude00b", 2));
        assertEquals(" ... (1 characters)", VisibleText.cut("x", 0));
    }

    @Test
    void whateverComesIsAllVisibleAfterwards() {
        Random random = new Random(9);
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(20); length > 0; length--) {
                text.append((char) random.nextInt(0x10000));
            }
            String shown = VisibleText.cut(text.toString(), 10);
            assertTrue(shown.codePoints().allMatch(VisibleText::isVisible), shown);
        }
    }
}
