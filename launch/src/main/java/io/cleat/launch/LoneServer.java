package io.cleat.launch;

import io.cleat.http.Listener;
import io.cleat.views.Membership;
import java.util.List;
import java.util.Optional;

/** The membership of a cluster with one server, in this process: it leads. */
final class LoneServer implements Membership {
    /** The port that tools expect of servers among each other; a lone one does not listen on it. */
    private static final int RPC_PORT = 4647;

    private final Member self;

    LoneServer(String name, Listener.Tcp http) {
        this.self = new Member(name, name, http.address().getHostAddress(), RPC_PORT, true);
    }

    @Override
    public List<Member> members() {
        return List.of(self);
    }

    @Override
    public Member self() {
        return self;
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
    public String region() {
        return "global";
    }

    @Override
    public String datacenter() {
        return "dc1";
    }
}
