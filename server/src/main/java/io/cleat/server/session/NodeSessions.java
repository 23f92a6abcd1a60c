package io.cleat.server.session;

import io.cleat.base.ByteBudget;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.LinkTrouble;
import io.cleat.base.LogTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.server.commit.Applied;
import io.cleat.server.commit.AppliedDecision;
import io.cleat.server.commit.Committer;
import io.cleat.server.commit.DecisionListener;
import io.cleat.server.decide.Recovery;
import io.cleat.server.vault.Vault;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.Link;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.Sessions;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Serves the links of all nodes. Links live within a reign: when it ends they are closed, and the nodes come again and
 * hear the new one. Any thread.
 */
public final class NodeSessions implements Sessions, Liveness, DecisionListener<ClusterState, Change> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSessions.class);
    private static final Duration ENTER_WITHIN = Duration.ofSeconds(30);

    private final Committer<ClusterState, Change> committer;
    private final Vault vault;
    private final Time time;
    private final Threads threads;
    private final Ids ids;
    private final Heartbeats heartbeats;
    private final OpenSessions sessions;
    private final Questions<OrderOutcome> questions;
    private final OtherPasts otherPasts;
    private final GracePeriod gracePeriod;
    private final Greeting greeting;
    private final SessionMessages.Heard heard;
    private final ByteBudget waiting;

    public NodeSessions(Committer<ClusterState, Change> committer, Vault vault, Time time, Threads threads, Ids ids) {
        this.committer = committer;
        this.vault = vault;
        this.time = time;
        this.threads = threads;
        this.ids = ids;
        this.heartbeats = new Heartbeats(time, ALLOWED);
        this.sessions = new OpenSessions(time);
        this.questions = new Questions<>(time);
        this.otherPasts = new OtherPasts(committer, time);
        this.gracePeriod = new GracePeriod(time);
        this.waiting = Outgoing.ofHeap(time);
        FormerLink formerLink = new FormerLink(time, ids);
        this.greeting = new Greeting(committer, time, ids, sessions, formerLink, otherPasts);
        this.heard = new SessionMessages.Heard(heartbeats, questions, formerLink, otherPasts);
    }

    /**
     * A reign begins: nodes are let in, and each known one has its whole time to be heard.
     *
     * @param number larger than that of each reign before in which an order was sent; from 1
     */
    public void begin(long number) {
        ClusterState now = newest();
        heartbeats.begin(expected(now));
        gracePeriod.begin(expected(now));
        otherPasts.forgetTold();
        if (now.isRecovering()) {
            LOG.error("{}", Recovery.refusal(now).message());
        }
        sessions.begin(number);
    }

    /** Waits until nodes are let in; false when the deadline passes first. */
    public boolean awaitOpen(Deadline deadline) throws InterruptedException {
        return sessions.awaitReign(deadline) > 0;
    }

    /** The reign ends: all links are closed, and none is let in until the next. */
    public void end() {
        sessions.end();
    }

    @Override
    public void applied(AppliedDecision<ClusterState, Change> decision) {
        if (decision.before().isRecovering() != decision.after().isRecovering()) {
            recovering(decision.after());
        }
        if (!sessions.isEmpty()) {
            sessions.mark(AffectedAllocations.by(decision.before(), decision.changes(), decision.after()));
        }
    }

    /** A recovery begins: all links close, and nodes come again to be heard. Or it has ended. */
    private void recovering(ClusterState now) {
        if (sessions.reign() == 0) {
            return; // it is read again from the log
        }
        otherPasts.forgetTold();
        if (now.isRecovering()) {
            LOG.error("{}", Recovery.refusal(now).message());
            sessions.closeAll();
        } else {
            LOG.warn("the recovery was ended; what the nodes hold and nobody knows stays held");
            heartbeats.begin(expected(now));
        }
    }

    /** The nodes that are to be heard: each known one that is not down. */
    private static List<String> expected(ClusterState now) {
        return now.nodes().stream()
                .filter(node -> node.status() != NodeStatus.DOWN)
                .map(NodeRow::id)
                .toList();
    }

    @Override
    public void installed(Applied<ClusterState> after) {
        if (after.image().isRecovering()) {
            sessions.closeAll();
        }
        sessions.markAll();
    }

    /** Sends soon, if the node is connected; whether it arrives is not known. */
    public boolean say(String nodeId, ToNode message) {
        return sessions.find(nodeId).map(session -> session.say(message)).orElse(false);
    }

    /**
     * Has a controller asked something that changes nothing, and of which nothing is kept.
     *
     * @return how it ended; empty if it was not heard in time
     */
    public Optional<OrderOutcome> ask(
            String nodeId, String pluginId, String allocId, ControllerCall call, Deadline deadline)
            throws InterruptedException {
        String id = ids.next();
        questions.open(id);
        try {
            long reign = sessions.reign();
            boolean said = say(nodeId, new ToNode.Order(id, reign, pluginId, allocId, call));
            return said ? questions.await(id, deadline) : Optional.empty();
        } finally {
            questions.close(id);
        }
    }

    /** The nodes that have said what they hold, to this leader, in the recovery that goes on. */
    public Set<String> toldInRecovery() {
        return otherPasts.told();
    }

    /** Whether it has a link: what is said to it is sent. */
    public boolean isLinked(String nodeId) {
        return sessions.find(nodeId).isPresent();
    }

    /** Whether it can be told something now. */
    public boolean isConnected(String nodeId) {
        return gracePeriod.isOver() && isLinked(nodeId);
    }

    @Override
    public List<String> overdue() {
        return heartbeats.overdue();
    }

    @Override
    public Duration untilNextOverdue() {
        return heartbeats.untilNext();
    }

    @Override
    public void forget(String nodeId) {
        heartbeats.forget(nodeId);
        sessions.find(nodeId).ifPresent(NodeSession::close);
    }

    @Override
    public void serve(Link<ToNode, ToServer> link) throws InterruptedException {
        try (link) {
            if (link.receive() instanceof ToServer.Hello hello) {
                Optional<Greeting.LetIn> node = greeting.meet(link, hello);
                if (node.isPresent()) {
                    welcome(link, node.get());
                }
            } else {
                link.send(new ToNode.Rejected("the first message has to be Hello"));
            }
        } catch (LinkTrouble closed) {
            // Whoever says what is no message is not one of our nodes, or an older one.
            LOG.atLevel(closed.retry().equals(Retry.NEVER) ? Level.WARN : Level.DEBUG)
                    .log("a link has ended: {}", closed.reason());
        } catch (LogTrouble trouble) {
            LOG.warn("the link of a node is closed, and it will say everything again: {}", trouble.reason());
        }
    }

    private void welcome(Link<ToNode, ToServer> link, Greeting.LetIn node)
            throws LinkTrouble, LogTrouble, InterruptedException {
        if (gracePeriod.met(node.facts().id())) {
            sessions.markAll();
        }
        NodeSession session = new NodeSession(
                node.facts().id(),
                node.facts().bootId(),
                link,
                committer::applied,
                vault,
                gracePeriod::isOver,
                waiting);
        if (!sessions.enter(session, node.within(), Deadline.in(time, ENTER_WITHIN))) {
            return;
        }
        try {
            // Only now: whoever is welcome is asked before another boot of the node is let in.
            link.send(new ToNode.Welcome(node.clusterId(), HEARTBEAT, node.within(), node.anew()));
            SessionMessages messages =
                    new SessionMessages(session, node.secretDigest(), heard, committer, vault, time, ids);
            messages.begin(node.facts());
            session.serve(messages, threads);
        } finally {
            sessions.leave(session);
        }
    }

    private ClusterState newest() {
        return committer.applied().image();
    }
}
