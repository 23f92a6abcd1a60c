package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "30s, 30000000000, 30s",
        "1h30m, 5400000000000, 1h30m0s",
        "1.5h, 5400000000000, 1h30m0s",
        "90s, 90000000000, 1m30s",
        "1m30s, 90000000000, 1m30s",
        "5000ms, 5000000000, 5s",
        "2us, 2000, 2\u00b5s",
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
            strings = {
                "",
                "-",
                "5",
                "s",
                "1x",
                "5x",
                "1s2",
                "99999999999h",
                "1 s",
                "1s ",
                "1..5s",
                ".s",
                "1h30",
                "99999999h",
                "1d"
            })
    void notDurations(String text) {
        assertTrue(Durations.parse(text).isEmpty());
    }

    /** Of digits alone a search began anew at each of them. */
    @Test
    void aMillionDigits_areRefusedAtOnce() {
        assertTrue(Durations.parse("9".repeat(1_000_000)).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"PT1.0000005S, 1s", "PT0.0305S, 30ms", "PT1M30.5S, 1m30.5s", "PT10M, 10m0s"})
    void whatPeopleRead_endsAtMilliseconds(Duration duration, String words) {
        assertEquals(words, Durations.words(duration));
    }
}
