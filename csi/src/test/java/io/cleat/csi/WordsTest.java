package io.cleat.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What plugins say is shown to people and stored: it is text, short, and does nothing. */
final class WordsTest {
    /** Half of a character that was cut in two could be stored by nobody. */
    @Test
    void longWordsAreCutBetweenCharacters() {
        for (String words : List.of("\ud83d\ude00".repeat(3_000), "x" + "\ud83d\ude00".repeat(3_000))) {
            String cleaned = Words.cleaned(words, List.of());
            assertTrue(cleaned.length() < 2_100, cleaned);
            assertTrue(StandardCharsets.UTF_8.newEncoder().canEncode(cleaned), cleaned);
        }
    }

    @Test
    void marksThatTurnOrHideTextAreShown() {
        assertEquals("a [2J b\\u202ec\\u200b\nd", Words.cleaned("a\u001b[2J\0b\u202ec\u200b\nd", List.of()));
        assertEquals("\"x\\u2066\"", Words.quoted("x\u2066"));
    }
}
