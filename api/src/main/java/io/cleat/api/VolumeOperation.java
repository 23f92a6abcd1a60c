package io.cleat.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A plugin's call that makes, deletes, checks or grows a volume or a snapshot, and is not settled: {@code GET
 * /v1/volumes/operations}, which Nomad does not have.
 *
 * @param BlockedBy what it waits for, in the words of {@link VolumeWhy}
 * @param Call the name in the CSI specification
 * @param Cancelling whether a person asked for it to be undone
 * @param Namespace of the volume; empty for the deletion of a snapshot
 * @param Since when it began to wait, over all its tries
 * @param SnapshotID the snapshot that is made, by its name, or deleted, by its id; else empty
 * @param State logged, sent, unknown or done
 * @param VolumeID empty for the deletion of a snapshot
 * @param Words the last words about a try of it; empty before there are any
 */
public record VolumeOperation(
        VolumeWhy.@Nullable Waiting BlockedBy,
        String Call,
        boolean Cancelling,
        String ID,
        String Namespace,
        String PluginID,
        @Nullable Instant Since,
        String SnapshotID,
        String State,
        int Tries,
        String VolumeID,
        String Words) {}
