package io.cleat.state;

import java.time.Instant;

/**
 * A node has acted on decisions that this cluster does not know: its servers were restored from an older copy, or have
 * lost the end of their log. As long as one of these is open, the cluster is in recovery.
 *
 * @param version the highest that the node has acted on
 * @param lineage the reign that was open with it; empty if that is not known
 * @param knownThen the version that this cluster was at when the node said so
 * @param since when it said so first
 * @param open whether nobody has decided yet what is to become of it
 */
public record OtherPastRow(
        String nodeId,
        String nodeName,
        long version,
        String lineage,
        long knownThen,
        Instant since,
        boolean open,
        long createVersion,
        long modifyVersion)
        implements Row<OtherPastRow> {
    /** Whether it is this past that the node has said it has. */
    public boolean is(long acted, String inLineage) {
        return version == acted && lineage.equals(inLineage);
    }

    /** A person has ended the recovery: the node obeys this cluster from the beginning. */
    public OtherPastRow settled() {
        return new OtherPastRow(
                nodeId, nodeName, version, lineage, knownThen, since, false, createVersion, modifyVersion);
    }

    @Override
    public OtherPastRow stamped(long newCreate, long newModify) {
        return new OtherPastRow(nodeId, nodeName, version, lineage, knownThen, since, open, newCreate, newModify);
    }
}
