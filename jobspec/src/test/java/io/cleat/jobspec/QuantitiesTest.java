package io.cleat.jobspec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations and sizes. */
final class QuantitiesTest {
    @ParameterizedTest
    @CsvSource({
        "30s, 30000000000, 30s",
        "1h30m, 5400000000000, 1h30m0s",
        "1.5h, 5400000000000, 1h30m0s",
        "90s, 90000000000, 1m30s",
        "250ms, 250000000, 250ms",
        "1500us, 1500000, 1.5ms",
        "1.5s, 1500000000, 1.5s",
        ".5s, 500000000, 500ms",
        "7ns, 7, 7ns",
        "1\u00b5s, 1000, 1\u00b5s",
        "-2m, -120000000000, -2m0s",
        "0, 0, 0s",
        "2562047h, 9223369200000000000, 2562047h0m0s",
    })
    void durations(String text, long nanos, String printed) {
        assertEquals(nanos, Durations.parse(text).orElseThrow());
        assertEquals(printed, Durations.format(nanos));
        assertEquals(nanos, Durations.parse(printed).orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-", "5", "s", "1x", "1 s", "1..5s", ".s", "1h30", "99999999h", "1d"})
    void notDurations(String text) {
        assertTrue(Durations.parse(text).isEmpty());
    }

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
