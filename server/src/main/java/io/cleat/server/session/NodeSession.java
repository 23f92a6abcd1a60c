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
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One link of one node, once it is let in. The thread that serves it reads; one more writes. What is sent of an
 * assignment is always that of the newest image: what lies between is left out.
 */
final class NodeSession {
    private final String nodeId;
    private final String bootId;
    private final Link<ToNode, ToServer> link;
    private final Supplier<Applied<ClusterState>> newest;
    private final Vault vault;
    private final Outgoing outgoing;
    private final SentVariables variables;
    private final SentServices services;
    private final BooleanSupplier isTold;
    private volatile boolean hasBeenTold;

    /**
     * @param bootId which the node said at its beginning
     * @param isTold whether nodes are told now what they are to do; asked at each mark
     * @param waiting what waits for all nodes together
     */
    NodeSession(
            String nodeId,
            String bootId,
            Link<ToNode, ToServer> link,
            Supplier<Applied<ClusterState>> newest,
            Vault vault,
            BooleanSupplier isTold,
            ByteBudget waiting) {
        this.nodeId = nodeId;
        this.bootId = bootId;
        this.link = link;
        this.newest = newest;
        this.vault = vault;
        this.isTold = isTold;
        this.outgoing = new Outgoing(waiting);
        this.variables = new SentVariables(nodeId, vault);
        this.services = new SentServices(nodeId);
    }

    /** What is done with a message; a trouble ends the session. */
    interface Listener {
        void hear(ToServer message) throws LinkTrouble, LogTrouble, InterruptedException;
    }

    /** Reads until the link closes. */
    void serve(Listener listener, Threads threads) throws LinkTrouble, LogTrouble, InterruptedException {
        Thread writer = threads.contained("session-out/" + nodeId, this::write, fault -> close());
        try {
            for (; ; ) {
                for (ToServer said : SaidByNode.clean(link.receive())) {
                    listener.hear(said);
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

    /** Whether the node has heard what it is to do. */
    boolean hasBeenTold() {
        return hasBeenTold;
    }

    /** The image may say something else of anything here. */
    void markAll() {
        outgoing.markAll();
    }

    /** It may of these allocations. */
    void mark(Collection<String> allocIds) {
        outgoing.mark(allocIds);
    }

    /** A variable has changed, which some task here may read. */
    void markVariables() {
        if (variables.areWanted()) {
            outgoing.markVariables();
        }
    }

    /** A service may be elsewhere, which some task here may read. */
    void markServices() {
        if (services.areWanted()) {
            outgoing.markVariables();
        }
    }

    /** A task reads a service, or none does any more. */
    void want(ToServer.ServicesWanted wanted) {
        if (services.want(newest.get().image(), wanted)) {
            outgoing.markVariables();
        }
    }

    /** A task reads its variables, or does no more. */
    void want(ToServer.VariablesWanted wanted) {
        if (variables.want(newest.get().image(), wanted)) {
            outgoing.markVariables();
        }
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

    private boolean mayTell(ClusterState image) {
        return isTold.getAsBoolean() && !image.isRecovering();
    }

    /** Once a node was told something, it may be told more until its link closes. */
    private void look(Outgoing.Turn turn, SentAssignments told) throws LinkTrouble, InterruptedException {
        Applied<ClusterState> seen = newest.get();
        if (!mayTell(seen.image())) {
            return;
        }
        if (turn.all()) {
            told.tell(seen);
        } else if (!turn.marked().isEmpty()) {
            told.tell(seen, turn.marked());
        }
        if (turn.variables()) {
            variables.tell(seen.image(), link::send);
            services.tell(seen.image(), link::send);
        }
        hasBeenTold |= turn.all() || !turn.marked().isEmpty();
    }

    private void write() throws InterruptedException {
        SentAssignments told = new SentAssignments(nodeId, vault, link::send);
        try {
            while (!outgoing.isClosed()) {
                Outgoing.Turn turn = outgoing.take();
                if (turn.isToLook()) {
                    look(turn, told);
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
