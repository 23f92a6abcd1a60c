package io.cleat.csi;

import static io.cleat.testkit.Behaviour.answer;
import static io.cleat.testkit.Behaviour.answerEmpty;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import io.cleat.base.Effect;
import io.cleat.csi.v1.ControllerExpandVolumeResponse;
import io.cleat.csi.v1.ControllerGetVolumeHealthResponse;
import io.cleat.csi.v1.ControllerGetVolumeResponse;
import io.cleat.csi.v1.ControllerListVolumeHealthResponse;
import io.cleat.csi.v1.CreateSnapshotResponse;
import io.cleat.csi.v1.CreateVolumeGroupSnapshotResponse;
import io.cleat.csi.v1.GetSnapshotResponse;
import io.cleat.csi.v1.GetVolumeGroupSnapshotResponse;
import io.cleat.csi.v1.ListSnapshotsResponse;
import io.cleat.csi.v1.NodeExpandVolumeResponse;
import io.cleat.csi.v1.NodeGetVolumeHealthResponse;
import io.cleat.csi.v1.NodeGetVolumeStatsResponse;
import io.cleat.csi.v1.Snapshot;
import io.cleat.csi.v1.Volume;
import io.cleat.csi.v1.VolumeGroupSnapshot;
import io.cleat.csi.v1.VolumeHealth;
import io.cleat.csi.v1.VolumeUsage;
import io.cleat.testkit.Behaviour;
import io.cleat.testkit.FakeCsiSetup;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Replies to optional calls that break the specification are trouble of the plugin. */
final class WholeReplyTest {
    @TempDir
    private Path dir;

    private record Row(OptionalCalls call, String reply, Behaviour plugin, String says) {
        Row(OptionalCalls call, String reply, Message message, String says) {
            this(call, reply, answer(message), says);
        }
    }

    private static Snapshot.Builder snapshot() {
        return Snapshot.newBuilder()
                .setSnapshotId("snap-a")
                .setSourceVolumeId(PluginRig.VOLUME)
                .setCreationTime(Timestamp.newBuilder().setSeconds(1));
    }

    private static CreateSnapshotResponse cut(Snapshot.Builder snapshot) {
        return CreateSnapshotResponse.newBuilder().setSnapshot(snapshot).build();
    }

    private static ListSnapshotsResponse listed(Snapshot.Builder snapshot) {
        ListSnapshotsResponse.Builder reply = ListSnapshotsResponse.newBuilder();
        reply.addEntriesBuilder().setSnapshot(snapshot);
        return reply.build();
    }

    private static VolumeGroupSnapshot.Builder group() {
        return VolumeGroupSnapshot.newBuilder()
                .setGroupSnapshotId("group-g")
                .setCreationTime(Timestamp.newBuilder().setSeconds(1))
                .addSnapshots(snapshot().setGroupSnapshotId("group-g"));
    }

    private static CreateVolumeGroupSnapshotResponse cut(VolumeGroupSnapshot.Builder group) {
        return CreateVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(group)
                .build();
    }

    private static NodeGetVolumeStatsResponse stats(VolumeUsage.Builder... usages) {
        NodeGetVolumeStatsResponse.Builder reply = NodeGetVolumeStatsResponse.newBuilder();
        Stream.of(usages).forEach(reply::addUsage);
        return reply.build();
    }

    private static VolumeUsage.Builder bytes() {
        return VolumeUsage.newBuilder().setUnit(VolumeUsage.Unit.BYTES).setTotal(9);
    }

    private static ControllerExpandVolumeResponse grown(long bytes) {
        return ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(bytes)
                .build();
    }

    private static ControllerGetVolumeResponse got(String volumeId) {
        ControllerGetVolumeResponse.Builder reply = ControllerGetVolumeResponse.newBuilder();
        reply.getStatusBuilder();
        return reply.setVolume(Volume.newBuilder().setVolumeId(volumeId)).build();
    }

