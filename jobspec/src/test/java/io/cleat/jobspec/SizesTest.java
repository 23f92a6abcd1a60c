package io.cleat.jobspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SizesTest {
    @ParameterizedTest
    @CsvSource({
        "10GiB, 10737418240, 10 GiB",
        "20G, 20000000000, 19 GiB",
        "20GB, 20000000000, 19 GiB",
        "64MiB, 67108864, 64 MiB",
        "1.5Gi, 1610612736, 1.5 GiB",
        "1 kb, 1000, 1000 B",
        "1KiB, 1024, 1.0 KiB",
        "1024, 1024, 1.0 KiB",
        "'', 0, 0 B",
        "7e, 7000000000000000000, 6.1 EiB",
    })
    void sizes(String text, long bytes, String printed) {
        assertEquals(bytes, Sizes.parse(text).orElseThrow());
        assertEquals(printed, Sizes.format(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ten", "-1", "1x", "1.2.3", "GiB", "16EiB", "1ibb", "1e5"})
    void notSizes(String text) {
        assertTrue(Sizes.parse(text).isEmpty());
    }
}
