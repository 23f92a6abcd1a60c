package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.BlockMetadata;
import io.cleat.csi.v1.CapacityRange;
import io.cleat.csi.v1.ControllerExpandVolumeRequest;
import io.cleat.csi.v1.ControllerExpandVolumeResponse;
import io.cleat.csi.v1.ControllerGetVolumeRequest;
import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.ControllerModifyVolumeRequest;
import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.CreateVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.DeleteSnapshotRequest;
import io.cleat.csi.v1.DeleteVolumeGroupSnapshotRequest;
import io.cleat.csi.v1.GetMetadataAllocatedRequest;
import io.cleat.csi.v1.GetMetadataAllocatedResponse;
import io.cleat.csi.v1.GetMetadataDeltaRequest;
import io.cleat.csi.v1.GetMetadataDeltaResponse;
import io.cleat.csi.v1.GetPluginCapabilitiesRequest;
import io.cleat.csi.v1.GetSnapshotRequest;
import io.cleat.csi.v1.GroupControllerGrpc;
import io.cleat.csi.v1.ListSnapshotsRequest;
import io.cleat.csi.v1.ListSnapshotsResponse;
import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodeGetVolumeStatsRequest;
import io.cleat.csi.v1.NodeGrpc;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.Snapshot;
import io.cleat.csi.v1.SnapshotMetadataGrpc;
import io.cleat.csi.v1.VolumeCapability;
import io.cleat.csi.v1.VolumeGroupSnapshot;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** The fake plugin that announces everything: growth, snapshots, groups, block metadata. */
final class FakeCsiWholeTest {
    private static final String VOLUME = "ext-v1";
    private static final VolumeCapability USE = VolumeCapability.newBuilder()
            .setMount(VolumeCapability.MountVolume.getDefaultInstance())
            .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                    .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
            .build();

    @TempDir
    private Path dir;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @SuppressWarnings("NullAway.Init")
    private FakeCsiPlugin plugin;

    @SuppressWarnings("NullAway.Init")
    private ManagedChannel channel;

