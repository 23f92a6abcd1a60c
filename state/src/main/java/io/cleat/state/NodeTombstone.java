package io.cleat.state;

import java.time.Instant;

/** A node that was collected while claims, attachments or operations still name it. */
public record NodeTombstone(NodeRow node, Instant since, long createVersion, long modifyVersion)
        implements Row<NodeTombstone> {
    public String id() {
        return node.id();
    }

    @Override
    public NodeTombstone stamped(long newCreate, long newModify) {
        return new NodeTombstone(node, since, newCreate, newModify);
    }
}
