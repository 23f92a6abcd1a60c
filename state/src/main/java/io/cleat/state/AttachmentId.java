package io.cleat.state;

/** A provider's volume on a node. */
public record AttachmentId(VolumeKey key, String nodeId) implements Comparable<AttachmentId> {
    @Override
    public int compareTo(AttachmentId other) {
        int byKey = key.compareTo(other.key);
        return byKey != 0 ? byKey : nodeId.compareTo(other.nodeId);
    }

    @Override
    public String toString() {
        return key + " on node " + nodeId;
    }
}
