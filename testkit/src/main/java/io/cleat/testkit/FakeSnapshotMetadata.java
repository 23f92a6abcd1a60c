package io.cleat.testkit;

import io.cleat.csi.v1.BlockMetadata;
import io.cleat.csi.v1.BlockMetadataType;
import io.cleat.csi.v1.GetMetadataAllocatedRequest;
import io.cleat.csi.v1.GetMetadataAllocatedResponse;
import io.cleat.csi.v1.GetMetadataDeltaRequest;
import io.cleat.csi.v1.GetMetadataDeltaResponse;
import io.cleat.csi.v1.SnapshotMetadataGrpc;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;

/**
 * The snapshot metadata service of the fake plugin: of a snapshot every second of its blocks is allocated, and every
 * fourth differs from those of any other.
 */
final class FakeSnapshotMetadata extends SnapshotMetadataGrpc.SnapshotMetadataImplBase {
    static final long BLOCK = 4_096;

    private static final int RANGES_A_PAGE = 2;

    private final FakeCsiPlugin plugin;

    FakeSnapshotMetadata(FakeCsiPlugin plugin) {
        this.plugin = plugin;
    }

    @Override
    public void getMetadataAllocated(
            GetMetadataAllocatedRequest request, StreamObserver<GetMetadataAllocatedResponse> caller) {
        plugin.handleStream("GetMetadataAllocated", request, caller, () -> {
            long bytes = plugin.snapshotMemory().get(request.getSnapshotId()).getSizeBytes();
            List<GetMetadataAllocatedResponse> pages = new ArrayList<>();
            for (List<BlockMetadata> page : pages(bytes, 2, request.getStartingOffset(), request.getMaxResults())) {
                pages.add(GetMetadataAllocatedResponse.newBuilder()
                        .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
                        .setVolumeCapacityBytes(bytes)
                        .addAllBlockMetadata(page)
                        .build());
            }
            return pages;
        });
    }

    @Override
    public void getMetadataDelta(GetMetadataDeltaRequest request, StreamObserver<GetMetadataDeltaResponse> caller) {
        plugin.handleStream("GetMetadataDelta", request, caller, () -> {
            plugin.snapshotMemory().get(request.getBaseSnapshotId());
            long bytes =
                    plugin.snapshotMemory().get(request.getTargetSnapshotId()).getSizeBytes();
            List<GetMetadataDeltaResponse> pages = new ArrayList<>();
            for (List<BlockMetadata> page : pages(bytes, 4, request.getStartingOffset(), request.getMaxResults())) {
                pages.add(GetMetadataDeltaResponse.newBuilder()
                        .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
                        .setVolumeCapacityBytes(bytes)
                        .addAllBlockMetadata(page)
                        .build());
            }
            return pages;
        });
    }

    private static List<List<BlockMetadata>> pages(long bytes, int every, long from, int most) {
        List<List<BlockMetadata>> pages = new ArrayList<>();
        List<BlockMetadata> page = new ArrayList<>();
        for (long at = 0; at + BLOCK <= bytes; at += every * BLOCK) {
            if (at + BLOCK > from) {
                page.add(BlockMetadata.newBuilder()
                        .setByteOffset(at)
                        .setSizeBytes(BLOCK)
                        .build());
            }
            if (page.size() == (most == 0 ? RANGES_A_PAGE : most)) {
                pages.add(List.copyOf(page));
                page.clear();
            }
        }
        if (!page.isEmpty()) {
            pages.add(List.copyOf(page));
        }
        return pages;
    }
}
