package io.cleat.server;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.server.commit.Proposal;
import io.cleat.server.commit.Stamp;
import io.cleat.server.commit.StateMachine;
import io.cleat.server.decide.Command;
import io.cleat.server.decide.Recovery;
import io.cleat.state.Change;
import io.cleat.state.ChangeCodec;
import io.cleat.state.ClusterState;
import io.cleat.state.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The cluster's image as what the log keeps. */
public final class ClusterMachine implements StateMachine<ClusterState, Change> {
    @Override
    public ClusterState empty() {
        return ClusterState.empty();
    }

    @Override
    public ClusterState apply(ClusterState image, List<Change> changes, Stamp stamp) {
        return image.apply(changes, stamp.version(), stamp.decidedAt());
    }

    @Override
    public int newestLevel() {
        return Change.NEWEST_LEVEL;
    }

    /** The one gate of a recovery: what does not help to end it is not decided. */
    @Override
    public Optional<Refusal> forbids(ClusterState image, Proposal<ClusterState, Change, ?> proposal) {
        boolean goesOn = !(proposal instanceof Command<?> command) || command.goesOnInRecovery();
        return goesOn || !image.isRecovering() ? Optional.empty() : Optional.of(Recovery.refusal(image));
    }

    @Override
    public byte[] encode(List<Change> changes, int level) throws Refused {
        return ChangeCodec.encode(changes, level);
    }

    @Override
    public List<Change> decode(byte[] changes) throws DiskTrouble {
        return ChangeCodec.decode(changes);
    }

    @Override
    public void write(ClusterState image, OutputStream to, int level) throws IOException {
        Snapshot.write(image, to, level);
    }

    @Override
    public ClusterState read(InputStream from) throws IOException, DiskTrouble {
        return Snapshot.read(from);
    }

    @Override
    public OptionalLong digest(ClusterState image, int level) {
        return level < Change.SUMS_LEVEL ? OptionalLong.empty() : OptionalLong.of(image.sum());
    }
}
