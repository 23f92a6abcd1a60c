package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class SameSeedTest {
    @BeforeAll
    static void fix() {
        SimThreads.fixOrder();
    }

    @Test
    void theSameSeedGivesTheSameRun() throws IOException, RunFailed {
        try (Workplace place = Workplace.take()) {
            for (long seed = 1; seed <= 2; seed++) {
                Run.Result first = Run.of(seed, place, line -> {});
                Run.Result second = Run.of(seed, place, line -> {});
                assertEquals(first.hash(), second.hash(), "seed " + seed);
                assertEquals(first.steps(), second.steps(), "seed " + seed);
            }
        }
    }
}
