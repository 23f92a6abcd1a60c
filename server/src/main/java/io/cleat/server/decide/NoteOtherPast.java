package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OtherPastRow;
import java.util.Optional;

/**
 * A node has acted on decisions that these servers do not know, or the server itself has acknowledged some that its log
 * has lost: the cluster is in recovery from now on.
 *
 * @param secretDigest SHA-256, in hex, of the secret that the node proves itself with
 * @param version the highest that it has acted on
 * @param lineage the reign that was open with it; empty if that is not known
 */
public record NoteOtherPast(String nodeId, String nodeName, String secretDigest, long version, String lineage)
        implements Command<NoteOtherPast.Reply> {
    /** In place of a node's id: the server itself has noted more than its log holds. */
    public static final String SERVER = "server";

    /** It is known now. */
    public record Reply() {}

    /**
     * Of the server's own note beside its log.
     *
     * @param version the last that was acknowledged
     * @param lineage the reign that was open with it
     */
    public static NoteOtherPast ofServer(long version, String lineage) {
        return new NoteOtherPast(SERVER, "of this server itself", "", version, lineage);
    }

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
            work.add(new Change.OtherPastPut(
                    new OtherPastRow(nodeId, nodeName, version, lineage, newest.version(), work.now(), true, 0, 0)));
        }
        return work.accept(new Reply());
    }

    @Override
    public boolean goesOnInRecovery() {
        return true;
    }
}
