package io.cleat.agent.alloc;

import io.cleat.agent.task.EarlierRuns;
import io.cleat.base.DriverTrouble;
import io.cleat.driver.TaskDriver;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs and is mounted on the node for allocations that it does not know, as when the file of one is lost.
 *
 * <p>Used by any thread. Holds nothing but whether their end was begun, which is once in an agent's life, on a thread
 * of its own; after a fault of it what is left runs on, and the sweeper names it.
 */
final class Strays {
    private static final Logger LOG = LoggerFactory.getLogger(Strays.class);

    private final AllocationParts parts;
    private final StartTurns turns;
    private final Predicate<String> isHere;
    private volatile boolean areEnded;

    /** @param isHere whether the node knows an allocation */
    Strays(AllocationParts parts, StartTurns turns, Predicate<String> isHere) {
        this.parts = parts;
        this.turns = turns;
        this.isHere = isHere;
    }

    /**
     * Ends, once in an agent's life, what runs and undoes what is mounted of allocations that neither this node nor the
     * server knows. Of those that the server wants, each is ended before it is begun.
     *
     * @param wanted all that the server wants here, by id
     */
    void end(Set<String> wanted) {
        if (areEnded) {
            return;
        }
        areEnded = true;
        turns.mayHaveStrays(true);
        parts.tasks()
                .threads()
                .contained(
                        "strays",
                        () -> {
                            Predicate<String> isKnown = id -> wanted.contains(id) || isHere.test(id);
                            try {
                                new EarlierRuns(parts.tasks()).endStrays(isKnown);
                            } finally {
                                turns.mayHaveStrays(false);
                            }
                            new StrayVolumes(parts).undo(isKnown);
                            new NetworkHook(parts).leaveStrays(isKnown);
                        },
                        fault -> LOG.error("tasks of which nothing is written down may run", fault));
    }

    /** What runs on this node for allocations that it does not know, in words. */
    List<String> words() throws DriverTrouble {
        return running().stream()
                .filter(allocId -> !isHere.test(allocId))
                .map(allocId -> "tasks of allocation " + allocId + " run, and nothing is written down of it")
                .toList();
    }

    /** The allocations of which tasks run, whether they are known or not. */
    Set<String> running() throws DriverTrouble {
        Set<String> running = new TreeSet<>();
        for (TaskDriver driver : parts.tasks().drivers().values()) {
            running.addAll(driver.allocations());
        }
        return running;
    }
}
