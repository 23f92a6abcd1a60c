package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
    @ParameterizedTest
    @CsvSource({
        "0, PT0S",
        "5000ms, PT5S",
        "1m30s, PT1M30S",
        "1.5h, PT1H30M",
        ".5s, PT0.5S",
        "2us, PT0.000002S",
        "7ns, PT0.000000007S",
    })
    void durationsAreRead(String text, Duration expected) {
        assertEquals(Optional.of(expected), GoDuration.parse(text));
    }

    /** Of digits alone a search began anew at each of them. */
    @Test
    void aMillionDigitsAreRefusedAtOnce() {
        assertEquals(Optional.empty(), GoDuration.parse("9".repeat(1_000_000)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "5x", "-1s", "1s ", "1s2", "99999999999h"})
    void othersAreNot(String text) {
        assertEquals(Optional.empty(), GoDuration.parse(text));
    }
}
