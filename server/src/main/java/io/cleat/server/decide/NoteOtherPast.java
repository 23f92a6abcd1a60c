package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OtherPastRow;
import java.util.Optional;

/**
 * A node has acted on decisions that these servers do not know: the cluster is in recovery from now
 * on.
 *
 * @param secretDigest SHA-256, in hex, of the secret that the node proves itself with
 * @param version the highest that it has acted on
 * @param lineage the reign that was open with it; empty if that is not known
 */
public record NoteOtherPast(
        String nodeId, String nodeName, String secretDigest, long version, String lineage)
        implements Command<NoteOtherPast.Reply> {
    /** It is known now. */
    public record Reply() {}

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Optional<Refusal> stranger = Recovery.stranger(newest, nodeId, secretDigest);
        if (stranger.isPresent()) {
            return Work.refuse(stranger.get());
        }
        Work work = new Work(newest, context);
        boolean isKnown =
                newest.otherPast(nodeId).filter(row -> row.is(version, lineage)).isPresent();
        if (!isKnown) {
            work.add(
                    new Change.OtherPastPut(
                            new OtherPastRow(
                                    nodeId,
                                    nodeName,
                                    version,
                                    lineage,
                                    newest.version(),
                                    work.now(),
                                    true,
                                    0,
                                    0)));
        }
        return work.accept(new Reply());
    }

    @Override
    public boolean goesOnInRecovery() {
        return true;
    }
}
