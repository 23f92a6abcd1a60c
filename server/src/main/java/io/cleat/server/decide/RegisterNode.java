package io.cleat.server.decide;

import io.cleat.base.Ordered;
import io.cleat.base.Refusal;
import io.cleat.model.MachinePrint;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeProof;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.Quarantine;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node says who it is, at the beginning of each connection. Who may be another machine with the node's id and secret
 * is not let in, and the node quarantined.
 *
 * @param secretDigest SHA-256, in hex, of the secret it proves itself with; the first one stays
 * @param formerAnswers whether somebody answers on a link of the node from another boot
 * @param seed a fresh id
 */
public record RegisterNode(NodeFacts facts, String secretDigest, boolean formerAnswers, String seed)
        implements Command<RegisterNode.Reply> {
    /** Whether the node is let in. */
    public sealed interface Reply {}

    /** @param isNew whether the node was not known before */
    public record LetIn(boolean isNew) implements Reply {}

    /** @param why in words for people, with what to do */
    public record NotLetIn(String why) implements Reply {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        return new RegisterNode(Nodes.readable(facts, context), secretDigest, formerAnswers, seed)
                .decided(newest, context);
    }

    private Decision<Change, Reply> decided(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<NodeRow> known = newest.node(facts.id());
        Optional<NodeRow> before = Nodes.everKnown(newest, facts.id());
        if (before.isPresent() && !before.get().secretDigest().equals(secretDigest)) {
            return Work.refuse(new Refusal.Forbidden("node secret ID does not match: node "
                    + facts.id()
                    + " is registered with another secret; if this machine is to be"
                    + " a new node, remove the node's state directory first"));
        }
        Optional<String> doubt = before.flatMap(row -> MachineProof.doubt(row, facts, formerAnswers));
        if (doubt.isPresent()) {
            quarantine(work, before.get(), known.isPresent(), doubt.get());
            return work.accept(new NotLetIn(MachineProof.refusal(before.get(), doubt.get())));
        }
        boolean comes = known.isEmpty() || known.get().status() != NodeStatus.READY;
        String message = known.isEmpty() ? "Node registered" : "Node re-registered";
        NodeRow row = known.orElseGet(() -> new NodeRow(
                        facts,
                        NodeStatus.INITIALIZING,
                        "",
                        true,
                        secretDigest,
                        work.now(),
                        List.of(),
                        null,
                        NodeProof.NONE,
                        0,
                        0))
                .withFacts(facts)
                .withProof(before.map(this::proof).orElse(NodeProof.NONE))
                .withStatus(NodeStatus.READY, "ready", work.now());
        if (comes) {
            row = row.withEvents(List.of(new NodeEvent("Cluster", message, Map.of(), work.now())));
        }
        if (!known.equals(Optional.of(row))) {
            work.add(new Change.NodePut(row));
        }
        NewIds ids = new NewIds(seed);
        Nodes.changed(work, before.map(NodeRow::facts), facts, comes, ids);
        return work.accept(new LetIn(known.isEmpty()));
    }

    private NodeProof proof(NodeRow before) {
        String boot = before.facts().bootId();
        return boot.equals(facts.bootId()) ? before.proof() : before.proof().over(boot);
    }

    /** Once, however often the same one comes. A node that was collected has a row again. */
    private void quarantine(Work work, NodeRow node, boolean isKnown, String why) {
        MachinePrint print = MachinePrint.of(facts);
        Quarantine there = node.proof().quarantine();
        if (isKnown
                && there != null
                && there.bootId().equals(facts.bootId())
                && there.machine().equals(print)) {
            return;
        }
        NodeRow row = isKnown ? node : node.withStatus(NodeStatus.INITIALIZING, "not heard", work.now());
        work.add(new Change.NodePut(row.withProof(
                        row.proof().with(new Quarantine(why, facts.bootId(), print, work.now())))
                .withEvents(List.of(new NodeEvent(
                        "Cluster",
                        "Node quarantined",
                        Ordered.ofEntries(Map.entry("reason", why), Map.entry("boot", facts.bootId())),
                        work.now())))));
    }
}
