package io.cleat.views;

import java.util.List;
import java.util.Optional;

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
        String address() {
            return host + ":" + port;
        }
    }

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
