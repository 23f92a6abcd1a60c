package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ControllerCapability;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeCapability;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Volumes: registered, created, changed, deregistered, deleted. Situation -> answer. */
final class VolumesTest {
    private final Cluster cluster = new Cluster();

    private static final VolumeId V = Cluster.volumeId("v");

    private void withController() {
        cluster.register(
                cluster.facts("n1", "boot-1", cluster.plugin("n1", ControllerCapability.CREATE_DELETE_VOLUME)));
    }

    private String create(String id) {
        String operation = cluster.id();
        VolumeReply reply =
                cluster.accept(new CreateVolume(Cluster.volume(id, "", Cluster.WRITER), Encrypted.NONE, operation));
        assertEquals(new VolumeReply.Started(operation), reply);
        return operation;
    }

    private OperationRow operation(String id) {
        return cluster.state().operations().get(id).orElseThrow();
    }

    private void send(String id) {
        cluster.accept(
                new SendOperation(id, 1, operation(id).nodeId(), operation(id).allocId()));
    }

    private void end(String id, OperationOutcome outcome) {
        cluster.accept(new EndOperation(id, "n1", outcome, cluster.id()));
    }

    private static OperationOutcome.Created created(String externalId) {
        return new OperationOutcome.Created(externalId, 64, Map.of("k", "v"), List.of());
    }

    private static OperationOutcome.Failed failed(Effect effect) {
        return new OperationOutcome.Failed(effect, "Internal", "rpc error: code = Internal desc = no room");
    }

    private VolumeSpec changed(VolumeModes modes, String name, String externalId) {
        VolumeSpec spec = Cluster.volume("v", externalId, modes);
        return new VolumeSpec(
                spec.id(),
                name,
                externalId,
                spec.pluginId(),
                spec.capabilities(),
                new MountOptions("ext4", List.of()),
                0,
                0,
                spec.parameters(),
                Map.of("c", "new"),
                spec.topologies(),
                "",
                "");
    }

    @Test
    void anUnknownPlugin_isRefusedBeforeAnythingIsMade() {
        VolumeSpec spec = Cluster.volume("v", "e", Cluster.WRITER);
        String words = "no CSI plugin named: local could be found";
        assertEquals(words, cluster.refuse(new CreateVolume(spec, Encrypted.NONE, "o")));
        assertEquals(words, cluster.refuse(new RegisterVolume(spec, Encrypted.NONE, "o")));
        assertEquals(0, cluster.state().operations().all().size());
    }

