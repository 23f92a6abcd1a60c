package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.ControllerCapability;
import io.cleat.model.DesiredStatus;
import io.cleat.model.PluginInstance;
import io.cleat.state.AllocationRow;
import io.cleat.state.AttachmentId;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationOutcome;
import io.cleat.state.Snapshot;
import io.cleat.state.Trigger;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** An attaching that takes too long, and what a claim tells before. Situation -> answer. */
final class GiveUpAttachingTest {
    private final Cluster cluster = new Cluster();

    private PluginInstance plugin(String node) {
        return cluster.plugin(
                node, ControllerCapability.CREATE_DELETE_VOLUME, ControllerCapability.PUBLISH_UNPUBLISH_VOLUME);
    }

    /** A claim is granted, and nothing was done to attach its volume. */
    private ClaimRow granted() {
        cluster.register(cluster.facts("n1", "boot-1", plugin("n1")));
        String register = cluster.id();
        cluster.accept(new RegisterVolume(Cluster.volume("v", "e", Cluster.WRITER), Encrypted.NONE, register));
        sendAndEnd(register, new OperationOutcome.Confirmed());
        cluster.writer("a", "v");
        return cluster.claim("v", "a");
    }

    private void sendAndEnd(String operation, OperationOutcome outcome) {
        cluster.accept(new SendOperation(operation, 1, "n1", "plugin-alloc-n1"));
        cluster.accept(new EndOperation(operation, "n1", outcome, cluster.id()));
    }

    private AttachmentId attaching() {
        ClaimRow claim = granted();
        cluster.accept(new Attach(claim.id(), cluster.id()));
        return new AttachmentId(claim.key(), claim.nodeId());
    }

    private void giveUp(AttachmentId id) {
        cluster.accept(new GiveUpAttaching(id, "not attached within 5 min", cluster.id()));
    }

    private AttachmentRow row(AttachmentId id) {
        return cluster.state().attachments().get(id).orElseThrow();
    }

    @Test
    void attaching_failsTheAllocationWithTheWords_andIsDetached() {
        AttachmentId id = attaching();
        giveUp(id);
        AllocationRow failed = cluster.allocation("a");
        assertEquals(ClientStatus.FAILED, failed.status());
        assertEquals("not attached within 5 min", failed.seen().statusDescription());
        assertEquals(DesiredStatus.EVICT, failed.desired(), "its node is to take it down");
        assertEquals(ClaimState.RELEASING, cluster.claim("v", "a").state());
        assertEquals(AttachmentState.DETACHING, row(id).state());
        assertEquals(Trigger.ALLOC_FAILURE, cluster.due().getFirst().asked().triggeredBy());
    }

    @Test
    void attaching_placedAnewByItsPolicy_notAtOnce() {
        AttachmentId id = attaching();
        giveUp(id);
        String failed = cluster.allocation("a").id();
        cluster.schedule();
        assertEquals(failed, cluster.allocation("a").id(), "its policy waits 30 s");
        cluster.ends(cluster.allocation("a"), ClientStatus.FAILED);
        cluster.pass(Duration.ofSeconds(31));
        cluster.schedule();
        AllocationRow next = cluster.allocation("a");
        assertFalse(next.id().equals(failed), "rescheduled");
        assertEquals(failed, next.lineage().previous());
        assertEquals(
                DesiredStatus.STOP,
                cluster.state().allocation(failed).orElseThrow().desired());
    }

    @Test
    void attachedMeanwhile_nothingIsGivenUp() {
        AttachmentId id = attaching();
        sendAndEnd(
                cluster.state().operations().all().stream()
                        .filter(operation -> !operation.isDone())
                        .findFirst()
                        .orElseThrow()
                        .id(),
                new OperationOutcome.Published(Encrypted.NONE));
        String before = Snapshot.digest(cluster.state());
        giveUp(id);
        assertEquals(before, Snapshot.digest(cluster.state()));
    }

    @Test
    void givenUpAlready_onceIsEnough() {
        AttachmentId id = attaching();
        giveUp(id);
        String before = Snapshot.digest(cluster.state());
        giveUp(id);
        assertEquals(before, Snapshot.digest(cluster.state()));
    }

    @Test
    void theJobIsStopped_nothingIsEvaluated() {
        AttachmentId id = attaching();
        cluster.stop("a");
        giveUp(id);
        assertEquals(AttachmentState.DETACHING, row(id).state());
        assertTrue(cluster.due().isEmpty());
    }

    @Test
    void aClaimBeforeItsAttaching_saysWhatComesNext() {
        ClaimRow claim = granted();
        BlockedBy blockedBy = Objects.requireNonNull(claim.blockedBy());
        assertEquals("attach", blockedBy.step());
        assertEquals("plugin local", blockedBy.holder());
        assertEquals("the volume is attached to this node next", blockedBy.hint());
    }

    @Test
    void anAttachingThatCannotBegin_saysWhyOnTheClaim_once() {
        ClaimRow claim = granted();
        PluginInstance ill = plugin("n1");
        cluster.register(cluster.facts(
                "n1",
                "boot-1",
                new PluginInstance(
                        ill.pluginId(),
                        ill.allocId(),
                        false,
                        "probe failed",
                        ill.provider(),
                        ill.version(),
                        ill.requiresController(),
                        ill.requiresTopologies(),
                        ill.updatedAt(),
                        ill.controller(),
                        ill.node())));
        assertTrue(cluster.accept(new Attach(claim.id(), cluster.id())) instanceof Attach.Reply.Waits);
        BlockedBy blockedBy = Objects.requireNonNull(cluster.claim("v", "a").blockedBy());
        assertEquals("plugin local, which has no healthy controller", blockedBy.holder());
        String before = Snapshot.digest(cluster.state());
        cluster.accept(new Attach(claim.id(), cluster.id()));
        assertEquals(before, Snapshot.digest(cluster.state()), "said again, it changes nothing");
    }

    @Test
    void onceAttachingIsUnderWay_theAttachmentTellsTheRest() {
        AttachmentId id = attaching();
        assertNull(cluster.claim("v", "a").blockedBy());
        assertEquals("plugin local", Objects.requireNonNull(row(id).blockedBy()).holder());
    }
}
