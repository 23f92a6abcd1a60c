package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Threads;
import java.nio.file.Path;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.junit.jupiter.api.Test;

/** When a snapshot is due. */
class SnapshotsTest {
    private static Snapshots opened(int segments) {
        Snapshots snapshots = new Snapshots(
                LogSettings.in(Path.of("unused")),
                Threads.virtual((where, fault) -> {
                    throw new AssertionError(where, fault);
                }),
                new SimpleStateMachineStorage(),
                written -> {
                    throw new AssertionError("nothing is written");
                });
        snapshots.opened(segments);
        return snapshots;
    }

    /** Each restart left a file of the log, for as long as a server had little to do. */
    @Test
    void aServerThatIsOftenRestarted_writesOneThoughItHasLittleToDo() {
        assertFalse(opened(1).isDueAfter(100));
        assertFalse(opened(60).isDueAfter(100));
        assertTrue(opened(64).isDueAfter(100));
        assertTrue(opened(1_000_000).isDueAfter(100));
    }
}
