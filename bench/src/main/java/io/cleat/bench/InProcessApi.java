package io.cleat.bench;

import io.cleat.base.Ids;
import io.cleat.base.Time;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.clusterapi.membership.LoneServer;
import io.cleat.clusterapi.membership.Membership;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Requests;

/** The cluster's API as its routes ask it, without HTTP. */
final class InProcessApi {
    private InProcessApi() {}

    static ServerCluster over(Images images, Requests requests, Time time) {
        return new ServerCluster(
                images,
                requests,
                new LoneServer(
                        new Membership.Member("s1", "s1", "127.0.0.1", 4647, true),
                        "global",
                        "dc1",
                        () -> new Membership.LogStanding(1, 1, true, null)),
                "1.10.0",
                time,
                Ids.random());
    }

    /** A page of 100, from the token on. */
    static ListQuery page(String token) {
        return new ListQuery(ReadQuery.now("default"), "", Filter.ALL, 100, token, false);
    }
}
