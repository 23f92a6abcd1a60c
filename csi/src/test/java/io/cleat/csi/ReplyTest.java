package io.cleat.csi;

import static io.cleat.testkit.Behaviour.answer;
import static io.cleat.testkit.Behaviour.answerEmpty;
import static io.cleat.testkit.Behaviour.answerHuge;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.BoolValue;
import com.google.protobuf.Int64Value;
import io.cleat.base.Secrets;
import io.cleat.csi.v1.ControllerGetCapabilitiesResponse;
import io.cleat.csi.v1.ControllerPublishVolumeResponse;
import io.cleat.csi.v1.CreateVolumeResponse;
import io.cleat.csi.v1.GetCapacityResponse;
import io.cleat.csi.v1.GetPluginInfoResponse;
import io.cleat.csi.v1.ListVolumesResponse;
import io.cleat.csi.v1.NodeGetInfoResponse;
import io.cleat.csi.v1.ProbeResponse;
import io.cleat.csi.v1.ValidateVolumeCapabilitiesResponse;
import io.cleat.csi.v1.Volume;
import io.cleat.csi.v1.VolumeCapability;
import io.cleat.testkit.Behaviour;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What a plugin may answer, and what it may not. */
final class ReplyTest {
    @TempDir
    private Path dir;

    /** Something to ask a plugin. */
    private interface Question {
        Object ask(PluginChannel channel) throws CsiTrouble, InterruptedException;
    }

    private record Row(String situation, String call, Behaviour reply, Question question) {}

    private static final Question INFO = c -> c.identity().info(PluginRig.minute());
    private static final Question NODE = c -> c.node().info(PluginRig.minute());
    private static final Question LIST = c -> c.controller().list(0, "5", PluginRig.minute());
    private static final Question CREATE = c ->
            c.controller().create(VolumeOrder.of("v1", new CapacityRange(1_000, 0), PluginRig.USE), PluginRig.minute());
    private static final Question CAPACITY =
            c -> c.controller().capacity(List.of(), Map.of(), Optional.empty(), PluginRig.minute());
    private static final Question PUBLISH = c -> c.controller().publish(publication(), PluginRig.minute());
    private static final Question VALIDATE = c -> c.controller().validate(validation(), PluginRig.minute());

    private static ControllerPublication publication() {
        return new ControllerPublication(PluginRig.VOLUME, "n1", PluginRig.USE, false, Secrets.none(), Map.of());
    }

    private static ValidationOrder validation() {
        return new ValidationOrder(PluginRig.VOLUME, Map.of(), List.of(PluginRig.USE), Map.of(), Secrets.none());
    }

    private static Behaviour volume(Volume.Builder volume) {
        return answer(CreateVolumeResponse.newBuilder().setVolume(volume).build());
    }

    private static Volume.Builder good() {
        return Volume.newBuilder().setVolumeId("v").setCapacityBytes(1_000);
    }

    private static Behaviour info(String name, String version) {
        return answer(GetPluginInfoResponse.newBuilder()
                .setName(name)
                .setVendorVersion(version)
                .build());
    }

    private static Stream<Row> bad() {
        return Stream.of(
                new Row("info without name", "GetPluginInfo", info("", "1"), INFO),
                new Row("info with a line feed", "GetPluginInfo", info("a\nb", "1"), INFO),
                new Row("info of 10 MB", "GetPluginInfo", answerHuge(10 << 20), INFO),
                new Row("no volume", "CreateVolume", answerEmpty(), CREATE),
                new Row("volume without id", "CreateVolume", volume(good().clearVolumeId()), CREATE),
                new Row(
                        "volume id of 1,025 bytes",
                        "CreateVolume",
                        volume(good().setVolumeId("x".repeat(1_025))),
                        CREATE),
                new Row("negative capacity", "CreateVolume", volume(good().setCapacityBytes(-1)), CREATE),
                new Row("smaller than was asked for", "CreateVolume", volume(good().setCapacityBytes(999)), CREATE),
                new Row(
                        "context of a megabyte",
                        "CreateVolume",
                        volume(good().putVolumeContext("k", "x".repeat(1 << 20))),
                        CREATE),
                new Row(
                        "publish context of a megabyte",
                        "ControllerPublishVolume",
                        answer(ControllerPublishVolumeResponse.newBuilder()
                                .putPublishContext("k", "x".repeat(1 << 20))
                                .build()),
                        PUBLISH),
                new Row(
                        "list that never ends",
                        "ListVolumes",
                        answer(ListVolumesResponse.newBuilder()
                                .setNextToken("5")
                                .build()),
                        LIST),
                new Row(
                        "negative room",
                        "GetCapacity",
                        answer(GetCapacityResponse.newBuilder()
                                .setAvailableCapacity(-1)
                                .build()),
                        CAPACITY),
                new Row(
                        "negative largest volume",
                        "GetCapacity",
                        answer(GetCapacityResponse.newBuilder()
                                .setMaximumVolumeSize(Int64Value.of(-1))
                                .build()),
                        CAPACITY),
                new Row(
                        "confirmed use without access mode",
                        "ValidateVolumeCapabilities",
                        answer(ValidateVolumeCapabilitiesResponse.newBuilder()
                                .setConfirmed(ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                                        .addVolumeCapabilities(VolumeCapability.getDefaultInstance()))
                                .build()),
                        VALIDATE),
                new Row("node without id", "NodeGetInfo", answerEmpty(), NODE),
                new Row(
                        "negative most volumes",
                        "NodeGetInfo",
                        answer(NodeGetInfoResponse.newBuilder()
                                .setNodeId("n")
                                .setMaxVolumesPerNode(-1)
                                .build()),
                        NODE));
    }

