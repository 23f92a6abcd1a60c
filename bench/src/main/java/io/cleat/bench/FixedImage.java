package io.cleat.bench;

import io.cleat.base.EarlyEnd;
import io.cleat.server.commit.Saved;
import io.cleat.server.intake.Images;
import io.cleat.state.ClusterState;
import io.cleat.state.TableName;
import java.time.Duration;
import java.util.Set;
import java.util.function.ToLongFunction;

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
    public ClusterState readNewer(
            boolean stale,
            Set<TableName> tables,
            ToLongFunction<ClusterState> version,
            long index,
            Duration longest,
            EarlyEnd early) {
        return image;
    }
}