    private static VolumeHealth health(String volumeId) {
        return VolumeHealth.newBuilder().setVolumeId(volumeId).build();
    }

    private static Stream<Row> rows() {
        return Stream.of(
                new Row(OptionalCalls.EXPAND, "no size", answerEmpty(), "no capacity_bytes"),
                new Row(OptionalCalls.EXPAND, "negative size", grown(-1), "capacity_bytes -1"),
                new Row(OptionalCalls.EXPAND, "too small", grown(1 << 20), "at least 2097152"),
                new Row(
                        OptionalCalls.NODE_EXPAND,
                        "negative size",
                        NodeExpandVolumeResponse.newBuilder()
                                .setCapacityBytes(-5)
                                .build(),
                        "capacity_bytes -5"),
                new Row(OptionalCalls.GET, "no volume", answerEmpty(), "no volume"),
                new Row(
                        OptionalCalls.GET,
                        "no status",
                        ControllerGetVolumeResponse.newBuilder()
                                .setVolume(Volume.newBuilder().setVolumeId(PluginRig.VOLUME))
                                .build(),
                        "no status"),
                new Row(OptionalCalls.GET, "another volume", got("ext-other"), "another volume"),
                new Row(OptionalCalls.CREATE_SNAPSHOT, "none", answerEmpty(), "no snapshot"),
                new Row(OptionalCalls.CREATE_SNAPSHOT, "no id", cut(snapshot().clearSnapshotId()), "no snapshot_id"),
                new Row(
                        OptionalCalls.CREATE_SNAPSHOT,
                        "endless id",
                        cut(snapshot().setSnapshotId("x".repeat(1_025))),
                        "1025 bytes"),
                new Row(
                        OptionalCalls.CREATE_SNAPSHOT,
                        "no source",
                        cut(snapshot().clearSourceVolumeId()),
                        "no source_volume_id"),
                new Row(
                        OptionalCalls.CREATE_SNAPSHOT,
                        "another source",
                        cut(snapshot().setSourceVolumeId("ext-other")),
                        "of volume \"ext-other\""),
                new Row(OptionalCalls.CREATE_SNAPSHOT, "no time", cut(snapshot().clearCreationTime()), "creation_time"),
                new Row(
                        OptionalCalls.CREATE_SNAPSHOT,
                        "a time that is none",
                        cut(snapshot().setCreationTime(Timestamp.newBuilder().setSeconds(1L << 60))),
                        "has a time"),
                new Row(
                        OptionalCalls.CREATE_SNAPSHOT,
                        "nanoseconds that are none",
                        cut(snapshot().setCreationTime(Timestamp.newBuilder().setNanos(-1))),
                        "-1 nanoseconds"),
                new Row(
                        OptionalCalls.CREATE_SNAPSHOT,
                        "negative size",
                        cut(snapshot().setSizeBytes(-1)),
                        "size_bytes -1"),
                new Row(
                        OptionalCalls.LIST_SNAPSHOTS,
                        "an entry without snapshot",
                        ListSnapshotsResponse.newBuilder()
                                .addEntries(ListSnapshotsResponse.Entry.getDefaultInstance())
                                .build(),
                        "no snapshot"),
                new Row(
                        OptionalCalls.LIST_SNAPSHOTS,
                        "of a volume that was not asked for",
                        listed(snapshot().setSourceVolumeId("ext-other")),
                        "of volume \"ext-other\""),
                new Row(
                        OptionalCalls.LIST_SNAPSHOTS,
                        "an endless list",
                        ListSnapshotsResponse.newBuilder().setNextToken("5").build(),
                        "endless"),
                new Row(
                        OptionalCalls.GET_SNAPSHOT,
                        "another snapshot",
                        GetSnapshotResponse.newBuilder()
                                .setSnapshot(snapshot().setSnapshotId("snap-b"))
                                .build(),
                        "asked was for \"snap-a\""),
                new Row(OptionalCalls.CREATE_GROUP, "none", answerEmpty(), "no group_snapshot"),
                new Row(
                        OptionalCalls.CREATE_GROUP,
                        "no id",
                        cut(group().clearGroupSnapshotId()),
                        "no group_snapshot_id"),
                new Row(OptionalCalls.CREATE_GROUP, "no snapshots", cut(group().clearSnapshots()), "without snapshots"),
                new Row(OptionalCalls.CREATE_GROUP, "no time", cut(group().clearCreationTime()), "creation_time"),
                new Row(
                        OptionalCalls.CREATE_GROUP,
                        "a member of another group",
                        cut(group().setSnapshots(0, snapshot().setGroupSnapshotId("other"))),
                        "of group \"other\""),
                new Row(
                        OptionalCalls.CREATE_GROUP,
                        "another volume",
                        cut(group().setSnapshots(
                                        0,
                                        snapshot().setGroupSnapshotId("group-g").setSourceVolumeId("ext-other"))),
                        "of volumes [ext-other]"),
                new Row(
                        OptionalCalls.CREATE_GROUP,
                        "one volume more",
                        cut(group().addSnapshots(snapshot().setGroupSnapshotId("group-g"))),
                        "of volumes"),
                new Row(
                        OptionalCalls.CREATE_GROUP,
                        "ready with a member that is not",
                        cut(group().setReadyToUse(true)),
                        "is not"),
                new Row(
                        OptionalCalls.GET_GROUP,
                        "another group",
                        GetVolumeGroupSnapshotResponse.newBuilder()
                                .setGroupSnapshot(group().setGroupSnapshotId("x")
                                        .setSnapshots(0, snapshot().setGroupSnapshotId("x")))
                                .build(),
                        "with id [x]"),
                new Row(OptionalCalls.STATS, "negative use", stats(bytes().setUsed(-1)), "used -1"),
                new Row(
                        OptionalCalls.STATS,
                        "no unit",
                        stats(VolumeUsage.newBuilder().setTotal(1)),
                        "without unit"),
                new Row(OptionalCalls.STATS, "bytes twice", stats(bytes(), bytes()), "two usages in BYTES"),
                new Row(OptionalCalls.CONTROLLER_HEALTH, "none", answerEmpty(), "no volume_health"),
                new Row(
                        OptionalCalls.CONTROLLER_HEALTH,
                        "another volume's",
                        ControllerGetVolumeHealthResponse.newBuilder()
                                .setVolumeHealth(health("ext-other"))
                                .build(),
                        "another volume"),
                new Row(
                        OptionalCalls.NODE_HEALTH,
                        "no volume",
                        NodeGetVolumeHealthResponse.newBuilder()
                                .setVolumeHealth(health(""))
                                .build(),
                        "no volume_id"),
                new Row(
                        OptionalCalls.LIST_HEALTH,
                        "an endless list",
                        ControllerListVolumeHealthResponse.newBuilder()
                                .setNextToken("5")
                                .build(),
                        "endless"));
    }

    @TestFactory
    Stream<DynamicTest> badReplyIsTroubleOfThePlugin() {
        return rows().map(row -> DynamicTest.dynamicTest(row.call() + ": " + row.reply(), () -> refused(row)));
    }

    private void refused(Row row) throws Exception {
        try (PluginRig rig = new PluginRig(dir, PluginRig.POLICY, FakeCsiSetup.whole())) {
            rig.plugin.script(row.call().csiName, row.plugin());
            CsiTrouble trouble =
                    assertThrows(CsiProtocol.class, () -> row.call().make(rig.channel));
            assertTrue(trouble.reason().contains(row.says()), trouble.reason());
            assertTrue(trouble.reason().contains("\"fake\" broke the CSI"), trouble.reason());
            assertEquals(
                    row.call().changes ? Effect.UNKNOWN : Effect.NONE,
                    trouble.effect(),
                    "a bad reply to a call that changes something leaves its effect open");
            assertEquals(1, trouble.tries());
        }
    }
}
