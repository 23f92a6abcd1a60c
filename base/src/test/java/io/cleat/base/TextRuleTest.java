package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextRuleTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "a\nb\tc\r\n", "\u001b[1m", "\ud83d\ude00", "\u202e"})
    void aFreeText_ofValidUnicode_isAllowed(String text) {
        assertEquals(Optional.empty(), TextRule.fault(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "a\udc00", "\ud800\ud800\udc00", "\udc00\ud800", "a\0"})
    void aText_withHalfASurrogatePairOrNul_isAFault(String text) {
        assertTrue(TextRule.fault(text).isPresent());
        assertTrue(TextRule.lineFault(text).isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "\t", "\u001b", "\u007f", "\u0085", "\u2028", "\u202e", "\u2066"})
    void aLine_withAControlCharacter_isAFault(String text) {
        assertTrue(TextRule.lineFault(text).orElseThrow().startsWith("holds the control character"));
    }

    @Test
    void aText_ofTheLongestLength_isAllowedAndOneMoreIsNot() {
        String longest = "x".repeat(InputLimits.TEXT_CHARS);
        assertEquals(Optional.empty(), TextRule.fault(longest));
        assertEquals(
                "has 1048577 characters; at most 1048576 are allowed",
                TextRule.fault(longest + "x").orElseThrow());
        String line = "x".repeat(InputLimits.LINE_CHARS);
        assertEquals(Optional.empty(), TextRule.lineFault(line));
        assertTrue(TextRule.lineFault(line + "x").isPresent());
    }

    @Test
    void whatIsQuoted_isVisibleAndShortAndBreaksNoRule() {
        assertEquals("\"plain \ud83d\ude00\"", TextRule.quoted("plain \ud83d\ude00"));
        assertEquals("\"a\\u001b[1m\\u000ab\"", TextRule.quoted("a\u001b[1m\nb"));
        assertEquals(Optional.empty(), TextRule.lineFault(TextRule.quoted("\0\ud800\udfff\udc00")));
        String cutInsideOfAPair = "x".repeat(63) + "\ud83d\ude00";
        assertEquals("\"" + "x".repeat(63) + " ... (65 characters)\"", TextRule.quoted(cutInsideOfAPair));
    }
}
