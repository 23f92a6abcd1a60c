package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Remainder;
import io.cleat.state.RemainderRow;
import java.util.Optional;

/**
 * Does the next part of what an earlier decision has left.
 *
 * @param seed a fresh id
 */
public record ContinueRemainder(String remainderId, String seed) implements Command<ContinueRemainder.Reply> {
    /** @param more whether something is still left of it */
    public record Reply(boolean more) {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<RemainderRow> row = newest.remainder(remainderId);
        if (row.isEmpty()) {
            return work.accept(new Reply(false));
        }
        Optional<Remainder> rest = Remainders.part(work, row.get(), new NewIds(seed));
        // A part that changed nothing has nothing left to change.
        boolean isOver = rest.isEmpty()
                || (!work.hasChanges() && rest.get().equals(row.get().what()));
        if (isOver) {
            work.add(new Change.RemainderRemoved(remainderId));
        } else {
            Remainders.put(work, rest.get(), row.get().since());
        }
        return work.accept(new Reply(!isOver));
    }
}
