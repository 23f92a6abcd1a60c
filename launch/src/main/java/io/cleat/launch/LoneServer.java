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
    private final String datacenter;

    LoneServer(Arrangement.Names names, Optional<Listener.Tcp> http) {
        this.self =
                new Member(
                        names.agent(),
                        names.agent(),
                        http.map(tcp -> tcp.address().getHostAddress()).orElse("127.0.0.1"),
                        RPC_PORT,
                        true);
        this.datacenter = names.datacenter();
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
        return Arrangement.REGION;
    }

    @Override
    public String datacenter() {
        return datacenter;
    }
}