    @Test
    void aPluginWithoutController_registersAtOnceAndCreatesNothing() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        assertTrue(cluster.state().volume(V).isPresent());
        VolumeSpec spec = Cluster.volume("w", "", Cluster.WRITER);
        assertEquals("plugin has no controller", cluster.refuse(new CreateVolume(spec, Encrypted.NONE, "o")));
    }

    @Test
    void aPluginThatCannotCreate_isRefused() {
        cluster.register(cluster.facts("n1", "b", cluster.plugin("n1", ControllerCapability.LIST_VOLUMES)));
        VolumeSpec spec = Cluster.volume("w", "", Cluster.WRITER);
        assertEquals(
                "plugin does not support creating volumes",
                cluster.refuse(new CreateVolume(spec, Encrypted.NONE, "o")));
    }

    /** A plugin without the capability would refuse a mode that it does not know, or ignore it. */
    @Test
    void severalWritersOfOneNode_wantAPluginThatKnowsThem() {
        VolumeModes shared = new VolumeModes(AccessMode.SINGLE_NODE_MULTI_WRITER, AttachmentMode.FILE_SYSTEM);
        VolumeSpec spec = Cluster.volume("v", "e", shared);
        cluster.node("n1");
        assertEquals(
                "plugin local does not support the access mode single-node-multi-writer: it has no"
                        + " capability SINGLE_NODE_MULTI_WRITER (CSI 1.5)",
                cluster.refuse(new RegisterVolume(spec, Encrypted.NONE, "o")));
        cluster.register(
                cluster.facts("n1", "boot-1", cluster.plugin("n1", Set.of(NodeCapability.SINGLE_NODE_MULTI_WRITER))));
        cluster.accept(new RegisterVolume(spec, Encrypted.NONE, "o"));
    }

    @Test
    void aCreation_isLoggedBeforeItIsSentAndRegistersWhatWasMade() {
        withController();
        String id = create("v");
        assertEquals(OperationState.LOGGED, operation(id).state());
        assertTrue(operation(id).blockedBy() != null);
        assertTrue(cluster.state().volume(V).isEmpty());
        send(id);
        assertEquals(1, operation(id).tries());
        Instant sent = operation(id).since();
        cluster.pass(Duration.ofMillis(120));
        end(id, created("e-1"));
        assertEquals(OperationState.DONE, operation(id).state());
        VolumeRow row = cluster.state().volume(V).orElseThrow();
        assertEquals(new VolumeKey(Cluster.PLUGIN, "e-1"), row.key());
        assertEquals(64, row.capacity());
        assertEquals(Map.of("k", "v"), row.spec().context());
        assertEquals("CreateVolume", row.events().getLast().call());
        assertEquals(
                Duration.between(sent, row.events().getLast().at()),
                row.events().getLast().took());
        assertTrue(row.events().getLast().took().isPositive());
    }

    @Test
    void aSecondCreationOfTheSameId_isToldWhatIsUnderWay() {
        withController();
        create("v");
        String words = cluster.refuse(new CreateVolume(Cluster.volume("v", "", Cluster.WRITER), Encrypted.NONE, "o"));
        assertTrue(words.contains("volume v in namespace default is busy: CreateVolume"), words);
    }

    @Test
    void aCreationThatSurelyFailed_isSettled() {
        withController();
        String id = create("v");
        send(id);
        end(id, failed(Effect.NONE));
        assertEquals(failed(Effect.NONE), operation(id).outcome());
        assertTrue(cluster.state().volume(V).isEmpty());
        create("v");
    }

    @Test
    void aCreationOfUnknownEffect_isSettledOnlyByItsSuccess() {
        withController();
        String id = create("v");
        send(id);
        end(id, failed(Effect.UNKNOWN));
        OperationRow unknown = operation(id);
        assertEquals(OperationState.UNKNOWN, unknown.state());
        assertTrue(Objects.requireNonNull(unknown.nextTry()).isAfter(cluster.now()));
        assertTrue(Objects.requireNonNull(unknown.blockedBy()).holder().contains("no room"));
        send(id);
        end(id, failed(Effect.NONE));
        assertEquals(OperationState.UNKNOWN, operation(id).state(), "the first try may have done it");
        send(id);
        end(id, created("e-1"));
        assertTrue(cluster.state().volume(V).isPresent());
    }

    @Test
    void aRepeatedAnswer_changesNothing() {
        withController();
        String id = create("v");
        send(id);
        end(id, failed(Effect.UNKNOWN));
        long version = cluster.state().version();
        end(id, failed(Effect.UNKNOWN));
        assertEquals(version, cluster.state().version());
        end(id, created("e-1"));
        version = cluster.state().version();
        end(id, created("e-1"));
        assertEquals(version, cluster.state().version());
    }

    @Test
    void anAnswerFromAnotherNode_isNotBelieved() {
        withController();
        String id = create("v");
        send(id);
        cluster.accept(new EndOperation(id, "n2", created("e"), cluster.id()));
        assertEquals(OperationState.SENT, operation(id).state());
    }

    @Test
    void anAnswerToAnotherCall_isAsGoodAsNone() {
        withController();
        String id = create("v");
        send(id);
        end(id, new OperationOutcome.Deleted());
        assertEquals(OperationState.UNKNOWN, operation(id).state());
    }

    @Test
    void aSentCallOfAMachineThatBooted_isUnknown() {
        withController();
        String id = create("v");
        send(id);
        cluster.register(
                cluster.facts("n1", "boot-2", cluster.plugin("n1", ControllerCapability.CREATE_DELETE_VOLUME)));
        assertEquals(OperationState.UNKNOWN, operation(id).state());
    }

    @Test
    void thePluginAnswersWithSomebodyElsesVolume_isNotRegistered() {
        withController();
        String first = create("v");
        send(first);
        end(first, created("e-1"));
        String second = create("w");
        send(second);
        end(second, created("e-1"));
        assertTrue(cluster.state().volume(Cluster.volumeId("w")).isEmpty());
        OperationOutcome.Failed how =
                (OperationOutcome.Failed) operation(second).outcome();
        assertTrue(Objects.requireNonNull(how).message().contains("volume v"), how.message());
    }

    @Test
    void aRegistrationWithController_isConfirmedFirst() {
        withController();
        String id = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume("v", "e", Cluster.WRITER), Encrypted.NONE, id));
        assertTrue(cluster.state().volume(V).isEmpty());
        send(id);
        end(id, new OperationOutcome.Confirmed());
        assertTrue(cluster.state().volume(V).isPresent());
    }

    @Test
    void aQuestionThatWasLost_isOver() {
        withController();
        String id = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume("v", "e", Cluster.WRITER), Encrypted.NONE, id));
        send(id);
        cluster.accept(new LoseOperation(id, "the connection was lost"));
        assertEquals(OperationState.DONE, operation(id).state(), "asking makes nothing");
    }

    @Test
    void whatMayNotChange_isRefusedAllAtOnce() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        String words =
                cluster.refuse(new RegisterVolume(changed(Cluster.WRITER, "other", "other"), Encrypted.NONE, "o"));
        assertEquals("""
                unable to update volume: 2 errors occurred:
                \t* volume name cannot be updated
                \t* volume external ID cannot be updated

                """, words);
    }

    @Test
    void anUnusedVolume_changes() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.accept(new RegisterVolume(changed(Cluster.SHARED, "", ""), new Encrypted("eA=="), cluster.id()));
        VolumeRow row = cluster.state().volume(V).orElseThrow();
        assertEquals(List.of(Cluster.SHARED), row.spec().capabilities());
        assertEquals("ext4", row.spec().mountOptions().fsType());
        assertEquals(Map.of("c", "new"), row.spec().context());
        assertEquals("v", row.spec().name());
        assertEquals(new Encrypted("eA=="), row.secrets());
    }

    @Test
    void aVolumeInUse_keepsItsModesAndMountOptions() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        String words = cluster.refuse(new RegisterVolume(changed(Cluster.SHARED, "", ""), Encrypted.NONE, "o"));
        assertEquals("""
                unable to update volume: 2 errors occurred:
                \t* volume requested capabilities update was not compatible with existing \
                capability in use
                \t* can not update mount options while volume is in use

                """, words);
    }

    @Test
    void aVolumeInUse_isNeitherDeregisteredNorDeletedAndSaysWhoHasIt() {
        withController();
        String id = create("v");
        send(id);
        end(id, created("e-1"));
        cluster.writer("a", "v");
        for (Command<?> command : List.<Command<?>>of(
                new DeregisterVolume(V, false),
                new DeregisterVolume(V, true),
                new DeleteVolume(V, Encrypted.NONE, cluster.id()))) {
            String words = cluster.refuse(command);
            assertTrue(words.startsWith("volume in use: v"), words);
            assertTrue(words.contains("in namespace default"), words);
            assertTrue(words.contains(cluster.allocation("a").id()), words);
            assertTrue(words.contains("granted for "), words);
        }
        assertEquals(1, cluster.state().operations().all().size(), "no call was made");
    }

    @Test
    void anUnknownVolume_isNotFound() {
        assertEquals("volume not found: v", cluster.refuse(new DeregisterVolume(V, false)));
        assertEquals("volume not found: v", cluster.refuse(new DeleteVolume(V, Encrypted.NONE, "o")));
        assertEquals("volume not found: v", cluster.refuse(new DetachVolume(V, "n1", false, "me")));
    }

    /** It answered nothing, as if something had been given up. */
    @Test
    void aVolumeIsGivenUpOnANodeThatIsNotThere_isRefused() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        String words = cluster.refuse(new DetachVolume(V, "n9", true, "me"));
        assertTrue(words.startsWith("there is no node \"n9\", and nothing holds volume v"), words);
    }

    @Test
    void aDeletedVolume_isGoneOnceThePluginHasDeletedIt() {
        withController();
        String id = create("v");
        send(id);
        end(id, created("e-1"));
        String delete = cluster.id();
        cluster.accept(new DeleteVolume(V, Encrypted.NONE, delete));
        assertTrue(cluster.state().volume(V).isPresent());
        cluster.writer("a", "v");
        assertEquals(List.of(), cluster.state().allocationsOfJob(Cluster.jobId("a")), "not schedulable");
        send(delete);
        end(delete, new OperationOutcome.Deleted());
        assertTrue(cluster.state().volume(V).isEmpty());
    }

    @Test
    void aForcedDeregistration_keepsExcludingUntilTheReleaseIsProved() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.down("n1");
        cluster.stop("a");
        cluster.accept(new DeregisterVolume(V, true));
        VolumeKey key = new VolumeKey(Cluster.PLUGIN, "ext-v");
        assertTrue(cluster.state().volumeTombstone(key).isPresent());

        cluster.node("n2");
        cluster.accept(
                new RegisterVolume(Cluster.volume("again", "ext-v", Cluster.WRITER), Encrypted.NONE, cluster.id()));
        cluster.writer("b", "again");
        assertEquals(List.of(), cluster.state().allocationsOfJob(Cluster.jobId("b")));
        cluster.pass(Duration.ofDays(2));
        cluster.accept(CollectGarbage.NOW);
        assertTrue(cluster.state().volumeTombstone(key).isPresent());

        cluster.register(cluster.facts("n1", "boot-2", cluster.plugin("n1")));
        cluster.schedule();
        assertEquals(ClaimState.GRANTED, cluster.claim("again", "b").state());
    }
}
