package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OrderedTest {
    @Test
    void itIsWhatATreeOfTheSameIs() {
        Random random = new Random(5);
        for (int round = 0; round < 300; round++) {
            SortedMap<Integer, String> tree = new TreeMap<>();
            int size = random.nextInt(20);
            while (tree.size() < size) {
                tree.put(random.nextInt(60), "v" + random.nextInt(9));
            }
            SortedMap<Integer, String> copy = Ordered.copyOf(new HashMap<>(tree));
            assertEquals(tree, copy);
            assertEquals(copy, tree);
            assertEquals(tree.hashCode(), copy.hashCode());
            assertEquals(new ArrayList<>(tree.entrySet()), new ArrayList<>(copy.entrySet()));
            assertEquals(new ArrayList<>(tree.keySet()), new ArrayList<>(copy.keySet()));
            int one = random.nextInt(60);
            int other = one + random.nextInt(20);
            assertEquals(tree.get(one), copy.get(one));
            assertEquals(tree.containsKey(one), copy.containsKey(one));
            assertEquals(tree.headMap(one), copy.headMap(one));
            assertEquals(tree.tailMap(one), copy.tailMap(one));
            assertEquals(tree.subMap(one, other), copy.subMap(one, other));
            if (!tree.isEmpty()) {
                assertEquals(tree.firstKey(), copy.firstKey());
                assertEquals(tree.lastKey(), copy.lastKey());
            }
        }
    }

    @Test
    void nobodyChangesIt() {
        Map<String, String> source = new HashMap<>(Map.of("b", "1", "a", "2"));
        SortedMap<String, String> copy = Ordered.copyOf(source);
        source.put("c", "3");
        assertEquals(List.of("a", "b"), List.copyOf(copy.keySet()));
        assertSame(copy, Ordered.copyOf(copy));
        assertThrows(UnsupportedOperationException.class, () -> copy.put("c", "3"));
        assertThrows(UnsupportedOperationException.class, () -> copy.remove("a"));
        assertThrows(UnsupportedOperationException.class, copy::clear);
        assertThrows(
                UnsupportedOperationException.class,
                () -> copy.entrySet().iterator().next().setValue("x"));
    }

    @Test
    void whatIsNoKeyIsNotThere() {
        SortedMap<String, String> copy = Ordered.copyOf(Map.of("a", "1", "b", "2"));
        assertNull(((Map<?, ?>) copy).get(7));
        assertNull(copy.get(null));
        assertFalse(((Map<?, ?>) copy).containsKey(7L));
        assertEquals(Map.of(), Ordered.copyOf(Map.of()));
    }

    @Test
    void nothingIsNoValue() {
        Map<String, String> hole = new HashMap<>();
        hole.put("a", null);
        assertThrows(NullPointerException.class, () -> Ordered.copyOf(hole));
    }

    @Test
    void setsAreGoneThroughInTheirOrder() {
        assertEquals(List.of("a", "b", "c"), List.copyOf(Ordered.setOf("c", "a", "b")));
        assertEquals(List.of(1, 2), List.copyOf(Ordered.copyOf(List.of(2, 1, 2))));
    }
}
