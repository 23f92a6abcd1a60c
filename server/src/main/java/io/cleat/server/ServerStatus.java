package io.cleat.server;

import io.cleat.base.Refusal;
import io.cleat.server.commit.CommitStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * How a server stands.
 *
 * @param clusterId absent until the cluster is formed
 * @param alive whether it runs; one that does not has to be started anew
 * @param leading whether this member decides now
 * @param leadingSince since when it does; empty if it does not
 * @param version of the newest image
 * @param secrets why no secrets are kept, and what to do; empty if they are
 * @param commit details
 */
public record ServerStatus(
        Optional<String> clusterId,
        boolean alive,
        boolean leading,
        Optional<Instant> leadingSince,
        long version,
        Optional<String> secrets,
        CommitStatus commit) {
    /** Why it decides nothing for now, though nothing of it is broken: its disk is full. */
    public Optional<String> waitsForRoom() {
        return commit.log().refusing().map(Refusal::message);
    }

    /** Why it does not serve as it should, in words; empty if it does. */
    public Optional<String> fault() {
        Optional<String> known = waitsForRoom().or(() -> secrets);
        return known.isEmpty() && !(alive && leading) ? Optional.of("no cluster leader") : known;
    }
}
