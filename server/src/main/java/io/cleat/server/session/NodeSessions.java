package io.cleat.server.session;

import io.cleat.base.ByteBudget;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.InvariantBroken;
import io.cleat.base.LinkTrouble;
import io.cleat.base.LogTrouble;
import io.cleat.base.Retry;
import io.cleat.base.TextRule;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.model.NodeFacts;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Committer;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.Recovery;
import io.cleat.server.decide.RegisterNode;
import io.cleat.server.decide.ReportAllocations;
import io.cleat.server.decide.ReportFacts;
import io.cleat.server.vault.Vault;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.TableName;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.Link;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.SaidByNode;
import io.cleat.wire.Sessions;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireFormat;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Serves the links of all nodes. Links live within a reign: when it ends they are closed, and the
 * nodes come again and hear the new one.
 *
 * <p>Guarded by {@code lock}, never held while something is sent or committed.
 */
public final class NodeSessions implements Sessions, Silence {
    private static final Logger LOG = LoggerFactory.getLogger(NodeSessions.class);
    private static final Duration GREET_WITHIN = Duration.ofSeconds(10);
    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(30);
    private static final Set<TableName> ASSIGNED =
            EnumSet.of(
                    TableName.ALLOCATIONS,
                    TableName.CLAIMS,
                    TableName.ATTACHMENTS,
                    TableName.VOLUMES,
                    TableName.VOLUME_TOMBSTONES,
                    TableName.NODES,
                    TableName.HOLDINGS);

    private final Committer<ClusterState, Change> committer;
    private final Vault vault;
    private final Time time;
    private final Threads threads;
    private final Ids ids;
    private final Heartbeats heartbeats;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, NodeSession> sessions = new HashMap<>();
    private final Questions<OrderOutcome> questions;
    private final FormerLink formerLink;
    private final OtherPasts otherPasts;
    private final Settling settling;
    private final ByteBudget waiting;
    private long reign;

    public NodeSessions(
            Committer<ClusterState, Change> committer,
            Vault vault,
            Time time,
            Threads threads,
            Ids ids) {
        this.committer = committer;
        this.vault = vault;
        this.time = time;
        this.threads = threads;
        this.ids = ids;
        this.questions = new Questions<>(time);
        this.formerLink = new FormerLink(time, ids);
        this.otherPasts = new OtherPasts(committer, time);
        this.settling = new Settling(time);
        this.waiting = Outgoing.ofHeap(time);
        this.heartbeats = new Heartbeats(time, ALLOWED);
    }

