package io.cleat.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Some of many, chosen by a key. */
final class ServiceChoiceTest {
    private static final List<String> ALL =
            IntStream.range(0, 20).mapToObj(number -> "place-" + number).toList();

    private static List<String> choose(List<String> from, int count, String key) {
        return ServiceChoice.of(from, count, key, id -> id);
    }

    @Test
    void theSameKey_choosesTheSame_whateverTheirOrder() {
        List<String> chosen = choose(ALL, 3, "me");
        assertEquals(3, chosen.size());
        assertEquals(chosen, choose(ALL.reversed(), 3, "me"));
        assertNotEquals(chosen, choose(ALL, 3, "you"));
        assertEquals(chosen.subList(0, 2), choose(ALL, 2, "me"), "fewer are the first of more");
        assertEquals(20, choose(ALL, 99, "me").size());
    }

    @Test
    void whenOneGoes_theOthersStay() {
        List<String> chosen = choose(ALL, 3, "me");
        List<String> fewer = new ArrayList<>(ALL);
        fewer.remove(chosen.get(1));
        List<String> now = choose(fewer, 3, "me");
        assertTrue(now.contains(chosen.get(0)) && now.contains(chosen.get(2)), now.toString());
    }
}
