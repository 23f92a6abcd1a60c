package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Effect;
import io.cleat.base.VisibleText;
import io.cleat.model.ControllerCapability;
import io.cleat.state.AttachmentRow;
import io.cleat.state.AttachmentState;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import io.cleat.state.EvaluationRow;
import io.cleat.state.HoldingId;
import io.cleat.state.HoldingRow;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationRow;
import io.cleat.state.VolumeKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What nodes hold that the cluster does not know: taken in during a recovery, let go after it. */
final class HoldingsTest {
    private static final VolumeKey KEY = new VolumeKey(Cluster.PLUGIN, "ext-v");
    private static final HoldingId LOST = new HoldingId("n1", KEY, "lost", "data");

    private final Cluster cluster = new Cluster();

    @BeforeEach
    void twoNodesAndAVolume() {
        cluster.node("n1");
        cluster.node("n2");
        cluster.volume("v", Cluster.WRITER);
    }

    private void recovery() {
        cluster.accept(new NoteOtherPast("n1", "name-n1", "secret-n1", 1_000_000, "reign"));
        assertTrue(cluster.state().isRecovering());
    }

    private void says(String node, HoldingId... held) {
        cluster.accept(new TakeHoldings(node, "secret-" + node, List.of(held)));
    }

    /** Sends a call and has it end. */
    private void end(String operation, OperationOutcome outcome) {
        OperationRow call = cluster.state().operations().get(operation).orElseThrow();
        cluster.accept(new SendOperation(operation, 1, call.nodeId(), call.allocId()));
        cluster.accept(new EndOperation(operation, call.nodeId(), outcome, cluster.id()));
    }

    @Test
    void whatIsHeldIsNotGranted_untilTheNodeSaysThatItIsGone() {
        recovery();
        says("n1", LOST);
        cluster.accept(new EndRecovery("somebody"));
        cluster.writer("a", "v");
        assertEquals(List.of(), cluster.claims("v"));
        EvaluationRow blocked = cluster.onlyBlocked();
        assertTrue(
                blocked.outcome()
                        .failedGroups()
                        .values()
                        .iterator()
                        .next()
                        .toString()
                        .contains("lost"),
                blocked::toString);
        says("n1", LOST);
        says("n2");
        assertEquals(1, cluster.state().holdings().all().size());
        says("n1");
        cluster.schedule();
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
    }

    /** Later it is what it was before the recovery: the node may hold what claims do not name. */
    @Test
    void nothingIsTakenInAfterTheRecovery_norLetGoDuringIt() {
        says("n1", LOST);
        assertEquals(0, cluster.state().holdings().all().size());
        recovery();
        says("n1", LOST);
        says("n1");
        assertEquals(1, cluster.state().holdings().all().size());
    }

    @Test
    void whatAClaimStandsForIsNotTakenIn() {
        cluster.writer("a", "v");
        var claim = cluster.claim("v", "a");
        recovery();
        String node = claim.nodeId();
        says(node, new HoldingId(node, KEY, claim.allocId(), claim.alias()));
        says(node, new HoldingId(node, KEY, "", ""));
        assertEquals(0, cluster.state().holdings().all().size());
        String other = node.equals("n1") ? "n2" : "n1";
        says(other, new HoldingId(other, KEY, claim.allocId(), claim.alias()));
        assertEquals(1, cluster.state().holdings().all().size());
    }

    @Test
    void nobodyElseSaysWhatANodeHolds() {
        recovery();
        cluster.refuse(new TakeHoldings("n1", "secret-n2", List.of(LOST)));
        cluster.refuse(new NoteOtherPast("n1", "name-n1", "secret-n2", 5, ""));
    }

    /** The one gate: each command that changes what runs, or who has what, is refused. */
    @Test
    void inRecoveryNothingIsDecidedButWhatEndsIt() {
        cluster.writer("a", "v");
        String alloc = cluster.allocation("a").id();
        var claim = cluster.claim("v", "a").id();
        recovery();
        String id = cluster.id();
        List<Command<?>> commands = List.of(
                new RegisterNode(cluster.facts("n3", "boot-1"), "secret-n3", false, id),
                new NodeUnheard("n1", "not heard", id),
                new ReportAllocations("n1", List.of(), id),
                new ReportFacts(cluster.facts("n1", "boot-2"), id),
                new StopAllocation(alloc, false, id),
                new DeregisterJob(Cluster.jobId("a"), true, true, false, 0, id),
                new Attach(claim, id),
                new DetachVolume(Cluster.volumeId("v"), "n1", true, "me"),
                new DeleteVolume(Cluster.volumeId("v"), Encrypted.NONE, id),
                new DeregisterVolume(Cluster.volumeId("v"), true),
                new SetEligibility("n1", false, id),
                new AbandonHoldings("n1"),
                CollectGarbage.NOW);
        for (Command<?> command : commands) {
            String why = cluster.refuse(command);
            assertTrue(why.contains("in recovery"), () -> command + ": " + why);
        }
    }

    @Test
    void aMachineThatIsOffForGood_isGivenUpByAPerson() {
        recovery();
        says("n1", LOST);
        cluster.accept(new EndRecovery("somebody"));
        String why = cluster.refuse(new AbandonHoldings("n1"));
        assertTrue(why.contains("can be heard"), why);
        cluster.accept(new NodeUnheard("n1", "not heard", cluster.id()));
        assertEquals(new AbandonHoldings.Reply(1, false), cluster.accept(new AbandonHoldings("n1")));
        cluster.refuse(new AbandonHoldings("n1"));
        cluster.writer("a", "v");
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
    }

