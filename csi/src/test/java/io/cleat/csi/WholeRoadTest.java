package io.cleat.csi;

import static io.cleat.testkit.Behaviour.answer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.cleat.base.Deadline;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.ControllerExpandVolumeRequest;
import io.cleat.csi.v1.ControllerGetCapabilitiesResponse;
import io.cleat.csi.v1.ControllerGetVolumeResponse;
import io.cleat.csi.v1.ControllerListVolumeHealthResponse;
import io.cleat.csi.v1.CreateSnapshotRequest;
import io.cleat.csi.v1.CreateVolumeRequest;
import io.cleat.csi.v1.ListVolumesResponse;
import io.cleat.csi.v1.NodeExpandVolumeRequest;
import io.cleat.csi.v1.NodeGetCapabilitiesResponse;
import io.cleat.csi.v1.NodeGetStorageHealthResponse;
import io.cleat.csi.v1.NodeGetVolumeHealthResponse;
import io.cleat.csi.v1.NodeGetVolumeStatsResponse;
import io.cleat.csi.v1.StorageHealthErrorType;
import io.cleat.csi.v1.Volume;
import io.cleat.csi.v1.VolumeHealthErrorType;
import io.cleat.testkit.FakeCsiSetup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only some plugins offer, over a plugin that offers all. */
final class WholeRoadTest {
    @TempDir
    private Path dir;

    private PluginRig rig() {
        return new PluginRig(dir, PluginRig.POLICY, FakeCsiSetup.whole());
    }

    private static VolumeOrder from(ContentSource source, Map<String, String> mutable) {
        return new VolumeOrder(
                "copy",
                CapacityRange.ANY,
                List.of(PluginRig.USE),
                Map.of(),
                Secrets.none(),
                List.of(),
                List.of(),
                source,
                mutable);
    }

    @Test
    void aVolumeGrowsAtItsProviderThenOnItsNode() throws Exception {
        try (PluginRig rig = rig()) {
            Deadline deadline = PluginRig.minute();
            CapacityRange twice = new CapacityRange(2 << 20, 3 << 20);
            ExpandedVolume expanded = rig.channel
                    .controller()
                    .expand(
                            new ControllerExpansion(
                                    PluginRig.VOLUME,
                                    twice,
                                    Optional.of(PluginRig.USE),
                                    Secrets.of(Map.of("k", "word"))),
                            deadline);
            assertEquals(new ExpandedVolume(2 << 20, true), expanded);
            ControllerExpandVolumeRequest asked = (ControllerExpandVolumeRequest)
                    rig.plugin.calls("ControllerExpandVolume").getFirst().request();
            assertEquals(3 << 20, asked.getCapacityRange().getLimitBytes());
            assertTrue(asked.getVolumeCapability().hasMount());
            assertEquals(Map.of("k", "word"), asked.getSecretsMap());

            rig.stage();
            NodeExpansion onNode = new NodeExpansion(
                    PluginRig.VOLUME, "/stage", "/stage", twice, Optional.of(PluginRig.USE), Secrets.none());
            assertEquals(OptionalLong.of(2 << 20), rig.channel.node().expand(onNode, deadline));
            NodeExpandVolumeRequest there = (NodeExpandVolumeRequest)
                    rig.plugin.calls("NodeExpandVolume").getFirst().request();
            assertEquals("/stage", there.getVolumePath());
            assertEquals("/stage", there.getStagingTargetPath());
            assertEquals(
                    new VolumeStats(
                            Optional.of(new VolumeStats.Usage(3 << 19, 2 << 20, 1 << 19)),
                            Optional.of(new VolumeStats.Usage(989, 1_000, 11)),
                            Optional.empty()),
                    rig.channel.node().stats(PluginRig.VOLUME, "/stage", "/stage", deadline));
        }
    }

