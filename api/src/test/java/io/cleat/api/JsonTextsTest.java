package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.cleat.base.InputLimits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/** What is told of a document without reading it. */
final class JsonTextsTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            {"a":[1,2],"b":"plain ~"}   | 2 | true
            {"a":[1,2],"b":"plain ~"}   | 1 | false
            {"a":"\\u0000"}           | 9 | false
            {"a":"\\n"}               | 9 | false
            {"a":"ü"}                   | 9 | false
            """)
    void plainDocumentsNeedNoLook(String json, int most, boolean sure) {
        assertEquals(sure, JsonTexts.areSurelyRight(json.getBytes(StandardCharsets.UTF_8), most));
    }

    @Test
    void lineEndsAndTabsAreWhiteSpace_andOtherControlCharactersAreNot() {
        assertEquals(true, JsonTexts.areSurelyRight("{\r\n\t\"a\": 1}".getBytes(StandardCharsets.UTF_8), 1));
        for (char c : new char[] {0, 1, '\b', 0x1b, 0x7f}) {
            assertFalse(JsonTexts.areSurelyRight(("\"" + c + "\"").getBytes(StandardCharsets.UTF_8), 1), "" + (int) c);
        }
        assertFalse(JsonTexts.areSurelyRight(new byte[InputLimits.TEXT_CHARS + 1], 1));
    }

    /** Of what is sure nothing would have been refused for its texts or its parts. */
    @Test
    void whatIsSureIsRight() {
        Random random = new Random(11);
        List<String> pieces =
                List.of("{", "}", "[", "]", "\"a\"", ":", ",", "1", "\"\\u0000\"", "\u0000", " ", "ü", "\"x\"");
        int sure = 0;
        for (int i = 0; i < 200_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(12); n >= 0; n--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            byte[] json = text.toString().getBytes(StandardCharsets.UTF_8);
            int most = random.nextInt(4);
            if (JsonTexts.areSurelyRight(json, most)) {
                sure++;
                assertDoesNotThrow(() -> check(json, most), text::toString);
            }
        }
        assertFalse(sure < 1_000, "only " + sure + " were sure");
    }

    private static void check(byte[] json, int most) throws Exception {
        try (JsonParser tokens = MAPPER.createParser(json)) {
            JsonTexts.check(tokens, most);
        } catch (JacksonException noJson) {
            // It is refused when it is read.
        }
    }
}
