package io.cleat.server.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Trouble;
import io.cleat.log.fake.FakeMix;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Deciding over a log that does its worst; a failure names its seed. */
final class CommitSimulationTest {
    private static final int SEEDS = Integer.getInteger("cleat.seeds", 200);

    @Test
    void everyDecisionIsAppliedOnceAndEveryAnswerIsTrue() throws Trouble {
        TreeMap<String, Integer> coverage = new TreeMap<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            CommitWorld world = new CommitWorld(seed, FakeMix.rough());
            try {
                world.run(400);
                world.check();
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + failure + "\n" + world.trace(), failure);
            }
            world.coverage().forEach((what, count) -> coverage.merge(what, count, Integer::sum));
        }
        System.out.println("commit simulation, " + SEEDS + " seeds: " + coverage);
        for (String needed : new String[] {
            "accepted",
            "read",
            "rejected",
            "unknown-applied",
            "unknown-lost",
            "none",
            "decided again",
            "died",
            "reigns",
            "shared entries"
        }) {
            assertTrue(coverage.getOrDefault(needed, 0) > 0, needed + " never happened: " + coverage);
        }
    }

    @Test
    void theSameSeedGivesTheSameRun() throws Trouble {
        for (long seed = 1000; seed < 1020; seed++) {
            CommitWorld first = new CommitWorld(seed, FakeMix.rough());
            first.run(300);
            CommitWorld second = new CommitWorld(seed, FakeMix.rough());
            second.run(300);
            assertEquals(first.trace(), second.trace(), "seed " + seed);
        }
    }

    @Test
    void calmLogAnswersEverything() throws Trouble {
        CommitWorld world = new CommitWorld(7, FakeMix.calm());
        world.run(400);
        world.check();
        assertEquals(0, world.coverage().getOrDefault("unknown-lost", 0));
        assertEquals(1, world.coverage().get("reigns"));
    }
}
