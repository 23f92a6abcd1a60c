package io.cleat.server.intake;

import io.cleat.base.Deadline;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.codec.RecordCodec;
import io.cleat.model.JobId;
import io.cleat.server.decide.DrainNode;
import io.cleat.server.decide.EndQuarantine;
import io.cleat.server.decide.EvaluateNode;
import io.cleat.server.decide.NodeReply;
import io.cleat.server.decide.PurgeNode;
import io.cleat.server.decide.SetEligibility;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Requests about nodes. Any thread. */
public final class NodeRequests {
    static final RecordCodec<NodeReply> REPLY = RecordCodec.stored("rnod", 1, NodeReply.class);

    private final Commits commits;

    NodeRequests(Commits commits) {
        this.commits = commits;
    }

    /**
     * Begins, changes or ends the draining of a node.
     *
     * @param wish null to end it
     * @param markEligible when it ends, whether the node takes new allocations again
     * @param meta what the operator says about it
     */
    public Done<NodeReply> drain(
            String nodeId, DrainNode.@Nullable Wish wish, boolean markEligible, Map<String, String> meta, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new DrainNode(nodeId, wish, markEligible, meta, commits.seed()),
                () -> List.of(nodeId, String.valueOf(wish), markEligible, new TreeMap<>(meta)),
                REPLY,
                asked);
    }

    /** Says whether a node takes new allocations. */
    public Done<NodeReply> eligibility(String nodeId, boolean eligible, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new SetEligibility(nodeId, eligible, commits.seed()), () -> List.of(nodeId, eligible), REPLY, asked);
    }

    /**
     * Decides who a quarantined node is.
     *
     * @param accept whether who was not let in is the node from now on
     * @param machineIsOff the node whose former machine the operator says is off
     */
    public Done<NodeReply> endQuarantine(String nodeId, boolean accept, String machineIsOff, Asked asked)
            throws Refused, LogTrouble, InterruptedException {
        return commits.once(
                new EndQuarantine(nodeId, accept, machineIsOff, commits.seed()),
                () -> List.of("quarantine", nodeId, accept, machineIsOff),
                REPLY,
                asked);
    }

    /**
     * Has the jobs of a node evaluated. Asked again, it has no other effect: an evaluation that is due serves.
     *
     * @return the ids of the evaluations, and the version of the last of them
     */
    public Done<EvaluateNode.Reply> evaluate(String nodeId, Deadline deadline)
            throws Refused, LogTrouble, InterruptedException {
        List<String> evalIds = new ArrayList<>();
        JobId after = null;
        while (true) {
            Done<EvaluateNode.Reply> part = commits.commit(new EvaluateNode(nodeId, after, commits.seed()), deadline);
            EvaluateNode.Reply reply = part.reply();
            evalIds.addAll(reply.evalIds());
            after = reply.last();
            if (after == null) {
                return new Done<>(new EvaluateNode.Reply(evalIds, reply.nodeVersion(), null), part.version());
            }
        }
    }

    /** Forgets a node that is down. */
    public Done<NodeReply> purge(String nodeId, Asked asked) throws Refused, LogTrouble, InterruptedException {
        return commits.once(new PurgeNode(nodeId), () -> List.of("purge", nodeId), REPLY, asked);
    }
}
