package io.cleat.server;

import io.cleat.server.commit.CommitStatus;
import java.util.Optional;

/**
 * How a server stands.
 *
 * @param clusterId absent until the cluster is formed
 * @param alive whether it runs; one that does not has to be started anew
 * @param leading whether this member decides now
 * @param version of the newest image
 * @param commit details
 */
public record ServerStatus(
        Optional<String> clusterId,
        boolean alive,
        boolean leading,
        long version,
        CommitStatus commit) {}
