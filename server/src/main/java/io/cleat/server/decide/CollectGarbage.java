package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.time.Duration;

/**
 * Removes what nobody needs any more, at most {@link #MOST} rows at a time. Never removes an allocation that has
 * claims, and buries rather than removes a node that claims, attachments or operations still name.
 *
 * @param evaluations ended evaluations and allocations as old as this go; 1 h by default
 * @param jobs dead jobs; 4 h by default
 * @param nodes nodes that are down; 24 h by default
 * @param requests kept replies; 1 h by default
 * @param kept of ended evaluations, of ended allocations, of dead jobs and of finished operations at most so many, the
 *     newest, stay, however young the others are; 2,000 by default
 */
public record CollectGarbage(Duration evaluations, Duration jobs, Duration nodes, Duration requests, int kept)
        implements Command<CollectGarbage.Reply> {
    /** How many rows go in one decision. */
    public static final int MOST = 500;

    private static final int KEPT = 2_000;

    /** What is too old, and what is too much. */
    public static final CollectGarbage REGULARLY = new CollectGarbage(
            Duration.ofHours(1), Duration.ofHours(4), Duration.ofHours(24), Duration.ofHours(1), KEPT);

    /** Everything that can go, whatever its age; kept replies stay for their hour. */
    public static final CollectGarbage NOW =
            new CollectGarbage(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ofHours(1), KEPT);

    /** The same ages, and at most so many of each. */
    public CollectGarbage keeping(int most) {
        return new CollectGarbage(evaluations, jobs, nodes, requests, most);
    }

    /**
     * @param removed how many rows went
     * @param more whether others may go too: ask again
     */
    public record Reply(int removed, boolean more) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Sweep sweep = new Sweep(work, this);
        int removed = sweep.run();
        return work.accept(new Reply(removed, removed >= MOST));
    }
}
