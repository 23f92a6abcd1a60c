package io.cleat.agent.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.csi.CsiCode;
import io.cleat.csi.CsiRejected;
import io.cleat.csi.PluginChannel;
import io.cleat.csi.v1.ControllerExpandVolumeRequest;
import io.cleat.csi.v1.ControllerListVolumeHealthResponse;
import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.GetCapacityRequest;
import io.cleat.csi.v1.VolumeHealthErrorType;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ControllerCapability;
import io.cleat.model.CsiPluginSpec;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeCapability;
import io.cleat.model.PluginInstance;
import io.cleat.model.PluginType;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeModes;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.FakeCsiPlugin;
import io.cleat.testkit.FakeCsiSetup;
import io.cleat.wire.ControllerCall;
import io.cleat.wire.ControllerReply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node says of a plugin that offers everything, and the calls that it makes for a server. */
class ControllerCallsTest {
    private static final Secrets SECRETS = Secrets.of(Map.of("key", "word"));
    private static final MountOptions EXT4 = new MountOptions("ext4", List.of("noatime"));
    private static final VolumeModes WRITER =
            new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);

    @TempDir
    private Path dir = Path.of("");

    @SuppressWarnings("NullAway.Init")
    private FakeCsiPlugin plugin;

    @SuppressWarnings("NullAway.Init")
    private PluginChannel channel;

    @BeforeEach
    void start() {
        plugin = FakeCsiPlugin.start(
                dir.resolve("csi.sock"),
                FakeCsiSetup.whole()
                        .withNode("ext-node", 0, Map.of("zone", "z1"))
                        .withCapacity(1 << 30));
        plugin.addVolume("ext-1", 1 << 20);
        channel = PluginChannel.open("p", plugin.socket());
    }

    @AfterEach
    void stop() {
        channel.close();
        plugin.close();
    }

    private ControllerReply make(ControllerCall call) throws Exception {
        return new ControllerCalls(channel, Deadline.in(new SystemTime(), Duration.ofMinutes(1))).make(call);
    }

    private PluginInstance read(PluginType type) throws Exception {
        return PluginReading.read(
                new PluginTasks.PluginTask(
                        "alloc-1",
                        "plugin",
                        new CsiPluginSpec("p", type, "/csi", "/local/csi", Duration.ofSeconds(30), null),
                        false),
                channel,
                new SystemTime(),
                Deadline.in(new SystemTime(), Duration.ofMinutes(1)));
    }

    @Test
    void everyCapabilityAndTheTopologyAreReported() throws Exception {
        PluginInstance whole = read(PluginType.MONOLITH);
        assertTrue(whole.requiresController());
        assertTrue(whole.requiresTopologies());
        PluginInstance.Controller controller = Objects.requireNonNull(whole.controller());
        // What CSI 1.13 has no more, older plugins have.
        EnumSet<ControllerCapability> all = EnumSet.allOf(ControllerCapability.class);
        all.remove(ControllerCapability.VOLUME_CONDITION);
        assertEquals(all, controller.capabilities());
        assertEquals(false, controller.expandsOffline());
        PluginInstance.Node node = Objects.requireNonNull(whole.node());
        EnumSet<NodeCapability> onNode = EnumSet.allOf(NodeCapability.class);
        onNode.remove(NodeCapability.VOLUME_CONDITION);
        assertEquals(onNode, node.capabilities());
        assertEquals(new Topology(Map.of("zone", "z1")), node.accessibleFrom());
        assertEquals(Long.MAX_VALUE, node.maxVolumes());
        assertEquals("ext-node", node.externalNodeId());
    }

    @Test
    void aPluginIsReadForTheServicesOfItsKind() throws Exception {
        assertEquals(null, read(PluginType.CONTROLLER).node());
        assertEquals(null, read(PluginType.NODE).controller());
        assertTrue(read(PluginType.NODE).requiresController());
    }

    @Test
    void aPluginThatGrowsVolumesOnlyWhileUnusedIsReportedSo() throws Exception {
        plugin.restart(FakeCsiSetup.whole()
                .withServices(
                        FakeCsiSetup.whole().services(),
                        Set.of(io.cleat.csi.v1.PluginCapability.VolumeExpansion.Type.OFFLINE)));
        assertEquals(
                true,
                Objects.requireNonNull(read(PluginType.CONTROLLER).controller()).expandsOffline());
    }

    @Test
    void aVolumeIsExpandedAsItIsUsed() throws Exception {
        assertEquals(
                new ControllerReply.Expanded(2 << 20, true),
                make(new ControllerCall.Expand("ext-1", 2 << 20, 4 << 20, WRITER, EXT4, SECRETS)));
        ControllerExpandVolumeRequest asked = (ControllerExpandVolumeRequest)
                plugin.calls("ControllerExpandVolume").getFirst().request();
        assertEquals(4 << 20, asked.getCapacityRange().getLimitBytes());
        assertEquals("ext4", asked.getVolumeCapability().getMount().getFsType());
        assertEquals(Map.of("key", "word"), asked.getSecretsMap());
        make(new ControllerCall.Expand("ext-1", 3 << 20, 0, null, MountOptions.NONE, Secrets.none()));
        assertEquals(
                false,
                ((ControllerExpandVolumeRequest)
                                plugin.calls("ControllerExpandVolume").getLast().request())
                        .hasVolumeCapability());
    }

    @Test
    void listedVolumesCarryWhatThePluginListsAsTheirHealth() throws Exception {
        plugin.addVolume("ext-2", 1 << 20);
        ControllerListVolumeHealthResponse.Builder first =
                ControllerListVolumeHealthResponse.newBuilder().setNextToken("2");
        first.addEntriesBuilder().setVolumeId("ext-1");
        ControllerListVolumeHealthResponse.Builder second = ControllerListVolumeHealthResponse.newBuilder();
        second.addEntriesBuilder()
                .setVolumeId("ext-2")
                .addHealthStatusesBuilder()
                .setStatus(VolumeHealthErrorType.DEGRADED)
                .setReason("OneCopy")
                .setMessage("a disk is gone");
        plugin.script("ControllerListVolumeHealth", Behaviour.answer(first.build()), Behaviour.answer(second.build()));
        ControllerReply.Listed listed = (ControllerReply.Listed) make(new ControllerCall.ListVolumes("", 0));
        assertEquals(
                Map.of("ext-1", "", "ext-2", "DEGRADED OneCopy: a disk is gone"),
                listed.entries().stream().collect(Collectors.toMap(ListedVolume::externalId, ListedVolume::condition)));
        assertEquals(
                List.of("ext-2"),
                listed.entries().stream()
                        .filter(ListedVolume::abnormal)
                        .map(ListedVolume::externalId)
                        .toList());
    }

    @Test
    void snapshotsAreMadeListedAndDeleted() throws Exception {
        ControllerReply made =
                make(new ControllerCall.CreateSnapshot("ext-1", "monday", Map.of("policy", "p"), SECRETS));
        assertTrue(
                made instanceof ControllerReply.SnapshotCreated(ListedSnapshot snapshot)
                        && snapshot.snapshotId().equals("snap-monday")
                        && snapshot.sourceExternalId().equals("ext-1")
                        && snapshot.size() == 1 << 20
                        && snapshot.ready(),
                made.toString());
        CreateSnapshotRequest asked = (CreateSnapshotRequest)
                plugin.calls("CreateSnapshot").getFirst().request();
        assertEquals(Map.of("policy", "p"), asked.getParametersMap());
        assertEquals(Map.of("key", "word"), asked.getSecretsMap());
        make(new ControllerCall.CreateSnapshot("ext-1", "tuesday", Map.of(), Secrets.none()));
        ControllerReply.SnapshotsListed first =
                (ControllerReply.SnapshotsListed) make(new ControllerCall.ListSnapshots("", 1, "ext-1", "", SECRETS));
        assertEquals("snap-monday", first.snapshots().getFirst().snapshotId());
        ControllerReply.SnapshotsListed second = (ControllerReply.SnapshotsListed)
                make(new ControllerCall.ListSnapshots(first.nextToken(), 1, "ext-1", "", SECRETS));
        assertEquals("snap-tuesday", second.snapshots().getFirst().snapshotId());
        assertEquals("", second.nextToken());
        assertEquals(
                new ControllerReply.SnapshotDeleted(), make(new ControllerCall.DeleteSnapshot("snap-monday", SECRETS)));
        assertEquals(List.of("snap-tuesday"), plugin.snapshots());
    }

    @Test
    void aVolumeIsMadeFromASnapshotOrAVolume() throws Exception {
        make(new ControllerCall.CreateSnapshot("ext-1", "monday", Map.of(), Secrets.none()));
        make(create("copy", "snap-monday", ""));
        make(create("clone", "", "ext-1"));
        assertEquals(
                List.of("snap-monday", ""),
                plugin.calls("CreateVolume").stream()
                        .map(call -> ((CreateVolumeRequest) call.request())
                                .getVolumeContentSource()
                                .getSnapshot()
                                .getSnapshotId())
                        .toList());
        assertEquals(
                "ext-1",
                ((CreateVolumeRequest) plugin.calls("CreateVolume").getLast().request())
                        .getVolumeContentSource()
                        .getVolume()
                        .getVolumeId());
    }

    private static ControllerCall create(String name, String snapshotId, String cloneId) {
        return new ControllerCall.Create(
                name,
                0,
                0,
                List.of(WRITER),
                MountOptions.NONE,
                Map.of(),
                Secrets.none(),
                TopologyRequest.NONE,
                snapshotId,
                cloneId);
    }

    @Test
    void theRoomIsAskedForWhatAndWhere() throws Exception {
        assertEquals(
                new ControllerReply.Room((1 << 30) - (1 << 20), 0, 0),
                make(new ControllerCall.Capacity(
                        List.of(WRITER), EXT4, Map.of("type", "ext4"), new Topology(Map.of("zone", "z1")))));
        GetCapacityRequest asked =
                (GetCapacityRequest) plugin.calls("GetCapacity").getFirst().request();
        assertEquals(Map.of("zone", "z1"), asked.getAccessibleTopology().getSegmentsMap());
        assertEquals("ext4", asked.getVolumeCapabilities(0).getMount().getFsType());
        make(new ControllerCall.Capacity(List.of(), MountOptions.NONE, Map.of(), null));
        assertEquals(
                false,
                ((GetCapacityRequest) plugin.calls("GetCapacity").getLast().request()).hasAccessibleTopology());
    }

    @Test
    void whatThePluginDoesNotOfferIsNotSent() throws Exception {
        plugin.restart(FakeCsiSetup.standard());
        for (ControllerCall call : List.of(
                new ControllerCall.Expand("ext-1", 2 << 20, 0, null, EXT4, Secrets.none()),
                new ControllerCall.CreateSnapshot("ext-1", "s", Map.of(), Secrets.none()),
                new ControllerCall.DeleteSnapshot("s", Secrets.none()),
                new ControllerCall.ListSnapshots("", 0, "", "", Secrets.none()))) {
            CsiRejected refused = assertThrows(CsiRejected.class, () -> make(call));
            assertEquals(CsiCode.UNIMPLEMENTED, refused.code());
        }
        assertEquals(
                List.of(),
                plugin.calls().stream()
                        .filter(call -> !call.name().equals("ControllerGetCapabilities"))
                        .toList());
    }
}
