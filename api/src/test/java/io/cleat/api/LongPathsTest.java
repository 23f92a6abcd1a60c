package io.cleat.api;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Our own expressions on long texts: a run of slashes was looked at again from each of them. */
final class LongPathsTest {
    private static final String SLASHES = "/".repeat(1_000_000) + "x";

    @Test
    void directory_ofAMillionSlashes_isComparedSoon() {
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> assertFalse(TaskRules.isInside("/a", SLASHES)));
    }
}
