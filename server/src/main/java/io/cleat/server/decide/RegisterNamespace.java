package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NamespaceRow;
import java.util.Optional;

/**
 * Makes a namespace, or says something else of one. Jobs that run in it go on, also with task drivers that it lets run
 * no more.
 *
 * @param wanted checked by intake
 */
public record RegisterNamespace(NamespaceRow wanted) implements Command<RegisterNamespace.Reply> {
    /** It is as wanted. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<NamespaceRow> known = newest.namespace(wanted.name()).map(row -> row.stamped(0, 0));
        if (!known.equals(Optional.of(wanted))) {
            work.add(new Change.NamespacePut(wanted));
        }
        return work.accept(new Reply());
    }

    @Override
    public boolean bringsMore() {
        return true;
    }
}
