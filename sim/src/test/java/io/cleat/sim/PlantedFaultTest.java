package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without a mend, the simulation finds the fault that it mends, in at most so many seeds. */
final class PlantedFaultTest {
    private static final int SEEDS = 200;

    /** Which seed finds it changes with the program; begun at one that did, it is soon found. */
    private static final int FIRST = 113;

    private static final int MINUTES = 15;

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aCopyOfANodeThatCountsAsItsBoot_isFoundByItsSecondWriter() throws Exception {
        SimThreads.fixOrder();
        try (Workplace place = Workplace.take()) {
            for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
                try {
                    Run.of(seed, place, Planted.NO_MARKS, line -> {});
                } catch (RunFailed found) {
                    if (String.valueOf(found.getMessage()).contains("has two writers")) {
                        System.out.println("the copied node was found by seed " + seed);
                        return;
                    }
                }
            }
        }
        fail("not found in " + SEEDS + " seeds");
    }
}
