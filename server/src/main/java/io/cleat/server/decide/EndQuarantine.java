package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.model.NodeEvent;
import io.cleat.model.NodeFacts;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeProof;
import io.cleat.state.NodeRow;
import io.cleat.state.Quarantine;
import io.cleat.state.Remainder;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A person has looked at who came as a node and was not let in. Accepted, he is the node from now on, and the machine
 * that was it is over, with all that ran there: the person vouches for it. Dismissed, the node stays the machine that
 * it was.
 *
 * @param machineIsOff by name or id, the node whose former machine is off; needed to accept
 * @param seed a fresh id
 */
public record EndQuarantine(String nodeId, boolean accept, String machineIsOff, String seed)
        implements Command<NodeReply> {
    @Override
    public Decision<Change, NodeReply> decide(ClusterState newest, DecideContext context) {
        Optional<NodeRow> known = newest.node(nodeId);
        if (known.isEmpty()) {
            return Work.refuse(new Refusal.NotFound("node not found"));
        }
        NodeRow node = known.get();
        Quarantine quarantine = node.proof().quarantine();
        if (quarantine == null) {
            return Work.refuse(new Refusal.Conflict("node " + node.name() + " is not quarantined"));
        }
        Work work = new Work(newest, context);
        if (accept) {
            Optional<Refusal> refusal = refusal(newest, node);
            if (refusal.isPresent()) {
                return Work.refuse(refusal.get());
            }
            accept(work, node, quarantine);
        } else {
            dismiss(work, node);
        }
        return work.accept(new NodeReply(work.version()));
    }

    private Optional<Refusal> refusal(ClusterState state, NodeRow node) {
        MachineIsOff word = new MachineIsOff(machineIsOff);
        if (!word.isGiven()) {
            return Optional.of(new Refusal.Conflict("accepting frees what the former machine of node "
                    + node.name()
                    + " held: switch that machine off, and vouch for it with "
                    + MachineIsOff.flag(state, nodeId)));
        }
        if (MachineIsOff.isHeard(state, nodeId)) {
            return Optional.of(new Refusal.Conflict("the former machine of node "
                    + node.name()
                    + " can be heard, so it is not off: switch it off, and accept"
                    + " once the node is down; or dismiss who came as it"));
        }
        return word.fault(state, nodeId).map(Refusal.Conflict::new);
    }

    private void accept(Work work, NodeRow node, Quarantine quarantine) {
        NodeFacts before = node.facts();
        NodeFacts after = before.from(quarantine.bootId(), quarantine.machine());
        NodeProof proof = node.proof().goesOn(after.bootId());
        if (!after.bootId().equals(before.bootId())) {
            proof = proof.over(before.bootId());
        }
        put(work, node.withFacts(after).withProof(proof.with(null)), "Node's machine replaced");
        Nodes.changed(work, Optional.of(before), after, false, new NewIds(seed));
        // Within one boot it is the same machine, and what is attached to it may be mounted.
        boolean isReplaced = !after.bootId().equals(before.bootId());
        if (isReplaced && !Attachments.leaveFormerMachine(work, nodeId, work.version())) {
            Remainders.leave(work, new Remainder.MachineReplaced(nodeId));
        }
    }

    private void dismiss(Work work, NodeRow node) {
        put(work, node.withProof(node.proof().with(null)), "Node's quarantine ended");
        Nodes.cameUp(work, nodeId, new NewIds(seed));
    }

    private static void put(Work work, NodeRow node, String message) {
        work.add(new Change.NodePut(node.withEvents(List.of(
                new NodeEvent("Cluster", message, Map.of("boot", node.facts().bootId()), work.now())))));
    }
}
