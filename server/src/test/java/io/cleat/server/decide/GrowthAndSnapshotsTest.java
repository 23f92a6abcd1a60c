package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ControllerCapability;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeEvent;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Volumes that grow, and snapshots of them. Situation -> answer. */
final class GrowthAndSnapshotsTest {
    private static final long SMALL = 64L << 20;
    private static final long LARGE = 128L << 20;

    private static final VolumeModes DEVICE =
            new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.BLOCK_DEVICE);

    private final Cluster cluster = new Cluster();

    private void plugin(boolean offline, ControllerCapability... capabilities) {
        cluster.register(facts(true, offline, capabilities));
    }

    private NodeFacts facts(boolean healthy, boolean offline, ControllerCapability... capabilities) {
        PluginInstance plain = cluster.plugin("n1", capabilities);
        return cluster.facts(
                "n1",
                "boot-1",
                new PluginInstance(
                        plain.pluginId(),
                        plain.allocId(),
                        healthy,
                        healthy ? "healthy" : "it has not answered yet",
                        plain.provider(),
                        plain.version(),
                        true,
                        plain.requiresTopologies(),
                        plain.updatedAt(),
                        new PluginInstance.Controller(Set.of(capabilities), offline),
                        plain.node()));
    }

    private static VolumeSpec spec(long min, long max, VolumeModes... modes) {
        return new VolumeSpec(
                Cluster.volumeId("v"),
                "v",
                "",
                Cluster.PLUGIN,
                List.of(modes),
                MountOptions.NONE,
                min,
                max,
                Map.of(),
                Map.of(),
                TopologyRequest.NONE,
                "",
                "");
    }

    private void end(String operation, OperationOutcome outcome) {
        cluster.accept(new SendOperation(operation, 1, "n1", "plugin-alloc-n1"));
        cluster.accept(new EndOperation(operation, "n1", outcome, cluster.id()));
    }

    private void created(VolumeModes... modes) {
        String id = cluster.id();
        cluster.accept(new CreateVolume(spec(SMALL, 0, modes), Encrypted.NONE, id));
        end(id, new OperationOutcome.Created("ext-v", SMALL, Map.of(), List.of()));
    }

    private VolumeRow volume() {
        return cluster.state().volume(Cluster.volumeId("v")).orElseThrow();
    }

    private String grow() {
        return grow(LARGE, Cluster.WRITER);
    }

    private String grow(long bytes, VolumeModes... modes) {
        String id = cluster.id();
        VolumeReply reply = cluster.accept(new CreateVolume(spec(bytes, 0, modes), Encrypted.NONE, id));
        assertEquals(new VolumeReply.Started(id), reply);
        return id;
    }

    private void growing() {
        growing(Cluster.WRITER);
    }

    private void growing(VolumeModes... modes) {
        plugin(false, ControllerCapability.CREATE_DELETE_VOLUME, ControllerCapability.EXPAND_VOLUME);
        created(modes);
    }

    @Test
    void moreIsWanted_thePluginExpands_thenTheVolumeIsAsWanted() {
        growing();
        String id = grow();
        OperationCall.Expand call = assertInstanceOf(
                OperationCall.Expand.class,
                cluster.state().operations().get(id).orElseThrow().call());
        assertEquals("ext-v", call.spec().externalId());
        assertNull(call.modes(), "nobody claims it");
        assertEquals(SMALL, volume().spec().capacityMin(), "not before it is done");
        end(id, new OperationOutcome.Expanded(LARGE, false));
        assertEquals(LARGE, volume().capacity());
        assertEquals(LARGE, volume().spec().capacityMin());
        assertEquals(0, volume().expandTo(), "its nodes have nothing to do");
        assertEquals("ControllerExpandVolume", volume().events().getLast().call());
    }

    @Test
    void inUse_itsModesGoAlong_andItsNodesAreToldWhatToDo() {
        growing();
        cluster.writer("a", "v");
        String id = grow();
        assertEquals(
                Cluster.WRITER,
                ((OperationCall.Expand) cluster.state()
                                .operations()
                                .get(id)
                                .orElseThrow()
                                .call())
                        .modes());
        end(id, new OperationOutcome.Expanded(LARGE, true));
        assertEquals(LARGE, volume().expandTo());
    }

    @Test
    void aDevice_itsNodesHaveNothingToDo_theyCompareIt() {
        cluster.level = Change.COMPARE_LEVEL;
        growing(DEVICE);
        end(grow(LARGE, DEVICE), new OperationOutcome.Expanded(LARGE, false));
        assertEquals(LARGE, volume().expandTo());
        assertTrue(volume().compareOnly());
    }

    /** One that was not heard since has not made the call yet. */
    @Test
    void aDevice_itsNodesHadToExpandIt_theyDoSoForItsNextGrowthToo() {
        cluster.level = Change.COMPARE_LEVEL;
        growing(DEVICE);
        end(grow(LARGE, DEVICE), new OperationOutcome.Expanded(LARGE, true));
        end(grow(2 * LARGE, DEVICE), new OperationOutcome.Expanded(2 * LARGE, false));
        assertEquals(2 * LARGE, volume().expandTo());
        assertFalse(volume().compareOnly());
    }

    @Test
    void aDevice_someMemberIsOlder_itsNodesAreToldNothing() {
        cluster.level = Change.COMPARE_LEVEL - 1;
        growing(DEVICE);
        end(grow(LARGE, DEVICE), new OperationOutcome.Expanded(LARGE, false));
        assertEquals(0, volume().expandTo());
        assertFalse(volume().compareOnly());
    }

    @Test
    void thePluginRefuses_nothingHasChanged() {
        growing();
        String id = grow();
        end(id, new OperationOutcome.Failed(Effect.NONE, "OutOfRange", "no room"));
        VolumeEvent told = volume().events().getLast();
        assertEquals(
                "ControllerExpandVolume OutOfRange no room", told.call() + " " + told.code() + " " + told.message());
        assertEquals(SMALL, volume().capacity());
        assertEquals(SMALL, volume().spec().capacityMin());
    }

    @Test
    void unknown_theSameCallIsMadeAgain() {
        growing();
        String id = grow();
        end(id, new OperationOutcome.Failed(Effect.UNKNOWN, "Unavailable", "gone"));
        assertEquals(
                OperationState.UNKNOWN,
                cluster.state().operations().get(id).orElseThrow().state());
        assertEquals(SMALL, volume().capacity());
        end(id, new OperationOutcome.Expanded(LARGE, false));
        assertEquals(LARGE, volume().capacity());
    }

    @Test
    void enoughAlready_noCall() {
        growing();
        assertEquals(
                new VolumeReply.Done(),
                cluster.accept(new CreateVolume(spec(SMALL, LARGE, Cluster.WRITER), Encrypted.NONE, cluster.id())));
    }

    @Test
    void lessThanItIs_refused() {
        growing();
        String words =
                cluster.refuse(new CreateVolume(spec(1 << 20, 2 << 20, Cluster.WRITER), Encrypted.NONE, cluster.id()));
        assertTrue(words.contains("less than or equal to current (67 MB)"), words);
    }

    @Test
    void capabilitiesToo_refused() {
        growing();
        String words = cluster.refuse(
                new CreateVolume(spec(LARGE, 0, Cluster.WRITER, Cluster.SHARED), Encrypted.NONE, cluster.id()));
        assertTrue(words.contains("one after the other"), words);
    }

    @Test
    void aPluginThatDoesNotExpand_refused() {
        plugin(false, ControllerCapability.CREATE_DELETE_VOLUME);
        created(Cluster.WRITER);
        String words = cluster.refuse(new CreateVolume(spec(LARGE, 0, Cluster.WRITER), Encrypted.NONE, cluster.id()));
        assertTrue(
                words.contains("unable to expand volume: expand is not implemented by this controller plugin"), words);
    }

    /** It was told that the plugin does not expand, and clones as little. */
    @Test
    void aPluginThatIsAway_isNotSaidToBeUnable() {
        growing();
        cluster.accept(new ReportFacts(facts(false, false), cluster.id()));
        String away = "no healthy controllers for CSI plugin: local";
        String words = cluster.refuse(new CreateVolume(spec(LARGE, 0, Cluster.WRITER), Encrypted.NONE, cluster.id()));
        assertTrue(words.contains("unable to expand volume: " + away), words);
        VolumeSpec clone = new VolumeSpec(
                Cluster.volumeId("w"),
                "w",
                "",
                Cluster.PLUGIN,
                List.of(Cluster.WRITER),
                MountOptions.NONE,
                0,
                0,
                Map.of(),
                Map.of(),
                TopologyRequest.NONE,
                "",
                "v");
        assertEquals(away, cluster.refuse(new CreateVolume(clone, Encrypted.NONE, cluster.id())));
    }

    @Test
    void aPluginThatExpandsOffline_refusedWhileItIsUsed() {
        plugin(true, ControllerCapability.CREATE_DELETE_VOLUME, ControllerCapability.EXPAND_VOLUME);
        created(Cluster.WRITER);
        cluster.writer("a", "v");
        String words = cluster.refuse(new CreateVolume(spec(LARGE, 0, Cluster.WRITER), Encrypted.NONE, cluster.id()));
        assertTrue(words.contains("only while nothing uses it"), words);
    }

    private String snapshot() {
        String id = cluster.id();
        cluster.accept(new CreateSnapshot(Cluster.volumeId("v"), "s", Map.of("k", "x"), Encrypted.NONE, id));
        return id;
    }

    private void snapshotting() {
        plugin(false, ControllerCapability.CREATE_DELETE_VOLUME, ControllerCapability.CREATE_DELETE_SNAPSHOT);
        created(Cluster.WRITER);
    }

    @Test
    void aSnapshot_isMadeByThePlugin_andKeptThere() {
        snapshotting();
        String id = snapshot();
        ListedSnapshot made = new ListedSnapshot("snap", "ext-v", SMALL, Instant.EPOCH, true);
        end(id, new OperationOutcome.SnapshotCreated(made));
        assertEquals(
                new OperationOutcome.SnapshotCreated(made),
                cluster.state().operations().get(id).orElseThrow().outcome());
        assertEquals("CreateSnapshot", volume().events().getLast().call());
    }

    @Test
    void aSnapshotUnderWay_othersWait() {
        snapshotting();
        snapshot();
        String words =
                cluster.refuse(new CreateSnapshot(Cluster.volumeId("v"), "t", Map.of(), Encrypted.NONE, cluster.id()));
        assertTrue(words.contains("is busy: CreateSnapshot"), words);
    }

    @Test
    void aSnapshotOfNothing_refused() {
        snapshotting();
        assertEquals(
                "volume not found: none",
                cluster.refuse(
                        new CreateSnapshot(Cluster.volumeId("none"), "s", Map.of(), Encrypted.NONE, cluster.id())));
    }

    @Test
    void aPluginWithoutSnapshots_refused() {
        growing();
        assertEquals(
                "plugin does not support creating snapshots",
                cluster.refuse(new CreateSnapshot(Cluster.volumeId("v"), "s", Map.of(), Encrypted.NONE, cluster.id())));
    }

    /** Two calls about one snapshot could be under way at once. */
    @Test
    void aSnapshotThatIsBeingDeleted_isBusy() {
        snapshotting();
        String id = cluster.id();
        cluster.accept(new DeleteSnapshot(Cluster.PLUGIN, "snap", Encrypted.NONE, id));
        String refused = cluster.refuse(new DeleteSnapshot(Cluster.PLUGIN, "snap", Encrypted.NONE, cluster.id()));
        assertTrue(refused.startsWith("snapshot snap is busy: DeleteSnapshot (op"), refused);
        cluster.accept(new DeleteSnapshot(Cluster.PLUGIN, "other", Encrypted.NONE, cluster.id()));
    }

    /** What the plugin said of a call about a volume was nowhere but in the call itself. */
    @Test
    void aCallThatIsAnswered_isInTheEventsOfItsVolume_onceForTheSameWords() {
        snapshotting();
        String id = cluster.id();
        cluster.accept(new CreateSnapshot(Cluster.volumeId("v"), "s1", Map.of(), Encrypted.NONE, id));
        for (int i = 0; i < 2; i++) {
            end(id, new OperationOutcome.Failed(Effect.UNKNOWN, "Internal", "no quota"));
        }
        List<VolumeEvent> events = volume().events().stream()
                .filter(event -> event.call().equals("CreateSnapshot"))
                .toList();
        assertEquals(1, events.size(), events::toString);
        assertEquals("Unknown", events.getFirst().code());
        assertEquals("no quota", events.getFirst().message());
    }

    @Test
    void aSnapshot_isDeletedThoughItsVolumeIsGone() {
        snapshotting();
        String id = cluster.id();
        cluster.accept(new DeleteSnapshot(Cluster.PLUGIN, "snap", Encrypted.NONE, id));
        end(id, new OperationOutcome.SnapshotDeleted());
        assertTrue(cluster.state().operations().get(id).orElseThrow().isDone());
        assertEquals(
                "no CSI plugin named: none could be found",
                cluster.refuse(new DeleteSnapshot("none", "snap", Encrypted.NONE, cluster.id())));
    }
}
