package io.cleat.clusterapi.query;

import io.cleat.api.AnswerMeta;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.membership.Membership;
import io.cleat.http.ReadQuery;
import io.cleat.server.intake.Images;
import io.cleat.state.ClusterState;

/**
 * The image a query is answered from, at once or once what it asks for has changed.
 *
 * @param meta the version of what was asked for, never below 1, which would make a blocking client
 *     spin
 */
public record Reading(ClusterState state, AnswerMeta meta) {
    /** Makes readings. */
    public record Desk(Images images, Membership membership) {
        public Reading read(ReadQuery query, Versions versions)
                throws Refused, Trouble, InterruptedException {
            ClusterState state =
                    images.readNewer(
                            query.stale(),
                            versions.tables(),
                            versions.of(),
                            query.index(),
                            query.longest(),
                            query.early());
            return new Reading(
                    state,
                    new AnswerMeta(
                            Math.max(1, versions.of().applyAsLong(state)),
                            membership.lastContactMillis(),
                            membership.leader().isPresent(),
                            ""));
        }
    }
}