    @TestFactory
    Stream<DynamicTest> badReplyIsTroubleOfThePlugin() {
        return bad().map(row -> DynamicTest.dynamicTest(row.situation() + " -> refused", () -> refused(row)));
    }

    private void refused(Row row) throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script(row.call(), row.reply());
            CsiTrouble trouble =
                    assertThrows(CsiProtocol.class, () -> row.question().ask(rig.channel));
            assertTrue(trouble.reason().contains("fake"), trouble.reason());
            assertTrue(trouble.reason().length() < 1_000, trouble.reason());
            assertEquals(row.call(), trouble.call());
            assertEquals(1, trouble.tries());
        }
    }

    @Test
    void aProbeThatDoesNotSayIsReady() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script(
                    "Probe",
                    answerEmpty(),
                    answer(ProbeResponse.newBuilder()
                            .setReady(BoolValue.of(false))
                            .build()),
                    answer(ProbeResponse.newBuilder()
                            .setReady(BoolValue.of(true))
                            .build()));
            assertTrue(rig.channel.identity().isReady(PluginRig.minute()));
            assertFalse(rig.channel.identity().isReady(PluginRig.minute()));
            assertTrue(rig.channel.identity().isReady(PluginRig.minute()));
        }
    }

    /** An empty node id, which real drivers send, failed the whole list. */
    @Test
    void aVolumeThatBreaksTheSpecification_hidesNoOtherOfItsList() throws Exception {
        ListVolumesResponse.VolumeStatus nowhere = ListVolumesResponse.VolumeStatus.newBuilder()
                .addPublishedNodeIds("")
                .build();
        Volume good = Volume.newBuilder().setVolumeId("good").build();
        Volume negative =
                Volume.newBuilder().setVolumeId("bad").setCapacityBytes(-1).build();
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script(
                    "ListVolumes",
                    answer(ListVolumesResponse.newBuilder()
                            .addEntries(ListVolumesResponse.Entry.getDefaultInstance())
                            .addEntries(entry(negative).setStatus(nowhere))
                            .addEntries(entry(good).setStatus(nowhere))
                            .build()));
            VolumePage page = LIST.ask(rig.channel) instanceof VolumePage found ? found : null;
            assertNotNull(page);
            assertEquals(1, page.entries().size());
            assertEquals("good", page.entries().getFirst().volume().volumeId());
            assertEquals(Set.of(), page.entries().getFirst().publishedNodeIds());
            assertEquals("an entry has no volume", page.leftOut().getFirst());
            assertTrue(page.leftOut().get(1).contains("\"bad\""), page.leftOut().get(1));
        }
    }

    private static ListVolumesResponse.Entry.Builder entry(Volume volume) {
        return ListVolumesResponse.Entry.newBuilder().setVolume(volume);
    }

    /** It was unhealthy for ever. */
    @Test
    void aPluginWithoutVendorVersion_isOne() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("GetPluginInfo", info("a.b", ""));
            assertEquals("", rig.channel.identity().info(PluginRig.minute()).vendorVersion());
        }
    }

    @Test
    void noMostVolumesMeansNoLimit() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            NodeIdentity node = rig.channel.node().info(PluginRig.minute());
            assertEquals(new NodeIdentity("fake-node-1", Long.MAX_VALUE, Optional.empty()), node);
        }
    }

    // A number that this version has no constant for.
    @SuppressWarnings("AvoidValueSetter")
    @Test
    void capabilitiesOfALaterVersionAreLeftOut() throws Exception {
        ControllerGetCapabilitiesResponse.Builder reply = ControllerGetCapabilitiesResponse.newBuilder();
        reply.addCapabilitiesBuilder().getRpcBuilder().setTypeValue(3);
        reply.addCapabilitiesBuilder().getRpcBuilder().setTypeValue(99);
        reply.addCapabilitiesBuilder();
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script("ControllerGetCapabilities", answer(reply.build()));
            assertEquals(
                    Set.of(ControllerCapability.LIST_VOLUMES),
                    rig.channel.controller().capabilities(PluginRig.minute()));
        }
    }

    @Test
    void notConfirmedCarriesThePluginsReason() throws Exception {
        try (PluginRig rig = new PluginRig(dir)) {
            rig.plugin.script(
                    "ValidateVolumeCapabilities",
                    answer(ValidateVolumeCapabilitiesResponse.newBuilder()
                            .setMessage("read only")
                            .build()));
            assertEquals(
                    new Validation.NotConfirmed("read only"),
                    rig.channel.controller().validate(validation(), PluginRig.minute()));
        }
    }
}