    @Test
    void expansionToNothingIsOurFault() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new ControllerExpansion("v", CapacityRange.ANY, Optional.empty(), Secrets.none()));
    }

    @Test
    void aSnapshotBecomesAVolumeAndAVolumeACopy() throws Exception {
        try (PluginRig rig = rig()) {
            Deadline deadline = PluginRig.minute();
            SnapshotOrder order = new SnapshotOrder(
                    PluginRig.VOLUME,
                    "a",
                    Map.of("policy", "p"),
                    Secrets.none(),
                    List.of(Topology.of(Map.of("zone", "a"))),
                    List.of());
            Snapshot snapshot = rig.channel.snapshots().create(order, deadline);
            assertEquals("snap-a", snapshot.snapshotId());
            assertEquals(PluginRig.VOLUME, snapshot.sourceVolumeId());
            assertEquals(1 << 20, snapshot.sizeBytes());
            assertEquals(1_700_000_001, snapshot.createdAt().getEpochSecond());
            assertTrue(snapshot.ready());
            CreateSnapshotRequest asked = (CreateSnapshotRequest)
                    rig.plugin.calls("CreateSnapshot").getFirst().request();
            assertEquals(Map.of("policy", "p"), asked.getParametersMap());
            assertEquals(1, asked.getAccessibilityRequirements().getRequisiteCount());
            assertEquals(snapshot, rig.channel.snapshots().get("snap-a", Secrets.none(), deadline));

            ContentSource source = new ContentSource.FromSnapshot("snap-a");
            PluginVolume made = rig.channel.controller().create(from(source, Map.of("speed", "1")), deadline);
            assertEquals(source, made.source());
            CreateVolumeRequest ordered = (CreateVolumeRequest)
                    rig.plugin.calls("CreateVolume").getFirst().request();
            assertEquals(Map.of("speed", "1"), ordered.getMutableParamsMap());
            rig.channel.controller().delete("ext-copy", Secrets.none(), deadline);
            ContentSource clone = new ContentSource.FromVolume(PluginRig.VOLUME);
            assertEquals(
                    clone,
                    rig.channel
                            .controller()
                            .create(from(clone, Map.of()), deadline)
                            .source());

            rig.channel.snapshots().delete("snap-a", Secrets.none(), deadline);
            assertEquals(List.of(), rig.plugin.snapshots());
        }
    }

    @Test
    void aPluginThatOverlooksTheSourceIsFoundOut() throws Exception {
        try (PluginRig rig = rig()) {
            rig.channel.snapshots().create(SnapshotOrder.of(PluginRig.VOLUME, "a"), PluginRig.minute());
            Volume empty = Volume.newBuilder().setVolumeId("ext-copy").build();
            rig.plugin.script(
                    "CreateVolume",
                    answer(io.cleat.csi.v1.CreateVolumeResponse.newBuilder()
                            .setVolume(empty)
                            .build()));
            CsiTrouble trouble = assertThrows(
                    CsiProtocol.class,
                    () -> rig.channel
                            .controller()
                            .create(from(new ContentSource.FromSnapshot("snap-a"), Map.of()), PluginRig.minute()));
            assertTrue(trouble.reason().contains("made from nothing"), trouble.reason());
        }
    }

    @Test
    void aSourceOrParametersThatThePluginDoesNotKnowAreNotSent() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            for (VolumeOrder order : List.of(
                    from(new ContentSource.FromSnapshot("s"), Map.of()),
                    from(new ContentSource.FromVolume("v"), Map.of()),
                    from(ContentSource.EMPTY, Map.of("speed", "1")))) {
                CsiTrouble trouble = assertThrows(
                        CsiRejected.class, () -> rig.channel.controller().create(order, PluginRig.minute()));
                assertEquals(CsiCode.UNIMPLEMENTED, trouble.code());
            }
            assertEquals(List.of(), rig.plugin.calls("CreateVolume"));
        }
    }

    @Test
    void snapshotsAreListedInPages() throws Exception {
        try (PluginRig rig = rig()) {
            for (String name : List.of("a", "b", "c")) {
                rig.channel.snapshots().create(SnapshotOrder.of(PluginRig.VOLUME, name), PluginRig.minute());
            }
            List<String> ids = new ArrayList<>();
            String token = "";
            int pages = 0;
            do {
                SnapshotPage page = rig.channel
                        .snapshots()
                        .list(new SnapshotQuery(2, token, PluginRig.VOLUME, "", Secrets.none()), PluginRig.minute());
                page.snapshots().forEach(each -> ids.add(each.snapshotId()));
                token = page.nextToken();
                pages++;
            } while (!token.isEmpty());
            assertEquals(2, pages);
            assertEquals(List.of("snap-a", "snap-b", "snap-c"), ids);
        }
    }

    @Test
    void aGroupIsCutSeenAndDeleted() throws Exception {
        try (PluginRig rig = rig()) {
            rig.plugin.addVolume("ext-v2", 2 << 20);
            Deadline deadline = PluginRig.minute();
            GroupClient groups = rig.channel.groups();
            assertEquals(
                    Set.of(GroupCapability.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT), groups.capabilities(deadline));
            GroupSnapshot group = groups.create(
                    new GroupSnapshotOrder("g", List.of("ext-v2", PluginRig.VOLUME), Map.of(), Secrets.none()),
                    deadline);
            assertEquals("group-g", group.groupId());
            assertTrue(group.ready());
            assertEquals(group, groups.get("group-g", group.snapshotIds(), Secrets.none(), deadline));
            groups.delete("group-g", group.snapshotIds(), Secrets.none(), deadline);
            assertEquals(List.of(), rig.plugin.snapshots());
        }
    }

    @Test
    void parametersAreModifiedAndTheVolumeIsSeen() throws Exception {
        try (PluginRig rig = rig()) {
            rig.channel
                    .controller()
                    .modify(PluginRig.VOLUME, Map.of("speed", "fast"), Secrets.none(), PluginRig.minute());
            assertEquals(Map.of("speed", "fast"), rig.plugin.modified(PluginRig.VOLUME));
            VolumeStatus status = rig.channel.controller().get(PluginRig.VOLUME, PluginRig.minute());
            assertEquals(PluginRig.VOLUME, status.volume().volumeId());
            assertEquals(Set.of(), status.publishedNodeIds());
            assertEquals(Optional.empty(), status.condition());
        }
    }

    // A number that this version has no constant for.
    @SuppressWarnings("AvoidValueSetter")
    @Test
    void whatIsWrongIsToldByKindAndOfLaterKindsNot() throws Exception {
        NodeGetVolumeHealthResponse.Builder ofVolume = NodeGetVolumeHealthResponse.newBuilder();
        ofVolume.getVolumeHealthBuilder()
                .setVolumeId(PluginRig.VOLUME)
                .addHealthStatusesBuilder()
                .setStatus(VolumeHealthErrorType.DATA_LOSS)
                .setReason("BadBlocks")
                .setMessage("3 blocks\u0007 unreadable");
        ofVolume.getVolumeHealthBuilder().addHealthStatusesBuilder().setStatusValue(77);
        NodeGetStorageHealthResponse.Builder ofStorage = NodeGetStorageHealthResponse.newBuilder();
        ofStorage
                .addBackendHealthBuilder()
                .setStatus(StorageHealthErrorType.STORAGE_UNREACHABLE)
                .setReason("NoPath");
        ControllerListVolumeHealthResponse.Builder listed =
                ControllerListVolumeHealthResponse.newBuilder().setNextToken("7");
        listed.addEntriesBuilder()
                .setVolumeId("ext-9")
                .addHealthStatusesBuilder()
                .setStatus(VolumeHealthErrorType.DEGRADED);
        try (PluginRig rig = rig()) {
            HealthClient health = rig.channel.health();
            assertEquals(
                    List.of(),
                    health.seenByController(PluginRig.VOLUME, Secrets.none(), PluginRig.minute())
                            .findings());
            rig.plugin.script("NodeGetVolumeHealth", answer(ofVolume.build()));
            rig.plugin.script("NodeGetStorageHealth", answer(ofStorage.build()));
            rig.plugin.script("ControllerListVolumeHealth", answer(listed.build()));
            assertEquals(
                    List.of(new VolumeHealth.Finding(VolumeHealth.Kind.DATA_LOSS, "BadBlocks", "3 blocks  unreadable")),
                    health.seenByNode(PluginRig.VOLUME, "/t", "/s", PluginRig.minute())
                            .findings());
            assertEquals(
                    List.of(new StorageHealth(StorageHealth.Kind.STORAGE_UNREACHABLE, "NoPath", "", Optional.empty())),
                    health.storageSeenByNode(Secrets.none(), PluginRig.minute()));
            HealthPage page = health.listedByController(1, "", Secrets.none(), PluginRig.minute());
            assertEquals("7", page.nextToken());
            assertEquals("ext-9", page.entries().getFirst().volumeId());
        }
    }

    /** What a plugin of CSI 1.12 puts where 1.13 has nothing. */
    private static UnknownFieldSet condition(long abnormal, String message) {
        UnknownFieldSet condition = UnknownFieldSet.newBuilder()
                .addField(
                        1,
                        UnknownFieldSet.Field.newBuilder().addVarint(abnormal).build())
                .addField(
                        2,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8(message))
                                .build())
                .build();
        return UnknownFieldSet.newBuilder()
                .addField(
                        2,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(condition.toByteString())
                                .build())
                .build();
    }

    // A number that this version has no constant for.
    @SuppressWarnings("AvoidValueSetter")
    @Test
    void theConditionOfAnOlderPluginIsRead() throws Exception {
        ControllerGetCapabilitiesResponse.Builder controller = ControllerGetCapabilitiesResponse.newBuilder();
        controller.addCapabilitiesBuilder().getRpcBuilder().setTypeValue(11);
        controller.addCapabilitiesBuilder().getRpcBuilder().setTypeValue(12);
        NodeGetCapabilitiesResponse.Builder node = NodeGetCapabilitiesResponse.newBuilder();
        node.addCapabilitiesBuilder().getRpcBuilder().setTypeValue(4);
        node.addCapabilitiesBuilder().getRpcBuilder().setTypeValue(2);
        Volume volume = Volume.newBuilder().setVolumeId(PluginRig.VOLUME).build();
        ControllerGetVolumeResponse.Builder got =
                ControllerGetVolumeResponse.newBuilder().setVolume(volume);
        got.getStatusBuilder().setUnknownFields(condition(1, "gone"));
        ListVolumesResponse.Builder list = ListVolumesResponse.newBuilder();
        list.addEntriesBuilder().setVolume(volume).getStatusBuilder().setUnknownFields(condition(0, ""));
        try (PluginRig rig = rig()) {
            rig.plugin.script("ControllerGetCapabilities", answer(controller.build()));
            rig.plugin.script("NodeGetCapabilities", answer(node.build()));
            rig.plugin.script("ControllerGetVolume", answer(got.build()));
            rig.plugin.script("ListVolumes", answer(list.build()));
            rig.plugin.script(
                    "NodeGetVolumeStats",
                    answer(NodeGetVolumeStatsResponse.newBuilder()
                            .setUnknownFields(condition(1, "slow"))
                            .build()));
            Deadline deadline = PluginRig.minute();
            assertEquals(
                    Set.of(ControllerCapability.VOLUME_CONDITION, ControllerCapability.GET_VOLUME),
                    rig.channel.controller().capabilities(deadline));
            assertEquals(
                    Set.of(NodeCapability.VOLUME_CONDITION, NodeCapability.GET_VOLUME_STATS),
                    rig.channel.node().capabilities(deadline));
            assertEquals(
                    Optional.of(new VolumeCondition(true, "gone")),
                    rig.channel.controller().get(PluginRig.VOLUME, deadline).condition());
            assertEquals(
                    Optional.of(new VolumeCondition(false, "")),
                    rig.channel
                            .controller()
                            .list(0, "", deadline)
                            .entries()
                            .getFirst()
                            .condition());
            assertEquals(
                    Optional.of(new VolumeCondition(true, "slow")),
                    rig.channel
                            .node()
                            .stats(PluginRig.VOLUME, "/t", "/s", deadline)
                            .condition());
        }
    }
}
