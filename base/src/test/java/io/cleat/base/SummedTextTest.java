package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SummedTextTest {
    private static final String TEXT = SummedText.with("cleat 1\nname \u00e9\n");

    @Test
    void theChecksumIsTheLastLine() {
        // RFC 3720, appendix B.4: 32 bytes of zeros, the checksum as a number.
        assertEquals("\0".repeat(32) + "sum 8a9136aa\n", SummedText.with("\0".repeat(32)));
        assertTrue(SummedText.isWhole(TEXT));
    }

    @Test
    void noChangeOfOneCharacterIsPassedOver() {
        for (int at = 0; at < TEXT.length(); at++) {
            for (char other : new char[] {'\0', 'a', '\n', (char) (TEXT.charAt(at) ^ 1)}) {
                String changed = TEXT.substring(0, at) + other + TEXT.substring(at + 1);
                assertEquals(changed.equals(TEXT), SummedText.isWhole(changed), changed);
            }
        }
    }

    @Test
    void noCutIsPassedOver() {
        for (int length = 0; length < TEXT.length(); length++) {
            assertFalse(SummedText.isWhole(TEXT.substring(0, length)));
            assertFalse(SummedText.isWhole(TEXT.substring(TEXT.length() - length)));
        }
        assertFalse(SummedText.isWhole(TEXT + "\n"));
    }
}
