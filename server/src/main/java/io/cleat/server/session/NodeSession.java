package io.cleat.server.session;

import io.cleat.base.ByteBudget;
import io.cleat.base.LinkTrouble;
import io.cleat.base.LogTrouble;
import io.cleat.base.Threads;
import io.cleat.server.commit.Applied;
import io.cleat.server.vault.Vault;
import io.cleat.state.ClusterState;
import io.cleat.wire.Link;
import io.cleat.wire.SaidByNode;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One link of one node, once it is let in. The thread that serves it reads; one more writes. The
 * assignments sent are always those of the newest image: what lies between is left out.
 */
final class NodeSession {
    private final String nodeId;
    private final String bootId;
    private final Link<ToNode, ToServer> link;
    private final Supplier<Applied<ClusterState>> newest;
    private final Vault vault;
    private final Outgoing outgoing;

    /**
     * @param bootId which the node said at its beginning
     * @param waiting what waits for all nodes together
     */
    NodeSession(
            String nodeId,
            String bootId,
            Link<ToNode, ToServer> link,
            Supplier<Applied<ClusterState>> newest,
            Vault vault,
            ByteBudget waiting) {
        this.nodeId = nodeId;
        this.bootId = bootId;
        this.link = link;
        this.newest = newest;
        this.vault = vault;
        this.outgoing = new Outgoing(waiting);
    }

    /** What is done with a message; a trouble ends the session. */
    interface Ear {
        void hear(ToServer message) throws LinkTrouble, LogTrouble, InterruptedException;
    }

    /** Reads until the link closes. */
    void serve(Ear ear, Threads threads) throws LinkTrouble, LogTrouble, InterruptedException {
        Thread writer = threads.contained("session-out/" + nodeId, this::write, fault -> close());
        try {
            for (; ; ) {
                for (ToServer said : SaidByNode.clean(link.receive())) {
                    ear.hear(said);
                }
            }
        } finally {
            close();
            writer.interrupt();
        }
    }

    String nodeId() {
        return nodeId;
    }

    String bootId() {
        return bootId;
    }

    /** The image may say something else of the node. */
    void mark() {
        outgoing.mark();
    }

    /** Sends it soon; false if the link is closed. What was sent may never arrive. */
    boolean say(ToNode message) {
        boolean taken = outgoing.say(message);
        if (!taken) {
            close();
        }
        return taken;
    }

    void close() {
        outgoing.close();
        link.close();
    }

    private void write() throws InterruptedException {
        @Nullable List<AssignmentView.Source> sent = null;
        try {
            while (!outgoing.isClosed()) {
                Outgoing.Turn turn = outgoing.take();
                if (turn.look()) {
                    Applied<ClusterState> seen = newest.get();
                    AssignmentView view = new AssignmentView(seen.image(), nodeId);
                    List<AssignmentView.Source> sources = view.sources();
                    if (!seen.image().isRecovering() && !sources.equals(sent)) {
                        link.send(view.assignments(seen.reign(), vault));
                        sent = sources;
                    }
                }
                for (ToNode message : turn.messages()) {
                    link.send(message);
                }
            }
        } catch (LinkTrouble closed) {
            outgoing.close();
        } finally {
            link.close();
        }
    }
}
