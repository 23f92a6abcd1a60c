package io.cleat.server.decide;

import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.server.commit.Proposal;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;

/**
 * Something that is asked of the cluster. A value; deciding it twice on the same image gives the same.
 *
 * @param <R> the reply
 */
public interface Command<R> extends Proposal<ClusterState, Change, R> {
    /** @param newest the image after everything decided before */
    @Override
    Decision<Change, R> decide(ClusterState newest, DecideContext context);

    /** Whether it is decided while the cluster is in recovery too: it grants, releases and stops nothing. */
    default boolean goesOnInRecovery() {
        return false;
    }
}
