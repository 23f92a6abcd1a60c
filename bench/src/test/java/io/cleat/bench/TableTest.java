package io.cleat.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {
    @Test
    void columnsAreAlignedAndBrokenPromisesStandOut() {
        assertEquals(
                """
                what   measured  limit, same run  budget
                one    5/s       9/s              at least 4/s  kept
                three  1 ms      0.5 ms
                two    2/s       9/s              at least 4/s  NOT KEPT
                """,
                Table.of(
                        List.of(
                                new BenchRow("one", "5/s", "9/s", "at least 4/s", true),
                                BenchRow.plain("three", "1 ms", "0.5 ms"),
                                new BenchRow("two", "2/s", "9/s", "at least 4/s", false))));
    }
}
