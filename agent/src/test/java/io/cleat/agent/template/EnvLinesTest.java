package io.cleat.agent.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvLinesTest {
    @Test
    void eachLineIsOneVariable() throws Refused {
        assertEquals(
                Map.of(
                        "A", "1",
                        "B", "two words",
                        "C", "#no comment",
                        "D", "a\nb\"\u00e9",
                        "E", "",
                        "F", "a=b",
                        "G", "\\n",
                        "H", "x",
                        "I", "a#b"),
                EnvLines.parse("""
                        # a comment
                        A=1

                          export B = two words # said
                        C='#no comment'
                        D="a\\nb\\"\\u00e9"   # more
                        E=
                        F=a=b
                        G='\\n'
                        H="x"
                        I=a#b
                        """));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "A=1;secret | line 2 of what it gives is not NAME=value",
                "A=1;;1A=secret | line 3",
                "A=\"secret | line 1 of what it gives has a quote that does not end",
                "A='secret' x | line 1 of what it gives has a quote",
                "A=\"\\u00secret\" | \\u without four digits",
            })
    void whatIsNoneIsRefusedWithoutItsValue(String text, String why) {
        Refused refused = assertThrows(Refused.class, () -> EnvLines.parse(text.replace(';', '\n')));
        String message = refused.refusal().message();
        assertTrue(message.contains(why), message);
        assertFalse(message.contains("secret"), message);
    }
}
