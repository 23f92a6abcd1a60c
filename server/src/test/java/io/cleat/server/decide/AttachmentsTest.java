package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.JobType;
import io.cleat.model.MachinePrint;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.VolumeModes;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeProgress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Attachments and their calls. Situation -> answer. */
final class AttachmentsTest {
    private final Cluster cluster = new Cluster();

    private PluginInstance plugin(String node) {
        return cluster.plugin(
                node, ControllerCapability.CREATE_DELETE_VOLUME, ControllerCapability.PUBLISH_UNPUBLISH_VOLUME);
    }

    private void grant() {
        grant(cluster.facts("n1", "boot-1", plugin("n1")));
    }

    private void grant(NodeFacts facts) {
        cluster.register(facts);
        volume("v", "e", Cluster.WRITER);
        cluster.writer("a", "v");
    }

    private void volume(String id, String externalId, VolumeModes modes) {
        String register = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume(id, externalId, modes), Encrypted.NONE, register));
        send(register);
        end(register, new OperationOutcome.Confirmed());
    }

    private String attach() {
        return attach(cluster.claim("v", "a"));
    }

    private String attach(ClaimRow claim) {
        String id = cluster.id();
        assertEquals(new Attach.Reply.Started(id), cluster.accept(new Attach(claim.id(), id)));
        return id;
    }

    private void send(String id) {
        OperationRow row = cluster.state().operations().get(id).orElseThrow();
        cluster.accept(new SendOperation(id, 1, row.nodeId(), row.allocId()));
    }

    private void end(String id, OperationOutcome outcome) {
        OperationRow row = cluster.state().operations().get(id).orElseThrow();
        cluster.accept(new EndOperation(id, row.nodeId(), outcome, cluster.id()));
    }

    private AttachmentRow attachment() {
        assertEquals(1, cluster.state().attachments().all().size());
        return cluster.state().attachments().all().iterator().next();
    }

    private static OperationOutcome.Failed failed(Effect effect) {
        return new OperationOutcome.Failed(effect, "Internal", "rpc error: code = Internal desc = busy bus");
    }

    @Test
    void attaching_isWrittenBeforeTheCall() {
        grant();
        String id = attach();
        assertEquals(AttachmentState.ATTACHING, attachment().state());
        assertTrue(attachment().blockedBy() != null);
        assertEquals("ext-n1", attachment().externalNodeId());
        assertEquals(
                OperationState.LOGGED,
                cluster.state().operations().get(id).orElseThrow().state());
        send(id);
        end(id, new OperationOutcome.Published(new Encrypted("eA==")));
        assertEquals(AttachmentState.ATTACHED, attachment().state());
        assertEquals(new Encrypted("eA=="), attachment().publishContext());
        assertNull(attachment().blockedBy());
        assertEquals(
                new Attach.Reply.There(AttachmentState.ATTACHED),
                cluster.accept(new Attach(cluster.claim("v", "a").id(), cluster.id())));
    }

    private NodeFacts from(String disk, String boot, String externalId) {
        return cluster.facts("n1", boot, plugin(externalId))
                .from(boot, new MachinePrint(Map.of(MachinePrint.DISK, disk)));
    }

    /** Attached on a machine whose node then comes from another one. */
    private void replaced(String boot) {
        grant(from("d1", "boot-1", "n1"));
        String id = attach();
        send(id);
        end(id, new OperationOutcome.Published(new Encrypted("eA==")));
        cluster.down("n1");
        assertInstanceOf(
                RegisterNode.NotLetIn.class,
                cluster.accept(new RegisterNode(from("d2", boot, "other"), "secret-n1", false, cluster.id())));
        cluster.accept(new EndQuarantine("n1", true, "n1", cluster.id()));
        cluster.register(from("d2", boot, "other"));
    }

    /** Found by seed 402: the volume was mounted on a machine that it was not attached to. */
    @Test
    void aNodeOnAnotherMachine_hasItsVolumesDetachedFromTheFormerOneFirst() {
        replaced("boot-2");
        assertEquals(AttachmentState.DETACHING, attachment().state());
        cluster.schedule();
        String detach = cluster.id();
        cluster.accept(new Detach(attachment().id(), detach));
        OperationCall.Unpublish call = assertInstanceOf(
                OperationCall.Unpublish.class,
                cluster.state().operations().get(detach).orElseThrow().call());
        assertEquals("ext-n1", call.externalNodeId());
        send(detach);
        end(detach, new OperationOutcome.Unpublished());
        attach();
        assertEquals("ext-other", attachment().externalNodeId());
    }

    /** It is the same machine, and may have it mounted. */
    @Test
    void aNodeThatMovedWithinItsBoot_keepsWhatIsAttached() {
        replaced("boot-1");
        assertEquals(AttachmentState.ATTACHED, attachment().state());
    }

    private long detaching() {
        return cluster.state().attachments().all().stream()
                .filter(row -> row.state() == AttachmentState.DETACHING)
                .count();
    }

    /** Else those for which one decision has no room stay attached to a machine that is gone. */
    @Test
    void allVolumesOfAFormerMachineAreDetached_inManyPartsWhereOneHasNoRoom() {
        grant(from("d1", "boot-1", "n1"));
        for (int i = 1; i <= 3; i++) {
            volume("more-" + i, "e" + i, Cluster.WRITER);
            cluster.writer("job-" + i, "more-" + i);
            String id = attach(cluster.claim("more-" + i, "job-" + i));
            send(id);
            end(id, new OperationOutcome.Published(Encrypted.NONE));
        }
        cluster.down("n1");
        cluster.accept(new RegisterNode(from("d2", "boot-2", "other"), "secret-n1", false, cluster.id()));
        cluster.inSmallParts();
        cluster.accept(new EndQuarantine("n1", true, "n1", cluster.id()));
        assertTrue(detaching() < 3, "not all in one decision");
        cluster.workOff();
        assertEquals(3, detaching());
        assertEquals(List.of(), List.copyOf(cluster.state().remainders()));
    }

    private List<AllocationRow> failedOnes() {
        return cluster.state().allocationsOnNode("n1").stream()
                .filter(row -> row.status() == ClientStatus.FAILED)
                .toList();
    }

    /** Else those for which one decision has no room wait for ever for what nobody attaches. */
    @Test
    void allWhoWaitForAnAttachmentFail_inManyPartsWhereOneHasNoRoom() {
        cluster.register(cluster.facts("n1", "boot-1", plugin("n1")));
        volume("v", "e", Cluster.SHARED);
        cluster.run(Cluster.job("a", JobType.SERVICE, 4, Cluster.request("v", Cluster.SHARED, false)));
        String id = attach(cluster.claims("v").getFirst());
        send(id);
        cluster.inSmallParts();
        end(id, failed(Effect.NONE));
        assertEquals(AttachmentState.DETACHING, attachment().state());
        assertTrue(failedOnes().size() < 4, "not all in one decision");
        cluster.workOff();
        assertEquals(4, failedOnes().size());
        failedOnes().forEach(row -> assertTrue(row.seen().statusDescription().contains("desc = busy bus")));
        assertEquals(List.of(), List.copyOf(cluster.state().remainders()));
    }

    /** A server that was restored knows of no attachment, and the provider refuses every other node. */
    @Test
    void whatNobodyKnowsToBeAttached_isDetachedOnRequest_once() {
        cluster.register(cluster.facts("n1", "boot-1", plugin("n1")));
        volume("v", "e", Cluster.WRITER);
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", false, "me"));
        assertEquals(AttachmentState.DETACHING, attachment().state());
        assertEquals("ext-n1", attachment().externalNodeId());
        assertEquals(
                "me asks for its detachment",
                Objects.requireNonNull(attachment().blockedBy()).hint());
        AttachmentRow before = attachment();
        assertEquals(1, detachEvents());
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", false, "me"));
        assertEquals(before, attachment());
        assertEquals(1, detachEvents());
    }

    private long detachEvents() {
        return cluster.state().volume(Cluster.volumeId("v")).orElseThrow().events().stream()
                .filter(event -> event.toString().contains("not known to be attached"))
                .count();
    }

    @Test
    void whatAPluginDoesNotAttach_isNotDetachedOnRequest() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", false, "me"));
        assertEquals(0, cluster.state().attachments().all().size());
    }

    @Test
    void aDefiniteRefusal_failsTheAllocationWithThePluginsWordsAndKeepsTheRow() {
        grant();
        String id = attach();
        send(id);
        end(id, failed(Effect.NONE));
        AllocationRow failed = cluster.state().allocationsOnNode("n1").getFirst();
        assertEquals(ClientStatus.FAILED, failed.status());
        assertTrue(failed.seen().statusDescription().contains("desc = busy bus"));
        assertEquals(AttachmentState.DETACHING, attachment().state());
        assertEquals(ClaimState.RELEASING, cluster.claim("v", "a").state());
        assertTrue(cluster.state().evaluations().ofJob(Cluster.jobId("a")).stream()
                .anyMatch(e -> e.asked().triggeredBy() == Trigger.ALLOC_FAILURE));
        assertEquals(List.of(), List.copyOf(cluster.state().remainders()), "all fitted in one decision");
    }

    @Test
    void whoWaitsForRoom_isPlacedWhereAnAllocationFailedWhoseVolumeCannotBeAttached() {
        grant();
        String id = attach();
        send(id);
        cluster.run(Cluster.job("large", JobType.SERVICE, 1000));
        assertEquals(Cluster.jobId("large"), cluster.onlyBlocked().job());
        end(id, failed(Effect.NONE));
        cluster.workOff();
        assertTrue(cluster.due().stream().anyMatch(row -> row.job().equals(Cluster.jobId("large"))));
    }

    @Test
    void anUnknownAttaching_isNeitherFailedNorDone() {
        grant();
        String id = attach();
        send(id);
        end(id, failed(Effect.UNKNOWN));
        assertEquals(AttachmentState.ATTACHING, attachment().state());
        assertEquals(ClientStatus.PENDING, cluster.allocation("a").status());
        assertTrue(Objects.requireNonNull(attachment().blockedBy()).holder().contains("busy bus"));
    }

    @Test
    void aDetach_isRefusedWhileTheClaimHolds() {
        grant();
        String id = attach();
        send(id);
        end(id, new OperationOutcome.Published(Encrypted.NONE));
        String words = cluster.refuse(new Detach(attachment().id(), cluster.id()));
        assertTrue(words.startsWith("volume in use: v"), words);
    }

    private void attachedThenLetGo() {
        grant();
        String id = attach();
        send(id);
        end(id, new OperationOutcome.Published(Encrypted.NONE));
        cluster.runs("a");
        cluster.stop("a");
        cluster.ends(cluster.allocation("a"), ClientStatus.COMPLETE);
    }

    @Test
    void theRowGoes_onlyAfterAConfirmedDetach() {
        attachedThenLetGo();
        String id = cluster.id();
        cluster.accept(new Detach(attachment().id(), id));
        assertEquals(AttachmentState.DETACHING, attachment().state());
        send(id);
        end(id, failed(Effect.UNKNOWN));
        assertEquals(AttachmentState.DETACHING, attachment().state());
        send(id);
        end(id, new OperationOutcome.Unpublished());
        assertEquals(0, cluster.state().attachments().all().size());
    }

    @Test
    void aRefusedDetach_isOwedAllTheSame() {
        attachedThenLetGo();
        String id = cluster.id();
        cluster.accept(new Detach(attachment().id(), id));
        send(id);
        end(id, failed(Effect.NONE));
        OperationRow row = cluster.state().operations().get(id).orElseThrow();
        assertEquals(OperationState.LOGGED, row.state());
        assertTrue(Objects.requireNonNull(row.nextTry()).isAfter(cluster.now()));
        BlockedBy blockedBy = Objects.requireNonNull(attachment().blockedBy());
        assertTrue(blockedBy.hint().contains("-abandon"), blockedBy.hint());
    }

    @Test
    void aVolumeStillAttached_isNotDeleted() {
        attachedThenLetGo();
        String words = cluster.refuse(new DeleteVolume(Cluster.volumeId("v"), Encrypted.NONE, cluster.id()));
        assertTrue(words.startsWith("volume in use: v"), words);
        assertTrue(words.contains("attached for "), words);
    }

    @Test
    void aSingleNodeVolume_isNotAttachedElsewhereBeforeItIsDetached() {
        attachedThenLetGo();
        cluster.register(cluster.facts("n2", "boot-1", plugin("n2")));
        cluster.accept(new NodeUnheard("n1", "x", cluster.id()));
        cluster.writer("b", "v");
        ClaimRow claim = cluster.claim("v", "b");
        assertEquals("n2", claim.nodeId());
        assertTrue(cluster.accept(new Attach(claim.id(), cluster.id())) instanceof Attach.Reply.Waits);
        BlockedBy blockedBy = Objects.requireNonNull(cluster.claim("v", "b").blockedBy());
        assertEquals("it is attached once it is detached there", blockedBy.hint());
        assertTrue(blockedBy.holder().startsWith("the volume's attachment to node name-n1"), blockedBy.holder());
    }

    @Test
    void anUnknownAttachingThatIsGivenUp_isSettledByItsDetach() {
        grant();
        String attach = attach();
        send(attach);
        end(attach, failed(Effect.UNKNOWN));
        cluster.accept(new GiveUpAttaching(attachment().id(), "timed out: busy bus", cluster.id()));
        AllocationRow failed = cluster.state().allocationsOnNode("n1").getFirst();
        assertEquals(ClientStatus.FAILED, failed.status());
        cluster.report(failed, ClientStatus.FAILED, VolumeProgress.Phase.NONE);
        String detach = cluster.id();
        cluster.accept(new Detach(attachment().id(), detach));
        send(detach);
        end(detach, new OperationOutcome.Unpublished());
        assertEquals(0, cluster.state().attachments().all().size());
        assertEquals(
                OperationState.DONE,
                cluster.state().operations().get(attach).orElseThrow().state());
    }

    @Test
    void anUnknownAttaching_isNotSentAgainOnceItsDetachIsBegun() {
        grant();
        String attach = attach();
        send(attach);
        end(attach, failed(Effect.UNKNOWN));
        cluster.accept(new GiveUpAttaching(attachment().id(), "timed out: busy bus", cluster.id()));
        cluster.report(
                cluster.state().allocationsOnNode("n1").getFirst(), ClientStatus.FAILED, VolumeProgress.Phase.NONE);
        String detach = cluster.id();
        cluster.accept(new Detach(attachment().id(), detach));
        OperationRow row = cluster.state().operations().get(attach).orElseThrow();
        String words = cluster.refuse(new SendOperation(attach, 1, row.nodeId(), row.allocId()));
        assertTrue(words.contains(detach) && words.endsWith("settles both"), words);
        send(detach);
        end(detach, failed(Effect.UNKNOWN));
        cluster.refuse(new SendOperation(attach, 1, row.nodeId(), row.allocId()));
        send(detach);
        end(detach, new OperationOutcome.Unpublished());
        assertEquals(0, cluster.state().attachments().all().size());
        assertTrue(cluster.state().operations().get(attach).orElseThrow().isDone());
    }

    @Test
    void aLateSuccessOfAGivenUpAttaching_doesNotBringItBack() {
        grant();
        String attach = attach();
        send(attach);
        end(attach, failed(Effect.UNKNOWN));
        cluster.accept(new GiveUpAttaching(attachment().id(), "timed out", cluster.id()));
        end(attach, new OperationOutcome.Published(new Encrypted("eA==")));
        assertEquals(AttachmentState.DETACHING, attachment().state());
        assertTrue(cluster.state().operations().get(attach).orElseThrow().isDone(), "its effect is known");
    }

    /** Else whoever claims it on that node waits for ever: it is detaching, and nobody detaches. */
    @Test
    void whatWasGivenUpIsDetachedThoughAClaimHoldsItsVolumeThere() {
        grant();
        String attach = attach();
        send(attach);
        cluster.accept(new GiveUpAttaching(attachment().id(), "timed out", cluster.id()));
        end(attach, new OperationOutcome.Published(new Encrypted("eA==")));
        assertEquals(1, Attachments.users(cluster.state(), attachment()).size());
        String detach = cluster.id();
        cluster.accept(new Detach(attachment().id(), detach));
        send(detach);
        end(detach, new OperationOutcome.Unpublished());
        assertEquals(0, cluster.state().attachments().all().size());
    }

    @Test
    void anOperatorAbandonsADetach_endsItAndItsCalls() {
        attachedThenLetGo();
        String id = cluster.id();
        cluster.accept(new Detach(attachment().id(), id));
        send(id);
        end(id, failed(Effect.UNKNOWN));
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", true, "root"));
        assertEquals(0, cluster.state().attachments().all().size());
        assertEquals(
                new OperationOutcome.Abandoned("root"),
                cluster.state().operations().get(id).orElseThrow().outcome());
    }

    /** As after a restore of the server: else it is attached there for ever, and no node gets it. */
    @Test
    void aVolumeThatIsNotKnownToBeAttached_isDetachedWhenAPersonNamesTheNode() {
        grant();
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", false, "root"));
        assertEquals(0, cluster.state().attachments().all().size(), "a claim may use it there");
        cluster.register(cluster.facts("n2", "boot-1", plugin("n2")));
        cluster.accept(new NodeUnheard("n2", "not heard", cluster.id()));
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n2", false, "root"));
        assertEquals(0, cluster.state().attachments().all().size(), "it may be mounted there");
        cluster.register(cluster.facts("n2", "boot-2", plugin("n2")));
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n2", false, "root"));
        assertEquals(AttachmentState.DETACHING, attachment().state());
        assertEquals("ext-n2", attachment().externalNodeId());
        String id = cluster.id();
        cluster.accept(new Detach(attachment().id(), id));
        send(id);
        end(id, new OperationOutcome.Unpublished());
        assertEquals(0, cluster.state().attachments().all().size());
    }

    @Test
    void aVolumeThatIsAttachedWhereNobodyKnows_saysWhatToDo() {
        grant();
        String id = attach();
        send(id);
        end(id, new OperationOutcome.Failed(Effect.NONE, "FailedPrecondition", "it is attached to [ext-n9]"));
        assertEquals(
                "controller attach volume: it is attached to [ext-n9]. If it is still attached where"
                        + " nothing uses it, volume detach v NODE detaches it",
                cluster.state().allocationsOnNode("n1").getFirst().seen().statusDescription());
    }
}
