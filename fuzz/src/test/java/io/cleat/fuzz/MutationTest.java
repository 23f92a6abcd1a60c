package io.cleat.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Inputs are made anew from their seed, and are no larger than asked for. */
final class MutationTest {
    private static final byte[] SAMPLE = "{\"a\":[1,\"b\"],\"c\":{\"d\":null}}".getBytes(UTF_8);
    private static final int LARGEST = 4_000;

    @Test
    void theSameSeedMakesTheSame_andEachChangeIsMade() {
        Mutation one = new Mutation(new Random(4), List.of("word"), LARGEST);
        Mutation other = new Mutation(new Random(4), List.of("word"), LARGEST);
        Set<String> made = new HashSet<>();
        for (int i = 0; i < 5_000; i++) {
            byte[] input = one.of(SAMPLE, SAMPLE);
            assertArrayEquals(input, other.of(SAMPLE, SAMPLE));
            assertTrue(input.length <= LARGEST);
            made.add(new String(input, UTF_8));
        }
        assertTrue(made.size() > 1_500, "only " + made.size() + " differ");
        assertTrue(made.contains("{\"a\":[null,\"b\"],\"c\":{\"d\":null}}"));
        assertTrue(made.contains("{\"a\":[[null],\"b\"],\"c\":{\"d\":null}}"));
    }

    @Test
    void piecesAreWordsTextsAndWhatIsBetweenBrackets() {
        assertEquals(
                List.of("\"a\"", "1", "\"b\"", "[1,\"b\"]", "\"c\"", "\"d\"", "null", "{\"d\":null}"),
                Pieces.of(SAMPLE).stream()
                        .map(piece -> new String(SAMPLE, piece.from(), piece.size(), UTF_8))
                        .filter(text -> text.length() < SAMPLE.length)
                        .toList());
    }

    @Test
    void aPlaceOfADocumentGetsAnyText() {
        Object document = Map.of("a", List.of(Map.of("b", "c\u0000\ud800")));
        assertEquals("{\"a\":[{\"b\":\"c\\u0000\\ud800\"}]}", JsonText.of(document));
        assertEquals(List.of("", "/a", "/a/0", "/a/0/b"), JsonText.paths(document));
        assertEquals("{\"a\":[{\"b\":NaN}]}", JsonText.of(document, "/a/0/b", "NaN"));
        assertEquals("null", JsonText.of(document, "", "null"));
    }
}
