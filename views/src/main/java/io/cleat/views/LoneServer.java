package io.cleat.views;

import java.util.List;
import java.util.Optional;

/** The membership of a cluster with one server: it leads. */
public record LoneServer(Member self, String region, String datacenter) implements Membership {
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
}
