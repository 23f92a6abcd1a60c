package io.cleat.server.session;

import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.InvariantBroken;
import io.cleat.base.LinkTrouble;
import io.cleat.base.LogTrouble;
import io.cleat.base.TextRule;
import io.cleat.base.Time;
import io.cleat.model.NodeFacts;
import io.cleat.server.commit.Answer;
import io.cleat.server.commit.Committer;
import io.cleat.server.decide.RegisterNode;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.wire.Link;
import io.cleat.wire.SaidByNode;
import io.cleat.wire.ToNode;
import io.cleat.wire.ToServer;
import io.cleat.wire.WireVersions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether the one who says to be a node is let in as that node, and tells the one who is not why. Any thread.
 */
final class Greeting {
    private static final Logger LOG = LoggerFactory.getLogger(Greeting.class);
    private static final Duration WITHIN = Duration.ofSeconds(10);

    private final Committer<ClusterState, Change> committer;
    private final Time time;
    private final Ids ids;
    private final OpenSessions sessions;
    private final FormerLink formerLink;
    private final OtherPasts otherPasts;

    Greeting(
            Committer<ClusterState, Change> committer,
            Time time,
            Ids ids,
            OpenSessions sessions,
            FormerLink formerLink,
            OtherPasts otherPasts) {
        this.committer = committer;
        this.time = time;
        this.ids = ids;
        this.sessions = sessions;
        this.formerLink = formerLink;
        this.otherPasts = otherPasts;
    }

    /**
     * Who is let in, and registered.
     *
     * @param within the reign in which it was
     * @param anew though it has acted on another past: a person has ended the recovery of it
     */
    record LetIn(NodeFacts facts, String secretDigest, String clusterId, long within, boolean anew) {}

    /**
     * Lets in who comes with {@code hello}.
     *
     * @return empty for one who is not let in, and was told so
     */
    Optional<LetIn> meet(Link<ToNode, ToServer> link, ToServer.Hello hello)
            throws LinkTrouble, LogTrouble, InterruptedException {
        if (!WireVersions.OURS.has(hello.wireVersion())) {
            link.send(new ToNode.Rejected("this server speaks "
                    + WireVersions.OURS.words()
                    + " of the node protocol and the node version "
                    + hello.wireVersion()
                    + ": run the same release on both"));
            return Optional.empty();
        }
        Optional<String> fault = SaidByNode.fault(hello.facts());
        if (fault.isPresent()) {
            return reject(link, hello.facts(), fault.get());
        }
        NodeFacts facts = SaidByNode.clean(hello.facts());
        Deadline deadline = Deadline.in(time, WITHIN);
        long within = sessions.awaitReign(deadline);
        if (within == 0) {
            link.send(new ToNode.Rejected(committer
                    .status()
                    .log()
                    .refusing()
                    .map(full -> "this server decides nothing now: " + full.message())
                    .orElse("this server does not lead now; try again")));
            return Optional.empty();
        }
        return switch (otherPasts.meet(facts, hello, clusterId(), within, deadline)) {
            case OtherPasts.Met.Stranger(String why) -> reject(link, facts, why);
            case OtherPasts.Met.Telling(String why) -> {
                otherPasts.hear(link, facts, hello.nodeSecret());
                yield reject(link, facts, why);
            }
            case OtherPasts.Met.LetIn(boolean anew) -> {
                String secret = SecretDigest.of(hello.nodeSecret());
                yield register(link, new LetIn(facts, secret, clusterId(), within, anew));
            }
        };
    }

    private Optional<LetIn> register(Link<ToNode, ToServer> link, LetIn node)
            throws LinkTrouble, LogTrouble, InterruptedException {
        NodeFacts facts = node.facts();
        boolean formerAnswers = formerAnswers(facts, node.secretDigest());
        if ((formerAnswers || isOver(facts)) && !formerLink.comesAgain(facts.id(), facts.bootId())) {
            return reject(link, facts, "another boot of this node was let in; come again");
        }
        Answer<RegisterNode.Reply> answer = committer.commit(
                new RegisterNode(facts, node.secretDigest(), formerAnswers, ids.next()),
                Optional.empty(),
                Deadline.in(time, WITHIN));
        return switch (answer) {
            case Answer.Rejected<RegisterNode.Reply> rejected ->
                reject(link, facts, rejected.refusal().message());
            case Answer.Accepted<RegisterNode.Reply>(RegisterNode.NotLetIn(String why), var _) ->
                reject(link, facts, why);
            case Answer.Accepted<RegisterNode.Reply> _ -> Optional.of(node);
        };
    }

    /**
     * Whether the node has a link from another boot on which somebody answers. One on which nobody does is closed:
     * nothing that is still to come on it is believed after the new boot.
     */
    private boolean formerAnswers(NodeFacts facts, String secret) throws InterruptedException {
        Supplier<Optional<NodeSession>> former = () ->
                sessions.find(facts.id()).filter(session -> !session.bootId().equals(facts.bootId()));
        boolean isTrusted = newest().node(facts.id())
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

    private static Optional<LetIn> reject(Link<ToNode, ToServer> link, NodeFacts facts, String why)
            throws LinkTrouble, InterruptedException {
        LOG.warn("node {} is not let in: {}", TextRule.quoted(facts.id()), why);
        link.send(new ToNode.Rejected(why));
        return Optional.empty();
    }

    private String clusterId() {
        return newest().clusterId()
                .orElseThrow(() -> new InvariantBroken("a cluster is formed before its first node is let in", "no id"));
    }

    private ClusterState newest() {
        return committer.applied().image();
    }
}
