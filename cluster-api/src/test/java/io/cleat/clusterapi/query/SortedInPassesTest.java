package io.cleat.clusterapi.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SortedInPassesTest {
    private static final int ROWS = 100;

    /** In no order. */
    private static final List<Integer> SHUFFLED =
            IntStream.range(0, ROWS).map(i -> i * 37 % ROWS).boxed().toList();

    private final AtomicInteger passes = new AtomicInteger();

    private List<Integer> sorted(Comparator<Integer> order, @Nullable Integer from, int aPass) {
        List<Integer> read = new ArrayList<>();
        new SortedInPasses<>(
                        () -> {
                            passes.incrementAndGet();
                            return SHUFFLED.stream();
                        },
                        order,
                        from,
                        aPass)
                .forEachRemaining(read::add);
        return read;
    }

    @Test
    void onePassIsEnoughForFewAndManyTakeSeveral() {
        List<Integer> all = IntStream.range(0, ROWS).boxed().toList();
        assertEquals(all, sorted(Comparator.naturalOrder(), null, ROWS + 1));
        assertEquals(1, passes.get());
        for (int aPass : List.of(1, 7, 50, 99, 100)) {
            assertEquals(all, sorted(Comparator.naturalOrder(), null, aPass));
            assertEquals(all.reversed(), sorted(Comparator.reverseOrder(), null, aPass));
        }
    }

    @Test
    void itBeginsWhereItIsTold() {
        assertEquals(IntStream.range(42, ROWS).boxed().toList(), sorted(Comparator.naturalOrder(), 42, 10));
        assertEquals(List.of(1, 0), sorted(Comparator.reverseOrder(), 1, 10));
    }

    @Test
    void afterTheLastThereIsNone() {
        SortedInPasses<Integer> none =
                new SortedInPasses<>(() -> List.<Integer>of().stream(), Comparator.naturalOrder(), null, 1);
        assertThrows(NoSuchElementException.class, none::next);
    }
}
