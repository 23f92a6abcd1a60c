package io.cleat.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Servers whose disk is rolled back or emptied, or whose log ends early, over many seeds. {@code -Dcleat.lostpasts=N}
 * runs another number of them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LostPastTest {
    /** So many are run, and more until all of {@link #MET} was met. */
    private static final int ENOUGH = 5;

    private static final int MOST = 60;
    private static final int SEEDS = Integer.getInteger("cleat.lostpasts", ENOUGH);

    /** What every number of seeds worth its name must meet. */
    private static final String[] MET = {"logs rotten", "disks rolled back", "disks emptied", "recoveries"};

    /** Within how many seeds a planted fault is to be found. */
    private static final int FOUND_WITHIN = 200;

    private static final long NO_PAST_FIRST = 28;
    private static final long EMPTY_BELIEVED_FIRST = 24;
    private static final long ROT_IS_TORN_FIRST = 137;

    private Workplace place;

    @BeforeAll
    void take() throws IOException {
        place = Workplace.take();
    }

    @AfterAll
    void giveBack() throws IOException {
        place.close();
    }

    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void nothingIsLostByAServerThatHasForgotten() throws RunFailed {
        TreeMap<String, Integer> coverage = new TreeMap<>();
        long seed = 1;
        for (; seed <= SEEDS || (seed <= MOST && !missing(coverage).isEmpty()); seed++) {
            LostPast.of(seed, place, Planted.NONE, line -> {})
                    .coverage()
                    .forEach((what, count) -> coverage.merge(what, count, Integer::sum));
        }
        System.out.println("lost pasts, " + (seed - 1) + " seeds: " + coverage);
        assertEquals(List.of(), missing(coverage), () -> "never happened: " + coverage);
    }

    /** Few seeds, as somebody asks for to see one thing, need not meet it all. */
    private static List<String> missing(Map<String, Integer> coverage) {
        return SEEDS < ENOUGH
                ? List.of()
                : Stream.of(MET).filter(what -> !coverage.containsKey(what)).toList();
    }

    /** The planted fault: nodes that keep nothing of whom they have obeyed. */
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void nodesThatKeepNoPast_areFoundByWhatAnOldServerDoes() {
        isFound(Planted.NO_PAST, NO_PAST_FIRST, "has two writers", "while mounted on", "and nobody says so");
    }

    /** The planted fault: nodes that take an empty server for theirs. */
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void anEmptyServerThatIsBelieved_isFoundByWhatItEnds() {
        isFound(Planted.EMPTY_BELIEVED, EMPTY_BELIEVED_FIRST, "ended for a server that knows nothing");
    }

    /** The planted fault: a server that takes the rotten end of its log for a torn one. */
    @Test
    @Timeout(value = 15, unit = TimeUnit.MINUTES)
    void aRottenEndThatIsTakenForATornOne_isFoundByWhatNobodySays() {
        isFound(Planted.ROT_IS_TORN, ROT_IS_TORN_FIRST, "and nobody says so");
    }

    /** @param first a seed that found it; which one does changes with the program */
    private void isFound(Planted fault, long first, String... ways) {
        for (long seed = first; seed < first + FOUND_WITHIN; seed++) {
            try {
                LostPast.of(seed, place, fault, line -> {});
            } catch (RunFailed found) {
                String why = String.valueOf(found.getMessage());
                assertTrue(Stream.of(ways).anyMatch(why::contains), why);
                System.out.println(fault + " was found by seed " + seed);
                return;
            }
        }
        throw new AssertionError("not found within " + FOUND_WITHIN + " seeds");
    }
}