    @BeforeEach
    void start() {
        plugin = FakeCsiPlugin.start(dir.resolve("csi.sock"), FakeCsiSetup.whole());
        plugin.addVolume(VOLUME, 1 << 20);
        channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(plugin.socket()))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                .overrideAuthority("tester")
                .build();
    }

    @AfterEach
    void stop() {
        channel.shutdownNow();
        plugin.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private ControllerGrpc.ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel);
    }

    private NodeGrpc.NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel);
    }

    private SnapshotMetadataGrpc.SnapshotMetadataBlockingStub metadata() {
        return SnapshotMetadataGrpc.newBlockingStub(channel);
    }

    private Snapshot snapshot(String name) {
        return controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName(name)
                        .setSourceVolumeId(VOLUME)
                        .build())
                .getSnapshot();
    }

    private static void assertCode(Status.Code code, Executable call) {
        assertEquals(
                code,
                assertThrows(StatusRuntimeException.class, call).getStatus().getCode());
    }

    @Test
    void itAnnouncesAll() {
        assertEquals(
                6,
                io.cleat.csi.v1.IdentityGrpc.newBlockingStub(channel)
                        .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                        .getCapabilitiesCount());
    }

    @Test
    void aVolumeGrowsAtItsProviderAndOnItsNode() {
        CapacityRange twice =
                CapacityRange.newBuilder().setRequiredBytes(2 << 20).build();
        ControllerExpandVolumeRequest request = ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(VOLUME)
                .setCapacityRange(twice)
                .build();
        ControllerExpandVolumeResponse grown = controller().controllerExpandVolume(request);
        assertEquals(2 << 20, grown.getCapacityBytes());
        assertTrue(grown.getNodeExpansionRequired());
        assertEquals(grown, controller().controllerExpandVolume(request));
        NodeExpandVolumeRequest there = NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(VOLUME)
                .setVolumePath("/stage")
                .setCapacityRange(twice)
                .build();
        assertCode(Status.Code.NOT_FOUND, () -> node().nodeExpandVolume(there));
        node().nodeStageVolume(NodeStageVolumeRequest.newBuilder()
                .setVolumeId(VOLUME)
                .setStagingTargetPath("/stage")
                .setVolumeCapability(USE)
                .build());
        assertEquals(2 << 20, node().nodeExpandVolume(there).getCapacityBytes());
        assertEquals(Map.of("/stage", 2L << 20), plugin.expanded());
        assertEquals(
                2 << 20,
                node().nodeGetVolumeStats(NodeGetVolumeStatsRequest.newBuilder()
                                .setVolumeId(VOLUME)
                                .setVolumePath("/stage")
                                .build())
                        .getUsage(0)
                        .getTotal());
    }

    @Test
    void aVolumeDoesNotGrowBeyondTheRoom() {
        assertCode(
                Status.Code.OUT_OF_RANGE,
                () -> controller()
                        .controllerExpandVolume(ControllerExpandVolumeRequest.newBuilder()
                                .setVolumeId(VOLUME)
                                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1L << 50))
                                .build()));
    }

    @Test
    void parametersAreChanged() {
        controller()
                .controllerModifyVolume(ControllerModifyVolumeRequest.newBuilder()
                        .setVolumeId(VOLUME)
                        .putMutableParameters("speed", "fast")
                        .build());
        assertEquals(Map.of("speed", "fast"), plugin.modified(VOLUME));
        assertEquals(
                VOLUME,
                controller()
                        .controllerGetVolume(ControllerGetVolumeRequest.newBuilder()
                                .setVolumeId(VOLUME)
                                .build())
                        .getVolume()
                        .getVolumeId());
    }

    @Test
    void snapshotsAreMadeOnceListedInPagesAndDeleted() {
        Snapshot first = snapshot("a");
        assertEquals(first, snapshot("a"));
        snapshot("b");
        snapshot("c");
        assertEquals(List.of("snap-a", "snap-b", "snap-c"), plugin.snapshots());
        ListSnapshotsResponse page = controller()
                .listSnapshots(
                        ListSnapshotsRequest.newBuilder().setMaxEntries(2).build());
        assertEquals(2, page.getEntriesCount());
        assertEquals(
                "snap-c",
                controller()
                        .listSnapshots(ListSnapshotsRequest.newBuilder()
                                .setMaxEntries(2)
                                .setStartingToken(page.getNextToken())
                                .build())
                        .getEntries(0)
                        .getSnapshot()
                        .getSnapshotId());
        assertEquals(
                1,
                controller()
                        .listSnapshots(ListSnapshotsRequest.newBuilder()
                                .setSnapshotId("snap-b")
                                .build())
                        .getEntriesCount());
        assertEquals(
                0,
                controller()
                        .listSnapshots(ListSnapshotsRequest.newBuilder()
                                .setSourceVolumeId("ext-no")
                                .build())
                        .getEntriesCount());
        DeleteSnapshotRequest gone =
                DeleteSnapshotRequest.newBuilder().setSnapshotId("snap-a").build();
        controller().deleteSnapshot(gone);
        controller().deleteSnapshot(gone);
        assertCode(
                Status.Code.NOT_FOUND,
                () -> controller()
                        .getSnapshot(GetSnapshotRequest.newBuilder()
                                .setSnapshotId("snap-a")
                                .build()));
    }

    @Test
    void aVolumeIsMadeFromASnapshotThatThereIs() {
        snapshot("a");
        CreateVolumeRequest.Builder request =
                CreateVolumeRequest.newBuilder().setName("copy").addVolumeCapabilities(USE);
        request.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId("snap-a");
        assertEquals(
                request.getVolumeContentSource(),
                controller().createVolume(request.build()).getVolume().getContentSource());
        request.setName("other")
                .getVolumeContentSourceBuilder()
                .getSnapshotBuilder()
                .setSnapshotId("snap-no");
        assertCode(Status.Code.NOT_FOUND, () -> controller().createVolume(request.build()));
    }

    @Test
    void aGroupComesAndGoesWhole() {
        plugin.addVolume("ext-v2", 1 << 20);
        GroupControllerGrpc.GroupControllerBlockingStub groups = GroupControllerGrpc.newBlockingStub(channel);
        VolumeGroupSnapshot group = groups.createVolumeGroupSnapshot(CreateVolumeGroupSnapshotRequest.newBuilder()
                        .setName("g")
                        .addSourceVolumeIds(VOLUME)
                        .addSourceVolumeIds("ext-v2")
                        .build())
                .getGroupSnapshot();
        List<String> ids =
                group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList();
        assertEquals(ids, plugin.snapshots());
        assertCode(
                Status.Code.INVALID_ARGUMENT,
                () -> controller()
                        .deleteSnapshot(DeleteSnapshotRequest.newBuilder()
                                .setSnapshotId(ids.getFirst())
                                .build()));
        groups.deleteVolumeGroupSnapshot(DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("group-g")
                .addAllSnapshotIds(ids)
                .build());
        assertEquals(List.of(), plugin.snapshots());
    }

    @Test
    void blockMetadataBeginsWhereAskedAndIsCutInPages() {
        snapshot("a");
        long end = (1 << 20) - 8 * FakeSnapshotMetadata.BLOCK;
        List<Long> offsets = new ArrayList<>();
        metadata()
                .getMetadataAllocated(GetMetadataAllocatedRequest.newBuilder()
                        .setSnapshotId("snap-a")
                        .setStartingOffset(end)
                        .setMaxResults(3)
                        .build())
                .forEachRemaining(page -> {
                    assertTrue(page.getBlockMetadataCount() <= 3);
                    page.getBlockMetadataList().stream()
                            .map(BlockMetadata::getByteOffset)
                            .forEach(offsets::add);
                });
        assertEquals(
                List.of(0L, 2L, 4L, 6L),
                offsets.stream()
                        .map(at -> (at - end) / FakeSnapshotMetadata.BLOCK)
                        .toList());
        snapshot("b");
        Iterator<GetMetadataDeltaResponse> delta = metadata()
                .getMetadataDelta(GetMetadataDeltaRequest.newBuilder()
                        .setBaseSnapshotId("snap-a")
                        .setTargetSnapshotId("snap-b")
                        .build());
        assertEquals(
                4 * FakeSnapshotMetadata.BLOCK, delta.next().getBlockMetadata(1).getByteOffset());
    }

    @Test
    void aStreamIsSentOnlyAsFarAsItsCallerHasRoom() throws Exception {
        plugin.addVolume("ext-large", 8L << 30);
        controller()
                .createSnapshot(CreateSnapshotRequest.newBuilder()
                        .setName("large")
                        .setSourceVolumeId("ext-large")
                        .build());
        Context.CancellableContext reading = Context.current().withCancellation();
        reading.run(() -> {
            Iterator<GetMetadataAllocatedResponse> pages = metadata()
                    .getMetadataAllocated(GetMetadataAllocatedRequest.newBuilder()
                            .setSnapshotId("snap-large")
                            .setMaxResults(1_000)
                            .build());
            pages.next();
        });
        Eventually.holds(() -> plugin.heldBack() > 0, "the stream waits");
        // 1,049 pages in all; what was sent fits the windows of a connection.
        assertTrue(plugin.streamed() < 1_000, plugin.streamed() + " sent");
        reading.cancel(null);
    }

    @Test
    void aStreamGoesWrongAfterAPart() {
        snapshot("a");
        plugin.script("GetMetadataAllocated", Behaviour.part(2, Behaviour.refuse(Status.Code.ABORTED, "later")));
        Iterator<GetMetadataAllocatedResponse> pages = metadata()
                .getMetadataAllocated(GetMetadataAllocatedRequest.newBuilder()
                        .setSnapshotId("snap-a")
                        .build());
        pages.next();
        pages.next();
        assertCode(Status.Code.ABORTED, pages::hasNext);
    }
}
