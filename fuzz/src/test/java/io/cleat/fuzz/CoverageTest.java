package io.cleat.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The campaign sees where inputs go, and goes on from there. */
final class CoverageTest {
    @Test
    void aFaultBehindSeveralBranchesIsFound_sinceInputsThatPassedOneAreKept() throws Exception {
        ClassLoader covering = new CoveringLoader(CoverageTest.class.getClassLoader());
        Class<?> type = covering.loadClass(Campaign.class.getName());
        Object planted =
                covering.loadClass("io.cleat.planted.Planted").getConstructor().newInstance();
        Constructor<?> constructor =
                type.getConstructor(covering.loadClass(Target.class.getName()), long.class, Consumer.class);
        Consumer<String> quiet = line -> {};
        Object campaign = constructor.newInstance(planted, 1L, quiet);
        int before = Coverage.reached();
        String result = "";
        // Beside other work it makes fewer inputs in its time, and is given more of that.
        for (int i = 0; i < 12 && !result.contains("IllegalStateException"); i++) {
            result = String.valueOf(type.getMethod("run", Duration.class).invoke(campaign, Duration.ofSeconds(5)));
        }
        assertTrue(Coverage.reached() > before + 3, "nothing was covered: " + result);
        assertTrue(result.contains("IllegalStateException"), result);
    }

    @Test
    void withoutCoverageItIsNotFound_soItIsTheCoverageThatFindsIt() throws Exception {
        Campaign campaign = new Campaign(new io.cleat.planted.Planted(), 1, line -> {});
        assertEquals(0, campaign.run(Duration.ofSeconds(1)).findings().size());
    }
}
