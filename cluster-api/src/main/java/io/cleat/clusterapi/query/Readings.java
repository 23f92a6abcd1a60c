package io.cleat.clusterapi.query;

import io.cleat.api.AnswerMeta;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.clusterapi.membership.Membership;
import io.cleat.http.ReadQuery;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;

/** Reads images for queries. */
public record Readings(Images images, Membership membership) {
    /** Waits, where the query blocks, until what it asks for has changed. */
    public Reading read(ReadQuery query, Versions versions) throws Refused, Trouble, InterruptedException {
        ClusterState state = images.readNewer(query.stale(), versions, query.index(), query.longest(), query.early());
        return new Reading(
                state,
                new AnswerMeta(
                        Math.max(1, versions.of().applyAsLong(state)),
                        membership.lastContactMillis(),
                        membership.leader().isPresent(),
                        ""));
    }
}
