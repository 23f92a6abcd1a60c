package io.cleat.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names within namespaces, in their order: those of one namespace lie together. */
class NamespacedNamesTest {
    private static <T extends Comparable<T>> void assertInOrder(BiFunction<String, String, T> name) {
        List<String> sorted = Stream.of("default/b", "e/a", "a/z", "default/a", "b/a")
                .map(text -> text.split("/", 2))
                .map(parts -> name.apply(parts[0], parts[1]))
                .sorted()
                .map(Object::toString)
                .toList();
        assertEquals(List.of("a/z", "b/a", "default/a", "default/b", "e/a"), sorted);
    }

    @Test
    void theyAreOrderedByTheirNamespacesFirst() {
        assertInOrder(VolumeId::new);
        assertInOrder(JobId::new);
        assertInOrder(VariableId::new);
    }

    @Test
    void namesOfTheUsualNamespaceShareItsText() {
        String read = "DEFAULT".toLowerCase(Locale.ROOT);
        assertSame(new VolumeId(read, "a").namespace(), new JobId("default", "b").namespace());
        assertEquals(new VolumeId("default", "a"), new VolumeId(read, "a"));
    }
}
