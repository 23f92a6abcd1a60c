package io.cleat.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.base.InvariantBroken;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What counts for the number of a record, and what does not. */
final class RecordHashTest {
    record Before(String name, List<String> hosts) {}

    record After(
            List<String> hosts,
            @Nullable Instant since,
            String name,
            Optional<String> remark,
            Map<String, String> context,
            Set<String> labels,
            boolean away,
            long bytes) {}

    record Maybe(@Nullable Boolean truth, @Nullable Integer number) {}

    sealed interface Kind {
        record One(String name) implements Kind {}

        record Other(String name) implements Kind {}
    }

    private static After after(boolean away, long bytes, @Nullable Instant since) {
        return new After(List.of("h"), since, "n", Optional.empty(), Map.of(), Set.of(), away, bytes);
    }

    @Test
    void programsOfDifferentAgeAgreeOnWhatBothKnow() {
        assertEquals(RecordHash.of(new Before("n", List.of("h"))), RecordHash.of(after(false, 0, null)));
    }

    record Proof(List<String> boots, @Nullable String doubt) {}

    record Proved(String name, List<String> hosts, Proof proof) {}

    /** The record that is made where nothing was written holds nothing either. */
    @Test
    void laterRecordThatHoldsNothing_doesNotCount() {
        long before = RecordHash.of(new Before("n", List.of("h")));
        Proof none = new Proof(List.of(), null);
        assertEquals(before, RecordHash.of(new Proved("n", List.of("h"), none)));
        Proof some = new Proof(List.of("b"), null);
        assertNotEquals(before, RecordHash.of(new Proved("n", List.of("h"), some)));
    }

    @Test
    void whatIsInALaterComponentCounts() {
        long nothing = RecordHash.of(after(false, 0, null));
        assertNotEquals(nothing, RecordHash.of(after(true, 0, null)));
        assertNotEquals(nothing, RecordHash.of(after(false, 1, null)));
        assertNotEquals(nothing, RecordHash.of(after(false, 0, Instant.EPOCH)));
    }

    @Test
    void noAnswerIsNotNoAndNotNull() {
        List<Long> numbers = List.of(
                RecordHash.of(new Maybe(null, null)),
                RecordHash.of(new Maybe(false, null)),
                RecordHash.of(new Maybe(true, null)),
                RecordHash.of(new Maybe(null, 0)),
                RecordHash.of(new Maybe(null, 1)));
        assertEquals(numbers.size(), Set.copyOf(numbers).size());
    }

    @Test
    void theOrderOfAListCountsAndThatOfAMapDoesNot() {
        assertNotEquals(RecordHash.of(List.of("a", "b")), RecordHash.of(List.of("b", "a")));
        Map<String, String> one = new LinkedHashMap<>();
        Map<String, String> other = new TreeMap<>();
        for (String key : List.of("z", "k", "a", "m")) {
            one.put(key, key + "v");
            other.put(key, key + "v");
        }
        assertEquals(RecordHash.of(one), RecordHash.of(other));
        assertEquals(RecordHash.of(one.keySet()), RecordHash.of(other.keySet()));
    }

    @Test
    void whatAMapSaysOfTwoNamesMayNotBeExchanged() {
        assertNotEquals(RecordHash.of(Map.of("a", "1", "b", "2")), RecordHash.of(Map.of("a", "2", "b", "1")));
        assertNotEquals(RecordHash.of(Map.of("a", "b")), RecordHash.of(Map.of("b", "a")));
    }

    @Test
    void valuesOfDifferentTypesAreTold() {
        List<Object> values = Arrays.asList(
                "1",
                1L,
                1.0,
                true,
                Instant.ofEpochSecond(1),
                Duration.ofSeconds(1),
                Optional.of(1L),
                List.of(1L),
                Set.of(1L),
                Map.of(1L, 1L),
                List.of(List.of(1L)),
                "",
                List.of(),
                Set.of(),
                Map.of(),
                null);
        Map<Long, Object> numbers = new HashMap<>();
        values.forEach(value -> numbers.put(RecordHash.of(value), String.valueOf(value)));
        assertEquals(values.size(), numbers.size(), numbers::toString);
    }

    @Test
    void aKindCountsWhereThereAreSeveral() {
        assertNotEquals(RecordHash.of(new Kind.One("n")), RecordHash.of(new Kind.Other("n")));
    }

    @Test
    void whatIsNeverStoredIsAFault() {
        assertThrows(InvariantBroken.class, () -> RecordHash.of(Thread.currentThread()));
    }
}
