package io.cleat.server.session;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.LinkTrouble;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Time;
import io.cleat.model.NodeFacts;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Committer;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.ReportAllocations;
import io.cleat.server.decide.ReportFacts;
import io.cleat.server.vault.Vault;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.wire.OrderOutcome;
import io.cleat.wire.SaidByNode;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done with what one node says in one session: it answers a question, or becomes a command. A session of which
 * something is refused is closed, and the node says everything again on its next link: at once, but for what a full
 * disk refuses, as soon as there is room. Events are dropped then: they are for people, and no node says them twice.
 * One thread, that which serves the session.
 */
final class SessionMessages implements NodeSession.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(SessionMessages.class);
    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(30);

    private final NodeSession session;
    private final String secretDigest;
    private final Heard heard;
    private final Committer<ClusterState, Change> committer;
    private final Time time;
    private final Ids ids;
    private final Reports reports;
    private final HeldInParts parts;

    /** Whether something was not taken in for want of room that is to be said again. */
    private boolean isBehind;

    /** Whether the last events were dropped for want of room. */
    private boolean isDropping;

    /** Where what is heard of any node is noted, other than by a command. */
    record Heard(
            Heartbeats heartbeats, Questions<OrderOutcome> questions, FormerLink formerLink, OtherPasts otherPasts) {}

    SessionMessages(
            NodeSession session,
            String secretDigest,
            Heard heard,
            Committer<ClusterState, Change> committer,
            Vault vault,
            Time time,
            Ids ids) {
        this.session = session;
        this.secretDigest = secretDigest;
        this.heard = heard;
        this.committer = committer;
        this.time = time;
        this.ids = ids;
        this.reports = new Reports(session.nodeId(), vault, ids);
        this.parts = new HeldInParts(session.nodeId());
    }

    /**
     * The session begins.
     *
     * @param facts which the node said when it was let in
     */
    void begin(NodeFacts facts) throws LogTrouble, InterruptedException {
        heard.heartbeats().heard(session.nodeId());
        // An older link may have reported older facts after this node was registered.
        report(new ReportFacts(facts, ids.next()));
        askForOrders();
    }

    @Override
    public void hear(ToServer message) throws LinkTrouble, LogTrouble, InterruptedException {
        heard.heartbeats().heard(session.nodeId());
        if (isBehind && committer.status().log().refusing().isEmpty()) {
            LOG.info(
                    "there is room again: the link of node {} is closed, and it says everything again",
                    session.nodeId());
            session.close();
            return;
        }
        boolean isDone = switch (message) {
            case ToServer.Holds part -> {
                hold(part);
                yield true;
            }
            case ToServer.Heartbeat(long number) -> {
                beat(number);
                yield false;
            }
            case ToServer.OrderDone(String id, OrderOutcome outcome) ->
                heard.questions().answered(id, outcome);
            case ToServer.OrderState(String id, boolean _) -> heard.formerLink().answered(id);
            case ToServer.Facts(NodeFacts facts) -> isRefused(facts);
            case ToServer.ServicesWanted wanted -> {
                session.want(wanted);
                yield true;
            }
            case ToServer.VariablesWanted wanted -> {
                session.want(wanted);
                yield true;
            }
            default -> false;
        };
        if (!isDone) {
            report(message);
        }
    }

    private void hold(ToServer.Holds part) throws LinkTrouble, LogTrouble, InterruptedException {
        Optional<List<ToServer.Held>> all = parts.add(part);
        if (all.isPresent()) {
            heard.otherPasts().take(session.nodeId(), secretDigest, all.get());
        }
    }

    private void beat(long number) {
        session.say(new ToNode.HeartbeatSeen(number));
        if (!session.hasBeenTold()) {
            session.markAll();
        }
        if (!newest().holdings().onNode(session.nodeId()).isEmpty()) {
            session.say(new ToNode.Tell());
        }
    }

    private boolean isRefused(NodeFacts facts) {
        Optional<String> fault = SaidByNode.fault(facts);
        fault.ifPresent(this::close);
        return fault.isPresent();
    }

    private void report(ToServer message) throws LogTrouble, InterruptedException {
        Optional<Command<?>> command = reports.command(message, newest());
        if (command.isPresent() && command.get() instanceof ReportAllocations all) {
            reportAll(all);
        } else if (command.isPresent()) {
            report(command.get());
        }
    }

    /** What a node says of many allocations is taken in by parts, in the order in which it is. */
    private void reportAll(ReportAllocations all) throws LogTrouble, InterruptedException {
        ReportAllocations rest = all;
        while (!rest.reports().isEmpty()) {
            Answer<ReportAllocations.Reply> answer =
                    committer.commit(rest, Optional.empty(), Deadline.in(time, COMMIT_WITHIN));
            switch (answer) {
                case Answer.Accepted<ReportAllocations.Reply>(var reply, var _) ->
                    rest = rest.after(reply.taken(), ids.next());
                case Answer.Rejected<ReportAllocations.Reply> rejected -> {
                    refuse(rejected.refusal());
                    return;
                }
            }
        }
    }

    private <R> void report(Command<R> command) throws LogTrouble, InterruptedException {
        Answer<R> answer = committer.commit(command, Optional.empty(), Deadline.in(time, COMMIT_WITHIN));
        if (answer instanceof Answer.Rejected<R> rejected) {
            if (command.bringsMore() && rejected.refusal() instanceof Refusal.Exhausted full) {
                drop(full);
            } else {
                refuse(rejected.refusal());
            }
        } else if (command.bringsMore()) {
            isDropping = false;
        }
    }

    private void drop(Refusal.Exhausted full) {
        if (!isDropping) {
            LOG.warn("events of node {} are dropped: {}", session.nodeId(), full.message());
        }
        isDropping = true;
    }

    /** Not taken in: the node says everything again on its next link. */
    private void refuse(Refusal refusal) {
        if (!(refusal instanceof Refusal.Exhausted)) {
            close(refusal.message());
        } else if (!isBehind) {
            LOG.warn(
                    "what node {} reports is not noted; its link stays, and it says everything"
                            + " again once there is room: {}",
                    session.nodeId(),
                    refusal.message());
            isBehind = true;
        }
    }

    private void close(String why) {
        LOG.warn("what node {} reports is refused, and its link closed: {}", session.nodeId(), why);
        session.close();
    }

    /** What was sent on an earlier link may have been lost, or ended unheard. */
    private void askForOrders() {
        for (OperationRow operation : newest().operations().onNode(session.nodeId())) {
            if (operation.state() == OperationState.SENT) {
                session.say(new ToNode.AskOrder(operation.id()));
            }
        }
    }

    private ClusterState newest() {
        return committer.applied().image();
    }
}
