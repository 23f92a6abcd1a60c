package io.cleat.log;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionReplyProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerRpc;
import org.apache.ratis.server.ServerFactory;

/**
 * The transport of a member that has no peers: none. Nothing listens, so there is no port to find or to guard. Public,
 * with a public constructor, because Ratis makes it by its name.
 */
public final class NoRpc implements RpcType, ServerFactory {
    @Override
    public String name() {
        return NoRpc.class.getName();
    }

    @Override
    public NoRpc newFactory(Parameters parameters) {
        return this;
    }

    @Override
    public RpcType getRpcType() {
        return this;
    }

    @Override
    public RaftServerRpc newRaftServerRpc(RaftServer server) {
        return new SilentRpc();
    }

    private final class SilentRpc implements RaftServerRpc {
        @Override
        public void start() {}

        @Override
        public void close() {}

        @Override
        public InetSocketAddress getInetSocketAddress() {
            return InetSocketAddress.createUnresolved("none", 0);
        }

        @Override
        public RpcType getRpcType() {
            return NoRpc.this;
        }

        @Override
        public void addRaftPeers(Collection<RaftPeer> peers) {}

        @Override
        public void handleException(RaftPeerId peer, Exception failure, boolean reconnect) {}

        @Override
        public RequestVoteReplyProto requestVote(RequestVoteRequestProto request) throws IOException {
            throw alone();
        }

        @Override
        public AppendEntriesReplyProto appendEntries(AppendEntriesRequestProto request) throws IOException {
            throw alone();
        }

        @Override
        public InstallSnapshotReplyProto installSnapshot(InstallSnapshotRequestProto request) throws IOException {
            throw alone();
        }

        @Override
        public StartLeaderElectionReplyProto startLeaderElection(StartLeaderElectionRequestProto request)
                throws IOException {
            throw alone();
        }

        private IOException alone() {
            return new IOException("this member has no peers");
        }
    }
}
