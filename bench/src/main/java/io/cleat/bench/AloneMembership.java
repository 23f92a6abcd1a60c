package io.cleat.bench;

import io.cleat.views.Membership;
import java.util.List;
import java.util.Optional;

/** One server, which leads. */
record AloneMembership() implements Membership {
    private static final Member SELF = new Member("s1", "s1", "127.0.0.1", 4647, true);

    @Override
    public List<Member> members() {
        return List.of(SELF);
    }

    @Override
    public Member self() {
        return SELF;
    }

    @Override
    public Optional<Member> leader() {
        return Optional.of(SELF);
    }

    @Override
    public long lastContactMillis() {
        return 0;
    }

    @Override
    public String region() {
        return "global";
    }

    @Override
    public String datacenter() {
        return "dc1";
    }
}
