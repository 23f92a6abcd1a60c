package io.cleat.server.session;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.LinkTrouble;
import io.cleat.base.LogTrouble;
import io.cleat.base.Ordered;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.model.NodeFacts;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Applied;
import io.cleat.server.commit.Committer;
import io.cleat.server.commit.Past;
import io.cleat.server.decide.NoteOtherPast;
import io.cleat.server.decide.Recovery;
import io.cleat.server.decide.TakeHoldings;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HoldingId;
import io.cleat.state.VolumeKey;
import io.cleat.wire.Link;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of a node by what it has acted on before. One that knows more than these servers do puts the cluster
 * into recovery; in a recovery, nodes are heard and told nothing.
 *
 * <p>Any thread.
 */
final class OtherPasts {
    private static final Logger LOG = LoggerFactory.getLogger(OtherPasts.class);
    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(30);

    private final Committer<ClusterState, Change> committer;
    private final Time time;

    /** Who has said what it holds in this recovery; said again to each leader. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    OtherPasts(Committer<ClusterState, Change> committer, Time time) {
        this.committer = committer;
        this.time = time;
    }

    /** How a node is met. */
    sealed interface Met {
        /**
         * It is let in.
         *
         * @param anew though it has acted on another past: a person has ended the recovery of it
         */
        record LetIn(boolean anew) implements Met {}

        /** Nothing of it is heard. */
        record Stranger(String why) implements Met {}

        /** It is to say what it holds, and is not let in. */
        record Telling(String why) implements Met {}
    }

    /**
     * Asked before anything is done for the node: registered, it would be given work that it does not take.
     *
     * @param clusterId of this server
     * @param reign its number, which is larger than that of each one before that has ordered anything
     */
    Met meet(NodeFacts facts, ToServer.Hello hello, String clusterId, long reign, Deadline deadline)
            throws LogTrouble, InterruptedException {
        ToServer.Obeyed obeyed = hello.obeyed();
        if (obeyed != null && !obeyed.clusterId().equals(clusterId)) {
            return new Met.Stranger(obeyed.isNotOf(clusterId));
        }
        boolean anew = obeyed != null && isSettled(facts.id(), obeyed);
        Optional<String> why = obeyed == null || anew ? Optional.empty() : unknown(obeyed, reign);
        if (obeyed != null && why.isPresent()) {
            LOG.warn("node {}: {}", facts.id(), why.get());
            Answer<NoteOtherPast.Reply> answer = committer.commit(
                    new NoteOtherPast(
                            facts.id(),
                            facts.name(),
                            SecretDigest.of(hello.nodeSecret()),
                            obeyed.version(),
                            obeyed.lineage()),
                    Optional.empty(),
                    deadline);
            if (answer instanceof Answer.Rejected<NoteOtherPast.Reply> rejected) {
                return new Met.Stranger(rejected.refusal().message());
            }
            return new Met.Telling(why.get());
        }
        ClusterState now = committer.applied().image();
        return now.isRecovering() ? new Met.Telling(Recovery.refusal(now).message()) : new Met.LetIn(anew);
    }

    /** Whether a person has ended the recovery that this past of the node has begun. */
    private boolean isSettled(String nodeId, ToServer.Obeyed obeyed) {
        return committer
                .applied()
                .image()
                .otherPast(nodeId)
                .filter(row -> !row.open() && row.is(obeyed.version(), obeyed.lineage()))
                .isPresent();
    }

    private Optional<String> unknown(ToServer.Obeyed obeyed, long reign) {
        Applied<ClusterState> applied = committer.applied();
        Past past = applied.past(obeyed.version(), obeyed.lineage());
        return switch (past) {
            case SAME -> obeyed.reign() > reign ? Optional.of(obeyed.isOfLaterReign(reign)) : Optional.empty();
            case AHEAD -> Optional.of(obeyed.isAheadOf(applied.version()));
            case DIVERGED -> Optional.of(obeyed.hasPartedFrom(applied.version()));
        };
    }

    /**
     * Has the node say what it holds, and takes that in.
     *
     * @throws LinkTrouble it says something else
     */
    void hear(Link<ToNode, ToServer> link, NodeFacts facts, String nodeSecret)
            throws LinkTrouble, LogTrouble, InterruptedException {
        link.send(new ToNode.Tell());
        HeldInParts parts = new HeldInParts(facts.id());
        Optional<List<ToServer.Held>> all = Optional.empty();
        while (all.isEmpty()) {
            if (!(link.receive() instanceof ToServer.Holds part)) {
                throw new LinkTrouble(
                        "node " + facts.id() + " was asked what it holds, and did not say it",
                        Effect.NONE,
                        Retry.SAME_CALL);
            }
            all = parts.add(part);
        }
        if (take(facts.id(), SecretDigest.of(nodeSecret), all.get())) {
            told.add(facts.id());
        }
    }

    /** A recovery begins or ends, or another leader: nobody has said anything yet. */
    void forgetTold() {
        told.clear();
    }

    /** The nodes that have said what they hold, to this leader, in this recovery. */
    Set<String> told() {
        return Ordered.copyOf(told);
    }

    /** Takes in what a node says it holds: all of it. False if that is refused. */
    boolean take(String nodeId, String secretDigest, List<ToServer.Held> all) throws LogTrouble, InterruptedException {
        TakeHoldings command = new TakeHoldings(
                nodeId,
                secretDigest,
                all.stream()
                        .map(held -> new HoldingId(
                                nodeId,
                                new VolumeKey(held.pluginId(), held.externalId()),
                                held.allocId(),
                                held.alias()))
                        .toList());
        boolean more = true;
        while (more) {
            switch (committer.commit(command, Optional.empty(), Deadline.in(time, COMMIT_WITHIN))) {
                case Answer.Accepted<TakeHoldings.Reply>(var reply, var _) -> more = reply.more();
                case Answer.Rejected<TakeHoldings.Reply> rejected -> {
                    LOG.warn(
                            "what node {} says it holds is not taken in: {}",
                            nodeId,
                            rejected.refusal().message());
                    return false;
                }
            }
        }
        return true;
    }
}
