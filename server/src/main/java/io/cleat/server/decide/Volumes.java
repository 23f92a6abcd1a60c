package io.cleat.server.decide;

import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeRow;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Rows of volumes, as registrations and plugins' answers make them. */
final class Volumes {
    private Volumes() {}

    /** Registers a volume, or changes the registered one; evaluations that missed it look again. */
    static void put(Work work, VolumeSpec spec, Encrypted secrets) {
        VolumeRow row = work.state()
                .volume(spec.id())
                .map(old -> old.withSpec(spec, secrets, work.now()))
                .orElseGet(
                        () -> VolumeRow.of(spec, secrets, 0, spec.topologies().required(), work.now()));
        put(work, row);
    }

    static void put(Work work, VolumeRow row) {
        work.add(new Change.VolumePut(row));
        Wakes.volumes(work, Set.of(row.key()));
    }

    /** Removes the row; what still holds the volume keeps excluding others. */
    static void remove(Work work, VolumeRow row) {
        boolean held = !work.state().claims().of(row.key()).isEmpty()
                || !work.state().attachments().of(row.key()).isEmpty()
                || Operations.inFlight(work.state(), row.id()).isPresent();
        work.add(held ? new Change.VolumeBuried(row.id()) : new Change.VolumeRemoved(row.id()));
    }

    static void event(Work work, VolumeId id, String nodeId, String call, String message) {
        event(work, id, nodeId, call, "OK", message);
    }

    static void event(Work work, VolumeId id, String nodeId, String call, String code, String message) {
        event(work, id, new VolumeEvent(work.now(), nodeId, call, code, Duration.ZERO, message));
    }

    /** What a controller call came to, and how long it took as its caller sees it. */
    static void answered(Work work, VolumeId id, OperationRow row, String call, String code, String message) {
        Duration took = row.state() == OperationState.SENT && row.since().isBefore(work.now())
                ? Duration.between(row.since(), work.now())
                : Duration.ZERO;
        event(work, id, new VolumeEvent(work.now(), row.nodeId(), call, code, took, message));
    }

    private static void event(Work work, VolumeId id, VolumeEvent event) {
        work.add(new Change.VolumeEventsAdded(id, List.of(event)));
    }
}
