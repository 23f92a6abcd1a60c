package io.cleat.server;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.server.commit.Stamp;
import io.cleat.server.commit.StateMachine;
import io.cleat.state.Change;
import io.cleat.state.ChangeCodec;
import io.cleat.state.ClusterState;
import io.cleat.state.Snapshot;
import io.cleat.state.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.OptionalLong;

/** The cluster's image as what the log keeps. */
public final class ClusterMachine implements StateMachine<ClusterState, Change> {
    /** Larger images are not digested: it would hold up applying. */
    private static final int DIGESTED = 5_000;

    @Override
    public ClusterState empty() {
        return ClusterState.empty();
    }

    @Override
    public ClusterState apply(ClusterState image, List<Change> changes, Stamp stamp) {
        return image.apply(changes, stamp.version(), stamp.decidedAt());
    }

    @Override
    public int levelOf(Change change) {
        return change.level();
    }

    @Override
    public int newestLevel() {
        return Change.NEWEST_LEVEL;
    }

    @Override
    public byte[] encode(List<Change> changes) throws Refused {
        return ChangeCodec.encode(changes);
    }

    @Override
    public List<Change> decode(byte[] changes) throws DiskTrouble {
        return ChangeCodec.decode(changes);
    }

    @Override
    public void write(ClusterState image, OutputStream to) throws IOException {
        Snapshot.write(image, to);
    }

    @Override
    public ClusterState read(InputStream from) throws IOException, DiskTrouble {
        return Snapshot.read(from);
    }

    @Override
    public OptionalLong digest(ClusterState image) {
        int rows = 0;
        for (TableName table : TableName.values()) {
            rows += image.count(table);
        }
        return rows > DIGESTED
                ? OptionalLong.empty()
                : OptionalLong.of(
                        Long.parseUnsignedLong(Snapshot.digest(image).substring(0, 16), 16));
    }
}
