package io.cleat.csi;

import com.google.protobuf.Message;
import io.cleat.base.Deadline;
import io.cleat.csi.v1.BlockMetadata;
import io.cleat.csi.v1.BlockMetadataType;
import io.cleat.csi.v1.GetMetadataAllocatedRequest;
import io.cleat.csi.v1.GetMetadataAllocatedResponse;
import io.cleat.csi.v1.GetMetadataDeltaRequest;
import io.cleat.csi.v1.GetMetadataDeltaResponse;
import io.cleat.csi.v1.SnapshotMetadataGrpc;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The snapshot metadata service of a plugin with SNAPSHOT_METADATA_SERVICE: which blocks a snapshot holds, and which
 * differ between two of one volume. These calls change nothing.
 *
 * <p>The plugin streams; what its reader has not taken it keeps. A stream that breaks, or that takes longer than one
 * try may, is opened again behind the last range that was read, for as long as that brings it forward.
 */
public final class SnapshotMetadataClient {
    private static final String SERVICE = "SnapshotMetadata";

    private final Tries tries;
    private final Abilities<PluginCapability> abilities;

    SnapshotMetadataClient(Tries tries, Abilities<PluginCapability> abilities) {
        this.tries = tries;
        this.abilities = abilities;
    }

    /** A message of a stream, taken apart. */
    private record Part(BlockMetadataType type, long capacity, List<BlockMetadata> ranges, int bytes) {}

    /** GetMetadataAllocated: which ranges of the snapshot hold data. */
    public BlockRead allocated(BlockQuery query, BlockReader reader, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        Reading reading = new Reading(query, reader);
        return read(
                reading,
                offset -> Call.look(
                        SERVICE,
                        SnapshotMetadataGrpc.getGetMetadataAllocatedMethod(),
                        GetMetadataAllocatedRequest.newBuilder()
                                .setSnapshotId(query.snapshotId())
                                .setStartingOffset(offset)
                                .setMaxResults(query.maxResults())
                                .putAllSecrets(query.secrets().reveal())
                                .build(),
                        Call.snapshot(query.snapshotId()),
                        Call.hidden(query.secrets()),
                        message -> reading.goesOn(part(message))),
                deadline);
    }

    /**
     * GetMetadataDelta: which ranges of the snapshot differ from those of an older one.
     *
     * @param baseSnapshotId the older one, of the same volume
     */
    public BlockRead changed(String baseSnapshotId, BlockQuery query, BlockReader reader, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        Reading reading = new Reading(query, reader);
        return read(
                reading,
                offset -> Call.look(
                        SERVICE,
                        SnapshotMetadataGrpc.getGetMetadataDeltaMethod(),
                        GetMetadataDeltaRequest.newBuilder()
                                .setBaseSnapshotId(baseSnapshotId)
                                .setTargetSnapshotId(query.snapshotId())
                                .setStartingOffset(offset)
                                .setMaxResults(query.maxResults())
                                .putAllSecrets(query.secrets().reveal())
                                .build(),
                        Call.snapshot(query.snapshotId()),
                        Call.hidden(query.secrets()),
                        message -> reading.goesOn(part(message))),
                deadline);
    }

    private <Q extends Message, R extends Message> BlockRead read(
            Reading reading, LongFunction<Call<Q, R, Boolean>> call, Deadline deadline)
            throws CsiTrouble, InterruptedException {
        abilities.require(
                PluginCapability.SNAPSHOT_METADATA_SERVICE, call.apply(reading.checks.nextOffset()), deadline);
        boolean complete = tries.stream(
                () -> {
                    reading.checks.opened();
                    return call.apply(reading.checks.nextOffset());
                },
                deadline);
        return new BlockRead(complete, reading.checks.nextOffset());
    }

    private static Part part(GetMetadataAllocatedResponse message) {
        return new Part(
                message.getBlockMetadataType(),
                message.getVolumeCapacityBytes(),
                message.getBlockMetadataList(),
                message.getSerializedSize());
    }

    private static Part part(GetMetadataDeltaResponse message) {
        return new Part(
                message.getBlockMetadataType(),
                message.getVolumeCapacityBytes(),
                message.getBlockMetadataList(),
                message.getSerializedSize());
    }

    /** One reading over all its streams. */
    private static final class Reading {
        private final BlockChecks checks;
        private final BlockReader reader;
        private long bytesLeft;

        private Reading(BlockQuery query, BlockReader reader) {
            this.checks = new BlockChecks(query);
            this.reader = reader;
            this.bytesLeft = query.mostBytes();
        }

        private boolean goesOn(Part part) throws BadReply, InterruptedException {
            BlockPage page = checks.page(part.type(), part.capacity(), part.ranges());
            bytesLeft -= part.bytes();
            return reader.page(page) && bytesLeft > 0;
        }
    }
}
