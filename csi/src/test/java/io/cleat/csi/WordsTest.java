package io.cleat.csi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordsTest {
    @Test
    void longWordsAreNeverCutInsideACharacter() {
        for (int shift = 0; shift < 2; shift++) {
            String words = "x".repeat(shift) + "\ud83d\ude00".repeat(3000);
            String shown = Words.cleaned(words, List.of());
            assertTrue(StandardCharsets.UTF_8.newEncoder().canEncode(shown), "shift " + shift);
            assertTrue(shown.length() < 2100, "length " + shown.length());
        }
    }
}