    @Test
    void aHeldVolumeIsNotDeleted() {
        recovery();
        says("n1", LOST);
        cluster.accept(new EndRecovery("somebody"));
        String why = cluster.refuse(new DeleteVolume(Cluster.volumeId("v"), Encrypted.NONE, cluster.id()));
        assertTrue(why.contains("allocation lost on node name-n1"), why);
    }

    /** It was attached by a call that nobody remembers; another node may not have it before. */
    @Test
    void whatWasAttachedForIt_isDetachedOnceItIsGone() {
        cluster.register(
                cluster.facts("n1", "boot-1", cluster.plugin("n1", ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)));
        recovery();
        says("n1", LOST);
        cluster.accept(new EndRecovery("somebody"));
        says("n1");
        assertEquals(1, cluster.state().attachments().all().size());
        AttachmentRow row = cluster.state().attachments().all().iterator().next();
        assertEquals(AttachmentState.DETACHING, row.state());
        assertEquals("ext-n1", row.externalNodeId());
        String detach = cluster.id();
        cluster.accept(new Detach(row.id(), detach));
        end(detach, new OperationOutcome.Unpublished());
        assertEquals(0, cluster.state().attachments().all().size());
    }

    /**
     * The server does not know that an attaching succeeded, and gives it up: it had the volume detached below the
     * mount, since no node had been told to mount it that it knew of.
     */
    @Test
    void whatIsMountedByAClaimThatStillWaitsForItsAttaching_isNotDetachedBeforeItIsGone() {
        for (String node : List.of("n1", "n2")) {
            cluster.register(
                    cluster.facts(node, "boot-1", cluster.plugin(node, ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)));
        }
        cluster.writer("a", "v");
        ClaimRow claim = cluster.claim("v", "a");
        String attach = cluster.id();
        cluster.accept(new Attach(claim.id(), attach));
        end(attach, new OperationOutcome.Failed(Effect.UNKNOWN, "Unavailable", "the connection broke"));
        recovery();
        HoldingId own = new HoldingId(claim.nodeId(), KEY, claim.allocId(), claim.alias());
        says(claim.nodeId(), own);
        cluster.accept(new EndRecovery("somebody"));

        HoldingRow held = cluster.state().holdings().get(own).orElseThrow();
        assertFalse(held.isUnknown(cluster.state()), "others wait for the claim alone");
        AttachmentRow row = cluster.state().attachments().all().iterator().next();
        cluster.accept(new GiveUpAttaching(row.id(), "timed out", cluster.id()));
        String why = cluster.refuse(new Detach(row.id(), cluster.id()));
        assertTrue(why.contains("allocation " + claim.allocId() + " on node"), why);
        says(claim.nodeId(), own);
        cluster.refuse(new Detach(row.id(), cluster.id()));
        says(claim.nodeId());
        cluster.accept(new Detach(row.id(), cluster.id()));
    }

    @Test
    void whatIsHeldByAClaimIsLetGoOnceItIsAttached() {
        cluster.register(
                cluster.facts("n1", "boot-1", cluster.plugin("n1", ControllerCapability.PUBLISH_UNPUBLISH_VOLUME)));
        cluster.accept(new SetEligibility("n2", false, cluster.id()));
        cluster.writer("a", "v");
        ClaimRow claim = cluster.claim("v", "a");
        recovery();
        HoldingId own = new HoldingId("n1", KEY, claim.allocId(), claim.alias());
        says("n1", own);
        cluster.accept(new EndRecovery("somebody"));
        assertEquals(1, cluster.state().holdings().all().size());
        String attach = cluster.id();
        assertEquals(new Attach.Reply.Started(attach), cluster.accept(new Attach(claim.id(), attach)));
        end(attach, new OperationOutcome.Published(Encrypted.NONE));
        says("n1", own);
        assertEquals(0, cluster.state().holdings().all().size());
        assertEquals(
                AttachmentState.ATTACHED,
                cluster.state().attachments().all().iterator().next().state());
    }

    @Test
    void manyHoldings_areTakenInAndLetGoByParts() {
        recovery();
        List<HoldingId> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(new HoldingId("n1", new VolumeKey(Cluster.PLUGIN, "lost-" + i), "alloc-" + i, "data"));
        }
        all(new TakeHoldings("n1", "secret-n1", many));
        assertEquals(5_000, cluster.state().holdings().all().size());
        cluster.accept(new EndRecovery(VisibleText.head("x".repeat(10_000), 10_000)));
        all(new TakeHoldings("n1", "secret-n1", List.of()));
        cluster.workOff();
        assertEquals(0, cluster.state().holdings().all().size());
    }

    private void all(TakeHoldings command) {
        boolean more = true;
        while (more) {
            more = cluster.accept(command).more();
        }
    }

    @Test
    void theRecoveryAndWhatIsHeldAreStored() {
        recovery();
        says("n1", LOST);
        cluster.restart();
        assertTrue(cluster.state().isRecovering());
        assertTrue(cluster.state().holdings().get(LOST).isPresent());
        cluster.accept(new EndRecovery("somebody"));
        cluster.restart();
        assertFalse(cluster.state().isRecovering());
        assertTrue(cluster.state().otherPast("n1").orElseThrow().is(1_000_000, "reign"));
    }
}
