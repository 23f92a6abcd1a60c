package io.cleat.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.csi.v1.ControllerGrpc;
import io.cleat.csi.v1.ControllerPublishVolumeRequest;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.DeleteVolumeRequest;
import io.cleat.csi.v1.GetPluginInfoRequest;
import io.cleat.csi.v1.GetPluginInfoResponse;
import io.cleat.csi.v1.IdentityGrpc;
import io.cleat.csi.v1.ListVolumesRequest;
import io.cleat.csi.v1.ListVolumesResponse;
import io.cleat.csi.v1.NodeGrpc;
import io.cleat.csi.v1.NodePublishVolumeRequest;
import io.cleat.csi.v1.NodeStageVolumeRequest;
import io.cleat.csi.v1.NodeUnpublishVolumeRequest;
import io.cleat.csi.v1.NodeUnstageVolumeRequest;
import io.cleat.csi.v1.ProbeRequest;
import io.cleat.csi.v1.Volume;
import io.cleat.csi.v1.VolumeCapability;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fake behaves as a plugin does, and goes wrong as it is told. */
final class FakeCsiPluginTest {
    private static final VolumeCapability USE = VolumeCapability.newBuilder()
            .setMount(VolumeCapability.MountVolume.getDefaultInstance())
            .setAccessMode(VolumeCapability.AccessMode.newBuilder()
                    .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
            .build();

    @TempDir
    private Path dir;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final List<ManagedChannel> channels = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private FakeCsiPlugin plugin;

    @SuppressWarnings("NullAway.Init")
    private ManagedChannel channel;

    @BeforeEach
    void start() {
        plugin = FakeCsiPlugin.start(dir.resolve("csi.sock"));
        channel = connect();
    }

    @AfterEach
    void stop() {
        channels.forEach(ManagedChannel::shutdownNow);
        plugin.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private ManagedChannel connect() {
        ManagedChannel made = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(plugin.socket()))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                .overrideAuthority("tester")
                .build();
        channels.add(made);
        return made;
    }

    private IdentityGrpc.IdentityBlockingStub identity() {
        return IdentityGrpc.newBlockingStub(channel);
    }

    private ControllerGrpc.ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel);
    }

    private NodeGrpc.NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel);
    }

    private Volume create(String name) {
        return controller()
                .createVolume(CreateVolumeRequest.newBuilder()
                        .setName(name)
                        .addVolumeCapabilities(USE)
                        .build())
                .getVolume();
    }

    private void stage(String volumeId) {
        NodeStageVolumeRequest request = NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath("/stage/" + volumeId)
                .setVolumeCapability(USE)
                .build();
        assertTrue(node().nodeStageVolume(request).getAllFields().isEmpty());
    }

    private void publish(String volumeId) {
        NodePublishVolumeRequest request = NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath("/stage/" + volumeId)
                .setTargetPath("/target/" + volumeId)
                .setVolumeCapability(USE)
                .build();
        assertTrue(node().nodePublishVolume(request).getAllFields().isEmpty());
    }

    private void unstage(String volumeId) {
        NodeUnstageVolumeRequest request = NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath("/stage/" + volumeId)
                .build();
        assertTrue(node().nodeUnstageVolume(request).getAllFields().isEmpty());
    }

    private void unpublish(String volumeId) {
        NodeUnpublishVolumeRequest request = NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setTargetPath("/target/" + volumeId)
                .build();
        assertTrue(node().nodeUnpublishVolume(request).getAllFields().isEmpty());
    }

    private Status.Code codeOf(Runnable call) {
        return assertThrows(StatusRuntimeException.class, call::run).getStatus().getCode();
    }

    private GetPluginInfoResponse info() {
        return identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    }

    private boolean probe() {
        return identity().probe(ProbeRequest.getDefaultInstance()).getReady().getValue();
    }

    @Test
    void aVolumeLivesAndEachCallIsLoggedInOrder() {
        assertEquals("ext-v1", create("v1").getVolumeId());
        assertEquals(
                "ext-v1",
                controller()
                        .controllerPublishVolume(ControllerPublishVolumeRequest.newBuilder()
                                .setVolumeId("ext-v1")
                                .setNodeId("n1")
                                .build())
                        .getPublishContextOrThrow("attached"));
        assertEquals(Set.of("n1"), plugin.nodesOf("ext-v1"));
        stage("ext-v1");
        stage("ext-v1");
        publish("ext-v1");
        assertEquals(Map.of("/stage/ext-v1", "ext-v1"), plugin.staged());
        assertEquals(Map.of("/target/ext-v1", "ext-v1"), plugin.published());
        unpublish("ext-v1");
        unstage("ext-v1");
        assertEquals(Map.of(), plugin.staged());
        assertEquals(
                List.of(
                        "CreateVolume",
                        "ControllerPublishVolume ext-v1",
                        "NodeStageVolume ext-v1",
                        "NodeStageVolume ext-v1",
                        "NodePublishVolume ext-v1",
                        "NodeUnpublishVolume ext-v1",
                        "NodeUnstageVolume ext-v1"),
                plugin.calls().stream().map(ReceivedCall::toString).toList());
        assertEquals("tester", plugin.calls().getFirst().authority());
    }

    @Test
    void callsOutOfOrderAreRefused() {
        create("v1");
        assertEquals(Status.Code.FAILED_PRECONDITION, codeOf(() -> publish("ext-v1")));
        assertEquals(Status.Code.NOT_FOUND, codeOf(() -> stage("ext-none")));
        assertEquals(Status.Code.INVALID_ARGUMENT, codeOf(() -> create("")));
        stage("ext-v1");
        publish("ext-v1");
        assertEquals(Status.Code.FAILED_PRECONDITION, codeOf(() -> unstage("ext-v1")));
        assertEquals(
                Status.Code.FAILED_PRECONDITION,
                codeOf(() -> controller()
                        .deleteVolume(DeleteVolumeRequest.newBuilder()
                                .setVolumeId("ext-v1")
                                .build())));
    }

    @Test
    void volumesAreListedInPages() {
        create("a");
        create("b");
        create("c");
        ListVolumesResponse first = controller()
                .listVolumes(ListVolumesRequest.newBuilder().setMaxEntries(2).build());
        assertEquals(2, first.getEntriesCount());
        ListVolumesResponse second = controller()
                .listVolumes(ListVolumesRequest.newBuilder()
                        .setMaxEntries(2)
                        .setStartingToken(first.getNextToken())
                        .build());
        assertEquals("ext-c", second.getEntries(0).getVolume().getVolumeId());
        assertEquals("", second.getNextToken());
        assertEquals(
                Status.Code.ABORTED,
                codeOf(() -> controller()
                        .listVolumes(ListVolumesRequest.newBuilder()
                                .setStartingToken("nonsense")
                                .build())));
    }

    @Test
    void aScriptIsFollowedAndItsLastBehaviourStays() {
        plugin.script(
                "GetPluginInfo",
                Behaviour.refuse(Status.Code.INTERNAL, "first"),
                Behaviour.answerEmpty(),
                Behaviour.ok());
        assertEquals(Status.Code.INTERNAL, codeOf(this::info));
        assertEquals("", info().getName());
        assertEquals("fake.csi.cleat.io", info().getName());
        assertEquals("fake.csi.cleat.io", info().getName());
        assertThrows(IllegalArgumentException.class, () -> plugin.script("NoSuchCall", Behaviour.ok()));
    }

    @Test
    void aLieDoesNothingAndDoThenFailDoesEverything() {
        create("v1");
        plugin.script("NodeStageVolume", Behaviour.lie());
        stage("ext-v1");
        assertEquals(Map.of(), plugin.staged());
        plugin.script("NodeStageVolume", Behaviour.doThen(Behaviour.refuse(Status.Code.UNAVAILABLE, "after all")));
        assertEquals(Status.Code.UNAVAILABLE, codeOf(() -> stage("ext-v1")));
        assertEquals(Map.of("/stage/ext-v1", "ext-v1"), plugin.staged());
    }

    @Test
    void aHangNeverAnswersAndTheTestSeesThatItCame() throws InterruptedException {
        plugin.script("Probe", Behaviour.hang());
        Thread asking = Thread.ofVirtual().start(() -> codeOf(this::probe));
        assertEquals(1, plugin.awaitCalls("Probe", 1, Duration.ofSeconds(20)).size());
        assertTrue(asking.isAlive());
        asking.interrupt();
        assertTrue(asking.join(Duration.ofSeconds(20)));
    }

    @Test
    void callsAtOneMomentAreCountedPerVolume() throws InterruptedException {
        create("a");
        create("b");
        stage("ext-a");
        publish("ext-a");
        assertEquals(1, plugin.mostAtOnce());
        CountDownLatch gate = new CountDownLatch(1);
        plugin.script("NodeStageVolume", Behaviour.waitFor(gate));
        Thread first = Thread.ofVirtual().start(() -> stage("ext-a"));
        Thread second = Thread.ofVirtual().start(() -> stage("ext-b"));
        plugin.awaitCalls("NodeStageVolume", 3, Duration.ofSeconds(20));
        gate.countDown();
        assertTrue(first.join(Duration.ofSeconds(20)));
        assertTrue(second.join(Duration.ofSeconds(20)));
        assertEquals(2, plugin.mostAtOnce());
        assertEquals(1, plugin.mostAtOnce("ext-a"));
        assertEquals(0, plugin.mostAtOnce("ext-none"));
    }

    @Test
    void repliesCanBeHuge() {
        plugin.script("GetPluginInfo", Behaviour.answerHuge(1 << 20));
        assertEquals(1 << 20, info().getName().length());
    }

    @Test
    void aCrashLeavesTheSocketFileAndARestartKeepsTheVolumes() {
        create("v1");
        plugin.script("Probe", Behaviour.crash(), Behaviour.ok());
        assertEquals(Status.Code.UNAVAILABLE, codeOf(this::probe));
        assertTrue(Files.exists(plugin.socket()));
        channel = connect();
        assertEquals(Status.Code.UNAVAILABLE, codeOf(this::probe));
        plugin.restart(FakeCsiSetup.standard().withIdentity("fake.csi.cleat.io", "2.0.0"));
        channel = connect();
        assertTrue(probe());
        assertEquals("2.0.0", info().getVendorVersion());
        assertEquals(1, plugin.volumes().size());
        plugin.close();
        assertFalse(Files.exists(plugin.socket()));
    }

    @Test
    void realEffectsHappenOnceAndTheirFailureIsAnswered() {
        List<String> done = new ArrayList<>();
        NodeEffects effects = new NodeEffects() {
            @Override
            public void stage(NodeStageVolumeRequest request) throws IOException {
                if (request.getVolumeId().equals("ext-bad")) {
                    throw new IOException("no such device");
                }
                done.add("stage " + request.getVolumeId());
            }
        };
        plugin.restart(FakeCsiSetup.standard().withEffects(effects));
        channel = connect();
        create("v1");
        create("bad");
        stage("ext-v1");
        stage("ext-v1");
        assertEquals(Status.Code.INTERNAL, codeOf(() -> stage("ext-bad")));
        assertEquals(List.of("stage ext-v1"), done);
        assertEquals(List.of(), plugin.faults());
    }
}
