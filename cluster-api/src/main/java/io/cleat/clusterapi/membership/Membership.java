package io.cleat.clusterapi.membership;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The servers of the cluster, as this one knows them. Any thread. */
public interface Membership {
    /**
     * A server.
     *
     * @param id its member id in the log
     * @param name without the region
     * @param port on which it answers; 0 for none
     */
    record Member(String id, String name, String host, int port, boolean isAlive) {
        public String address() {
            return host + ":" + port;
        }
    }

    /**
     * How a member's log stands.
     *
     * @param term in which it leads or follows
     * @param index of the last entry that is applied
     * @param isHealthy whether it serves as it should
     * @param since when it is healthy; null while it is not
     */
    record LogStanding(
            long term,
            long index,
            boolean isHealthy,
            @Nullable Instant since) {}

    /** How the log of one of the members stands. */
    LogStanding logOf(Member member);

    /** By id, this one among them. */
    List<Member> members();

    /** This server. */
    Member self();

    /** Empty while there is none. */
    Optional<Member> leader();

    /** How long ago this server heard of the leader, in ms; 0 on the leader. */
    long lastContactMillis();

    String region();

    String datacenter();
}
