package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Servers whose disk is rolled back or emptied, or whose log ends early, over many seeds. {@code
 * -Dcleat.lostpasts=N} runs another number of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LostPastTest {
    private static final int SEEDS = Integer.getInteger("cleat.lostpasts", 8);

    /** Within how many seeds the planted fault is to be found. */
    private static final int FOUND_WITHIN = 200;

    private Workplace place;

    @BeforeAll
    void take() throws IOException {
        SimThreads.fixOrder();
        place = Workplace.take();
    }

    @AfterAll
    void giveBack() throws IOException {
        place.close();
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void nothingIsLostByAServerThatHasForgotten() throws RunFailed {
        int recoveries = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Run.Result result = LostPast.of(seed, place, Planted.NONE, line -> {});
            recoveries += result.coverage().containsKey("recoveries") ? 1 : 0;
        }
        int met = recoveries;
        assertTrue(met > SEEDS / 3, () -> "only " + met + " seeds of " + SEEDS + " met a recovery");
    }

    /** The planted fault: nodes that keep nothing of whom they have obeyed. */
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void nodesThatKeepNoPastAreFoundOut() {
        for (long seed = 1; seed <= FOUND_WITHIN; seed++) {
            try {
                LostPast.of(seed, place, Planted.NO_PAST, line -> {});
            } catch (RunFailed found) {
                String why = String.valueOf(found.getMessage());
                assertTrue(
                        why.contains("has two writers")
                                || why.contains("while mounted on")
                                || why.contains("ended for a server that knows nothing"),
                        why);
                return;
            }
        }
        throw new AssertionError("not found within " + FOUND_WITHIN + " seeds");
    }
}
