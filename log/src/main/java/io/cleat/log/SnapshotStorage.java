package io.cleat.log;

import java.io.IOException;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;

/**
 * The directory of the snapshots.
 *
 * <p>The library has old ones removed whenever one was asked for, though it may be being written just then: the sum
 * that stands there before its snapshot does, it takes for a leftover. So old ones are removed by who writes them
 * alone.
 */
final class SnapshotStorage extends SimpleStateMachineStorage {
    private static final int KEPT = 2;

    /** Nothing: see {@link #removeOld}. */
    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) {}

    /** Keeps the newest two. Called while none is being written. */
    void removeOld() throws IOException {
        super.cleanupOldSnapshots(new SnapshotRetentionPolicy() {
            @Override
            public int getNumSnapshotsRetained() {
                return KEPT;
            }
        });
    }
}
