package io.cleat.csi;

import com.google.protobuf.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Checks of the snapshots that plugins answer. */
final class SnapshotReplies {
    private SnapshotReplies() {}

    /** A snapshot that must be there, with the parts that it must have. */
    static Snapshot required(boolean present, io.cleat.csi.v1.Snapshot snapshot) throws BadReply {
        if (!present) {
            throw new BadReply("has no snapshot");
        }
        if (!snapshot.hasCreationTime()) {
            throw new BadReply("has a snapshot without creation_time");
        }
        List<Topology> topologies = new ArrayList<>();
        for (io.cleat.csi.v1.Topology topology : snapshot.getAccessibleTopologyList()) {
            topologies.add(Wire.topology(topology));
        }
        return new Snapshot(
                Replies.id("snapshot_id", snapshot.getSnapshotId()),
                Replies.id("source_volume_id", snapshot.getSourceVolumeId()),
                Replies.size("size_bytes", snapshot.getSizeBytes()),
                time(snapshot.getCreationTime()),
                snapshot.getReadyToUse(),
                Replies.text("group_snapshot_id", snapshot.getGroupSnapshotId(), Replies.MOST_TEXT),
                topologies);
    }

    static Instant time(Timestamp timestamp) throws BadReply {
        long seconds = timestamp.getSeconds();
        int nanos = timestamp.getNanos();
        if (nanos < 0 || nanos > 999_999_999) {
            throw new BadReply("has a time with " + nanos + " nanoseconds");
        }
        try {
            return Instant.ofEpochSecond(seconds, nanos);
        } catch (DateTimeException far) {
            throw new BadReply("has a time of " + seconds + " seconds");
        }
    }

    static Snapshot ofSource(Snapshot snapshot, String volumeId) throws BadReply {
        if (!snapshot.sourceVolumeId().equals(volumeId)) {
            throw new BadReply("has a snapshot of volume "
                    + Words.quoted(snapshot.sourceVolumeId())
                    + ", asked was for one of "
                    + Words.quoted(volumeId));
        }
        return snapshot;
    }

    static Snapshot withId(Snapshot snapshot, String snapshotId) throws BadReply {
        if (!snapshot.snapshotId().equals(snapshotId)) {
            throw new BadReply("has snapshot "
                    + Words.quoted(snapshot.snapshotId())
                    + ", asked was for "
                    + Words.quoted(snapshotId));
        }
        return snapshot;
    }
}