    /**
     * A reign begins: nodes are let in, and each known one has its whole time to be heard.
     *
     * @param number larger than that of each reign before in which an order was sent; from 1
     */
    public void begin(long number) {
        ClusterState now = newest();
        heartbeats.begin(expected(now));
        settling.begin(expected(now));
        otherPasts.forgetTold();
        if (now.isRecovering()) {
            LOG.error("{}", Recovery.refusal(now).message());
        }
        lock.lock();
        try {
            reign = number;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nodes are let in; false when the deadline passes first. */
    public boolean awaitOpen(Deadline deadline) throws InterruptedException {
        return awaitReign(deadline) > 0;
    }

    /** The reign ends: all links are closed, and none is let in until the next. */
    public void end() {
        lock.lock();
        try {
            reign = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        closeAll();
    }

    /** The image has changed: what is assigned may have too. Returns at once. */
    public void imageChanged(ClusterState before, ClusterState after) {
        if (before.isRecovering() != after.isRecovering()) {
            recovering(after);
        }
        if (ASSIGNED.stream().anyMatch(table -> before.version(table) != after.version(table))) {
            imageReplaced();
        }
    }

    /** A recovery begins: all links close, and nodes come again to be heard. Or it has ended. */
    private void recovering(ClusterState now) {
        if (reign() == 0) {
            return; // it is read again from the log
        }
        otherPasts.forgetTold();
        if (now.isRecovering()) {
            LOG.error("{}", Recovery.refusal(now).message());
            closeAll();
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

    private void closeAll() {
        List<NodeSession> all;
        lock.lock();
        try {
            all = List.copyOf(sessions.values());
        } finally {
            lock.unlock();
        }
        all.forEach(NodeSession::close);
    }

    /** Nothing is known of what has changed. */
    public void imageReplaced() {
        if (newest().isRecovering()) {
            closeAll();
        }
        lock.lock();
        try {
            sessions.values().forEach(NodeSession::mark);
        } finally {
            lock.unlock();
        }
    }

    /** Sends soon, if the node is connected; whether it arrives is not known. */
    public boolean say(String nodeId, ToNode message) {
        return find(nodeId).map(session -> session.say(message)).orElse(false);
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
            boolean said = say(nodeId, new ToNode.Order(id, reign(), pluginId, allocId, call));
            return said ? questions.await(id, deadline) : Optional.empty();
        } finally {
            questions.close(id);
        }
    }

    /** The nodes that have said what they hold, to this leader, in the recovery that goes on. */
    public Set<String> toldInRecovery() {
        return otherPasts.told();
    }

    /** Whether it can be told something now. */
    public boolean isConnected(String nodeId) {
        return settling.isOver() && find(nodeId).isPresent();
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
        find(nodeId).ifPresent(NodeSession::close);
    }

    @Override
    public void serve(Link<ToNode, ToServer> link) throws InterruptedException {
        try (link) {
            if (link.receive() instanceof ToServer.Hello hello) {
                greet(link, hello);
            } else {
                link.send(new ToNode.Rejected("the first message has to be Hello"));
            }
        } catch (LinkTrouble closed) {
            // Whoever says what is no message is not one of our nodes, or an older one.
            LOG.atLevel(closed.retry().equals(Retry.NEVER) ? Level.WARN : Level.DEBUG)
                    .log("a link has ended: {}", closed.reason());
        } catch (LogTrouble trouble) {
            LOG.warn(
                    "the link of a node is closed, and it will say everything again: {}",
                    trouble.reason());
        }
    }

    private void greet(Link<ToNode, ToServer> link, ToServer.Hello hello)
            throws LinkTrouble, LogTrouble, InterruptedException {
        if (hello.wireVersion() != WireFormat.VERSION) {
            link.send(
                    new ToNode.Rejected(
                            "this server speaks version "
                                    + WireFormat.VERSION
                                    + " of the node protocol and the node version "
                                    + hello.wireVersion()
                                    + ": run the same release on both"));
            return;
        }
        Optional<String> fault = SaidByNode.fault(hello.facts());
        if (fault.isPresent()) {
            reject(link, hello.facts(), fault.get());
            return;
        }
        NodeFacts facts = SaidByNode.clean(hello.facts());
        Deadline deadline = Deadline.in(time, GREET_WITHIN);
        long within = awaitReign(deadline);
        if (within == 0) {
            link.send(new ToNode.Rejected("this server does not lead now; try again"));
            return;
        }
        switch (otherPasts.meet(facts, hello, clusterId(), deadline)) {
            case OtherPasts.Met.Stranger(String why) -> reject(link, facts, why);
            case OtherPasts.Met.Telling(String why) -> {
                otherPasts.hear(link, facts, hello.nodeSecret());
                reject(link, facts, why);
            }
            case OtherPasts.Met.LetIn(boolean anew) -> {
                String secret = SecretDigest.of(hello.nodeSecret());
                register(link, facts, secret, within, anew);
            }
        }
    }

    private void register(
            Link<ToNode, ToServer> link,
            NodeFacts facts,
            String secretDigest,
            long within,
            boolean anew)
            throws LinkTrouble, LogTrouble, InterruptedException {
        boolean formerAnswers = formerAnswers(facts, secretDigest);
        if ((formerAnswers || isOver(facts))
                && !formerLink.comesAgain(facts.id(), facts.bootId())) {
            reject(link, facts, "another boot of this node was let in; come again");
            return;
        }
        Answer<RegisterNode.Reply> answer =
                committer.commit(
                        new RegisterNode(facts, secretDigest, formerAnswers, ids.next()),
                        Optional.empty(),
                        Deadline.in(time, GREET_WITHIN));
        switch (answer) {
            case Answer.Rejected<RegisterNode.Reply> rejected ->
                    reject(link, facts, rejected.refusal().message());
            case Answer.Accepted<RegisterNode.Reply>(RegisterNode.NotLetIn(String why), _) ->
                    reject(link, facts, why);
            case Answer.Accepted<RegisterNode.Reply> _ -> {
                if (settling.met(facts.id())) {
                    imageReplaced();
                }
                link.send(new ToNode.Welcome(clusterId(), HEARTBEAT, within, anew));
                serve(
                        new NodeSession(
                                facts.id(),
                                facts.bootId(),
                                link,
                                committer::applied,
                                vault,
                                settling::isOver,
                                waiting),
                        facts,
                        secretDigest,
                        within);
            }
        }
    }

    /**
     * Whether the node has a link from another boot on which somebody answers. One on which nobody
     * does is closed: nothing that is still to come on it is believed after the new boot.
     */
    private boolean formerAnswers(NodeFacts facts, String secret) throws InterruptedException {
        Supplier<Optional<NodeSession>> former =
                () -> find(facts.id()).filter(session -> !session.bootId().equals(facts.bootId()));
        boolean isTrusted =
                newest().node(facts.id())
                        .filter(node -> node.secretDigest().equals(secret))
                        .isPresent();
        if (!isTrusted) {
            return false;
        }
        boolean answers = formerLink.answers(former);
        if (!answers) {
            former.get().ifPresent(NodeSession::close);
        }
        return answers;
    }

    private boolean isOver(NodeFacts facts) {
        return newest().node(facts.id())
                .filter(node -> node.proof().overBoots().contains(facts.bootId()))
                .isPresent();
    }

    private static void reject(Link<ToNode, ToServer> link, NodeFacts facts, String why)
            throws LinkTrouble, InterruptedException {
        LOG.warn("node {} is not let in: {}", TextRule.quoted(facts.id()), why);
        link.send(new ToNode.Rejected(why));
    }

    private void serve(NodeSession session, NodeFacts facts, String secretDigest, long within)
            throws LinkTrouble, LogTrouble, InterruptedException {
        if (!enter(session, within, Deadline.in(time, COMMIT_WITHIN))) {
            return;
        }
        HeldInParts parts = new HeldInParts(session.nodeId());
        try {
            heartbeats.heard(session.nodeId());
            // An older link may have reported older facts after this node was registered.
            report(session, new ReportFacts(facts, ids.next()));
            askForOrders(session);
            Reports reports = new Reports(session.nodeId(), vault, ids);
            session.serve(
                    message -> {
                        if (message instanceof ToServer.Holds part) {
                            Optional<List<ToServer.Held>> all = parts.add(part);
                            if (all.isPresent()) {
                                otherPasts.take(session.nodeId(), secretDigest, all.get());
                            }
                        } else {
                            hear(session, reports, message);
                        }
                    },
                    threads);
        } finally {
            leave(session);
        }
    }

    private void hear(NodeSession session, Reports reports, ToServer message)
            throws LinkTrouble, LogTrouble, InterruptedException {
        heartbeats.heard(session.nodeId());
        if (message instanceof ToServer.Heartbeat(long number)) {
            session.say(new ToNode.HeartbeatSeen(number));
            if (!session.hasBeenTold()) {
                session.mark();
            }
            if (!newest().holdingsOnNode(session.nodeId()).isEmpty()) {
                session.say(new ToNode.Tell());
            }
        }
        if (message instanceof ToServer.OrderDone(String id, OrderOutcome outcome)
                && questions.answered(id, outcome)) {
            return;
        }
        if (message instanceof ToServer.Facts(NodeFacts facts)) {
            Optional<String> fault = SaidByNode.fault(facts);
            if (fault.isPresent()) {
                refuse(session, fault.get());
                return;
            }
        }
        if (message instanceof ToServer.OrderState(String id, boolean _)
                && formerLink.answered(id)) {
            return;
        }
        Optional<Command<?>> command = reports.command(message, newest());
        if (command.isPresent() && command.get() instanceof ReportAllocations all) {
            reportAll(session, all);
        } else if (command.isPresent()) {
            report(session, command.get());
        }
    }

    /** What a node says of many allocations is taken in by parts, in the order in which it is. */
    private void reportAll(NodeSession session, ReportAllocations all)
            throws LinkTrouble, LogTrouble, InterruptedException {
        ReportAllocations rest = all;
        while (!rest.reports().isEmpty()) {
            Answer<ReportAllocations.Reply> answer =
                    committer.commit(rest, Optional.empty(), Deadline.in(time, COMMIT_WITHIN));
            switch (answer) {
                case Answer.Accepted<ReportAllocations.Reply>(var reply, _) ->
                        rest = rest.after(reply.taken(), ids.next());
                case Answer.Rejected<ReportAllocations.Reply> rejected -> {
                    refuse(session, rejected.refusal().message());
                    return;
                }
            }
        }
    }

    private <R> void report(NodeSession session, Command<R> command)
            throws LinkTrouble, LogTrouble, InterruptedException {
        Answer<R> answer =
                committer.commit(command, Optional.empty(), Deadline.in(time, COMMIT_WITHIN));
        if (answer instanceof Answer.Rejected<R> rejected) {
            refuse(session, rejected.refusal().message());
        }
    }

    /** Not taken in: the node says everything again on its next link. */
    private static void refuse(NodeSession session, String why) {
        LOG.warn("what node {} reports is refused, and its link closed: {}", session.nodeId(), why);
        session.close();
    }

    /** What was sent on an earlier link may have been lost, or ended unheard. */
    private void askForOrders(NodeSession session) {
        for (OperationRow operation : newest().operationsOnNode(session.nodeId())) {
            if (operation.state() == OperationState.SENT) {
                session.say(new ToNode.AskOrder(operation.id()));
            }
        }
    }

    /**
     * Takes the place of the node's older link, once the last of what that one reported is settled:
     * what is reported here is newer.
     */
    private boolean enter(NodeSession session, long within, Deadline deadline)
            throws InterruptedException {
        find(session.nodeId()).ifPresent(NodeSession::close);
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (reign == within && sessions.containsKey(session.nodeId()) && hasTime) {
                hasTime = time.await(changed, deadline);
            }
            return reign == within && sessions.putIfAbsent(session.nodeId(), session) == null;
        } finally {
            lock.unlock();
        }
    }

    private void leave(NodeSession session) {
        lock.lock();
        try {
            sessions.remove(session.nodeId(), session);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private Optional<NodeSession> find(String nodeId) {
        lock.lock();
        try {
            return Optional.ofNullable(sessions.get(nodeId));
        } finally {
            lock.unlock();
        }
    }

    private long reign() {
        lock.lock();
        try {
            return reign;
        } finally {
            lock.unlock();
        }
    }

    private long awaitReign(Deadline deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            boolean hasTime = true;
            while (reign == 0 && hasTime) {
                hasTime = time.await(changed, deadline);
            }
            return reign;
        } finally {
            lock.unlock();
        }
    }

    private ClusterState newest() {
        return committer.applied().image();
    }

    private String clusterId() {
        return newest().clusterId()
                .orElseThrow(
                        () ->
                                new InvariantBroken(
                                        "a cluster is formed before its first node is let in",
                                        "no id"));
    }
}
