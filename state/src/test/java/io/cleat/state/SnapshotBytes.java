package io.cleat.state;

import io.cleat.base.DiskTrouble;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** Snapshots in memory. */
final class SnapshotBytes {
    private SnapshotBytes() {}

    static byte[] of(ClusterState image) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Snapshot.write(image, bytes);
        return bytes.toByteArray();
    }

    static ClusterState read(byte[] bytes) throws IOException, DiskTrouble {
        return Snapshot.read(new ByteArrayInputStream(bytes));
    }

    /** The image as it comes back from its snapshot. */
    static ClusterState readBack(ClusterState image) throws IOException, DiskTrouble {
        return read(of(image));
    }
}
