package io.cleat.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComparisonTest {
    private static final Map<String, List<BenchRow>> BEFORE = Map.of(
            "commit",
            List.of(
                    BenchRow.of("1 caller", 2000, Unit.PER_SECOND).limit("flushes", 8000),
                    BenchRow.of("16 callers", 9000, Unit.PER_SECOND).limit("flushes", 8000),
                    BenchRow.of("an entry", 400, Unit.BYTES),
                    BenchRow.of("start", 0.8, Unit.SECONDS),
                    BenchRow.of("with root", 3, Unit.SECONDS),
                    BenchRow.of("no more", 1, Unit.SECONDS)));

    /** On a machine whose disk is half as fast. */
    private static final Map<String, List<BenchRow>> NOW = Map.of(
            "commit",
            List.of(
                    BenchRow.of("1 caller", 1000, Unit.PER_SECOND).limit("flushes", 4000),
                    BenchRow.of("16 callers", 9000, Unit.PER_SECOND).limit("flushes", 4000),
                    BenchRow.of("an entry", 500, Unit.BYTES),
                    BenchRow.of("start", 0.6, Unit.SECONDS),
                    BenchRow.absent("with root", "no root"),
                    BenchRow.of("since then", 2, Unit.SECONDS)));

    @Test
    void whatMovedIsJudgedBesideTheLimitsOfEachRun() {
        assertEquals("""
                what                before   now      change
                commit: 16 callers  9,000/s  9,000/s  x 2.00  beside its limit  better
                commit: an entry    400 B    500 B    x 1.25  by itself         WORSE
                commit: start       800 ms   600 ms   x 0.75  by itself         better
                commit: with root   3.00 s   -                                  NOT MEASURED
                commit: since then  -        2.00 s                             new
                commit: no more     1.00 s   -                                  gone
                1 of 7 rows differ by less than 10 %
                """, Comparison.of(BEFORE, NOW).text());
    }

    @Test
    void whatARunPrintedIsReadAgain(@TempDir Path directory) throws Exception {
        Path file = Files.write(directory.resolve("old.json"), Json.writePretty(BEFORE));
        assertEquals(BEFORE, Comparison.read(file, List.of()));
        assertEquals(Map.of(), Comparison.read(file, List.of("start")));
        assertEquals(
                "6 of 6 rows differ by less than 10 %\n",
                Comparison.of(BEFORE, BEFORE).text());
    }

    @Test
    void anotherFileIsNamed(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("old.json"), "{\"commit\": [3]}");
        IOException refused = assertThrows(IOException.class, () -> Comparison.read(file, List.of()));
        assertTrue(refused.toString().contains(file + " is not what"), refused::toString);
    }
}
