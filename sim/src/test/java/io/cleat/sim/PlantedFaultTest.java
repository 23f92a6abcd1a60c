package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Without a mend, the simulation finds the fault that it mends, in at most so many seeds. */
final class PlantedFaultTest {
    private static final int SEEDS = 200;
    private static final int MINUTES = 15;

    // Which seed finds a fault changes with the program; begun at one that did, it is soon found.

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aCopyOfANodeThatCountsAsItsBoot_isFoundByItsSecondWriter() throws Exception {
        assertFound(Planted.NO_MARKS, 355, "has two writers");
    }

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aDirectoryOfTheMachineItselfThatCountsAsAVolume_isFound() throws Exception {
        assertFound(Planted.BARE_BELIEVED, 169, "starts with the bare directory");
    }

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aSecondRunOfATaskWhoseAllocationIsLost_isFound() throws Exception {
        assertFound(Planted.DRIVER_NOT_ASKED, 1, "starts while it runs as");
    }

    @Test
    @Timeout(value = MINUTES, unit = TimeUnit.MINUTES)
    void aWaitWithoutItsReason_isFound() throws Exception {
        assertFound(Planted.NO_REASONS, 13, "nobody has said why it waits");
    }

    private static void assertFound(Planted planted, int first, String words) throws Exception {
        try (Workplace place = Workplace.take()) {
            for (long seed = first; seed < first + SEEDS; seed++) {
                try {
                    Run.of(seed, place, planted, line -> {});
                } catch (RunFailed found) {
                    if (String.valueOf(found.getMessage()).contains(words)) {
                        System.out.println(planted + " was found by seed " + seed);
                        return;
                    }
                }
            }
        }
        fail(planted + " was not found in " + SEEDS + " seeds");
    }
}
