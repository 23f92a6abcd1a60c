package io.cleat.clusterapi.volumes;

import io.cleat.api.VolumeOperation;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
import io.cleat.server.decide.CallProgress;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import java.util.Optional;

/** Calls about volumes and snapshots, as far as they are. */
public final class OperationView {
    private OperationView() {}

    /** Whether it is not settled, and no claim tells of it. */
    static boolean isPending(OperationRow row) {
        return !row.isDone() && OperationCall.attachmentOf(row.call()) == null;
    }

    /** Whether it is about the volume, or makes or deletes the snapshot, of that id. */
    static boolean isAbout(OperationRow row, String id) {
        return row.call().about().filter(volume -> volume.id().equals(id)).isPresent()
                || (!id.isEmpty() && snapshot(row.call()).equals(id));
    }

    public static VolumeOperation of(OperationRow row) {
        BlockedBy wait = row.blockedBy();
        return new VolumeOperation(
                wait == null ? null : WhyView.waiting("", wait),
                OperationCall.csiName(row.call()),
                row.past().cancelling(),
                row.id(),
                row.call().about().map(VolumeId::namespace).orElse(""),
                row.pluginId(),
                wait == null ? row.since() : wait.since(),
                snapshot(row.call()),
                row.state().wire(),
                row.tries(),
                row.call().about().map(VolumeId::id).orElse(""),
                words(row));
    }

    private static String words(OperationRow row) {
        return failure(row).or(() -> CallProgress.said(row)).orElse("");
    }

    /** How it failed; empty if it did not, or is not settled. */
    static Optional<String> failure(OperationRow row) {
        return row.outcome() instanceof OperationOutcome.Failed(var _, String _, String message)
                ? Optional.of(message)
                : Optional.empty();
    }

    public static String snapshot(OperationCall call) {
        return switch (call) {
            case OperationCall.CreateSnapshot create -> create.name();
            case OperationCall.DeleteSnapshot delete -> delete.snapshotId();
            case OperationCall.Create _,
                    OperationCall.Validate _,
                    OperationCall.Delete _,
                    OperationCall.Publish _,
                    OperationCall.Unpublish _,
                    OperationCall.Expand _ -> "";
        };
    }
}
