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
            Run.Result first = Run.of(1, place, line -> {});
            Run.Result second = Run.of(1, place, line -> {});
            assertEquals(first.hash(), second.hash());
            assertEquals(first.steps(), second.steps());
        }
    }
}
