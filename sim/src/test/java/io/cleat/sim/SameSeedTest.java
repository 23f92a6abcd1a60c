package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class SameSeedTest {
    @BeforeAll
    static void fix() {
        SimThreads.fixOrder();
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void theSameSeedGivesTheSameRun() throws IOException, RunFailed {
        try (Workplace place = Workplace.take()) {
            Run.Result first = Run.of(1, place, line -> {});
            Run.Result second = Run.of(1, place, line -> {});
            assertEquals(first.hash(), second.hash());
            assertEquals(first.steps(), second.steps());
        }
    }
}
