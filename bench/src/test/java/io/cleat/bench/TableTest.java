package io.cleat.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {
    private static final List<BenchRow> ROWS = List.of(
            BenchRow.of("one", 5000, Unit.PER_SECOND).limit("flushes", 8000).budget("half of them", true),
            BenchRow.of("two", 0.0012, Unit.SECONDS).detail("p99 3 ms"),
            BenchRow.of("three", 2e6, Unit.BYTES).limit("an empty one", 16e6).budget("1 MB", false),
            BenchRow.absent("four", "failed: no root"));

    @Test
    void columnsAreAlignedAndBrokenPromisesStandOut() {
        assertEquals("""
                what   measured  limit, same run       ratio  budget                  more
                one    5,000/s   8,000/s flushes       0.63   half of them  kept
                two    1.20 ms                                                        p99 3 ms
                three  2.00 MB   16.0 MB an empty one  0.13   1 MB          NOT KEPT
                four   -                                                              failed: no root
                """, Table.of(ROWS));
    }

    @Test
    void rowsSurviveTheWayFromOneProcessToTheOther() throws Exception {
        Main.Rows rows = new Main.Rows(ROWS);
        assertEquals(rows, Json.read(Json.write(rows), Main.Rows.class));
    }
}
