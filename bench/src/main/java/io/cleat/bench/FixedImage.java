package io.cleat.bench;

import io.cleat.base.EarlyEnd;
import io.cleat.server.commit.Saved;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import java.time.Duration;

/** Always the same image. */
record FixedImage(ClusterState image) implements Images {
    @Override
    public ClusterState read(boolean stale) {
        return image;
    }

    @Override
    public Saved<ClusterState> save() {
        throw new UnsupportedOperationException("nobody saves it");
    }

    @Override
    public ClusterState readNewer(boolean stale, Versions wanted, long index, Duration longest, EarlyEnd early) {
        return image;
    }
}
