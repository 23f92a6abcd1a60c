package io.cleat.clusterapi.membership;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The membership of a cluster with one server: it leads.
 *
 * @param log how the server's log stands, whenever it is asked
 */
public record LoneServer(Member self, String region, String datacenter, Supplier<LogStanding> log)
        implements Membership {
    @Override
    public List<Member> members() {
        return List.of(self);
    }

    @Override
    public Optional<Member> leader() {
        return Optional.of(self);
    }

    @Override
    public long lastContactMillis() {
        return 0;
    }

    @Override
    public LogStanding logOf(Member member) {
        return log.get();
    }
}
