package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.Fit;
import io.cleat.state.PlacementMetric;
import io.cleat.state.VolumeKey;
import io.cleat.state.VolumeProgress;
import io.cleat.state.VolumeRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Claims: who gets a volume, who waits, and what frees it. Situation -> answer. */
final class ClaimsTest {
    private final Cluster cluster = new Cluster();

    private void oneNode() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
    }

    @Test
    void aFreeVolume_isGrantedInTheEntryOfThePlacement() {
        oneNode();
        cluster.writer("a", "v");
        ClaimRow claim = cluster.claim("v", "a");
        assertEquals(ClaimState.GRANTED, claim.state());
        assertEquals(cluster.allocation("a").createVersion(), claim.createVersion());
        assertEquals(claim.createVersion(), claim.epoch());
        assertEquals("boot-1", claim.bootId());
        assertNull(claim.blockedBy());
    }

    @Test
    void aWriterOfAnotherJob_blocksTheEvaluationAndMakesNoAllocation() {
        oneNode();
        cluster.writer("a", "v");
        cluster.writer("b", "v");
        assertEquals(List.of(), cluster.state().allocationsOfJob(Cluster.jobId("b")));
        EvaluationRow blocked = cluster.onlyBlocked();
        assertEquals(Cluster.jobId("b"), blocked.job());
        assertEquals(List.of(Cluster.volumeId("v")), blocked.waits().blockedOn());
        BlockedBy reason = Objects.requireNonNull(blocked.waits().blockedBy());
        assertTrue(reason.holder().contains(cluster.allocation("a").id()), reason.holder());
        PlacementMetric metric =
                Objects.requireNonNull(blocked.outcome().failedGroups().get("g"));
        assertEquals(Map.of("CSI volume v has exhausted its available writer claims", 1), metric.constraintFiltered());
        assertEquals(EvaluationStatus.COMPLETE, previous(blocked).status());
        assertEquals(blocked.id(), previous(blocked).chain().blockedEval());
    }

    /** As CVE-2024-10975 and its like: a volume is of its namespace's jobs alone. */
    @Test
    void aJobOfAnotherNamespace_claimsNothingOfThisOne() {
        oneNode();
        JobSpec named = Cluster.job("a", JobType.SERVICE, 1, Cluster.request("v", Cluster.WRITER, false));
        JobId team = new JobId("team", "a");
        cluster.run(new JobSpec(
                team,
                named.name(),
                named.type(),
                named.region(),
                named.nodePool(),
                named.priority(),
                named.allAtOnce(),
                named.datacenters(),
                named.meta(),
                named.constraints(),
                named.groups()));
        assertEquals(List.of(), cluster.state().allocationsOfJob(team));
        assertEquals(List.of(), cluster.claims("v"));
        EvaluationRow blocked = cluster.onlyBlocked();
        assertEquals(List.of(new VolumeId("team", "v")), blocked.waits().blockedOn());
        BlockedBy reason = Objects.requireNonNull(blocked.waits().blockedBy());
        assertEquals("volume v in namespace team, which is not registered", reason.holder());
    }

    @Test
    void aNodeThatFoundWhatItDoesNotKnow_takesNoVolumeUntilItIsClear() {
        oneNode();
        cluster.finds("n1", "/v/x is mounted");
        cluster.writer("a", "v");
        assertEquals(List.of(), cluster.state().allocationsOfJob(Cluster.jobId("a")));
        PlacementMetric metric = Objects.requireNonNull(
                cluster.onlyBlocked().outcome().failedGroups().get("g"));
        assertEquals(
                Map.of("client n1 takes no volumes until it is cleared: /v/x is mounted", 1),
                metric.constraintFiltered());
        cluster.run(Cluster.job("other", JobType.SERVICE, 1));
        assertEquals("n1", cluster.allocation("other").nodeId());
        cluster.finds("n1");
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
    }

    private EvaluationRow previous(EvaluationRow row) {
        return cluster.state().evaluations().get(row.chain().previousEval()).orElseThrow();
    }

    @Test
    void theHolderIsStopped_releaseBeginsAtOnceAndTheNodesWordFreesIt() {
        oneNode();
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.writer("b", "v");
        cluster.stop("a");
        ClaimRow releasing = cluster.claim("v", "a");
        assertEquals(ClaimState.RELEASING, releasing.state());
        assertEquals(
                cluster.allocation("a").stamps().allocModifyVersion(),
                releasing.modifyVersion(),
                "in the entry that stops the allocation");
        assertTrue(releasing.blockedBy() != null);
        assertEquals(
                1, cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());

        cluster.report(cluster.allocation("a"), ClientStatus.COMPLETE, VolumeProgress.Phase.UNMOUNTING);
        assertEquals(ClaimState.RELEASING, cluster.claim("v", "a").state(), "not proved yet");
        cluster.ends(cluster.allocation("a"), ClientStatus.COMPLETE);
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "b").state());
        assertEquals(1, cluster.claims("v").size());
    }

    @Test
    void theEntryThatFrees_wakesTheBlockedEvaluation() {
        oneNode();
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.writer("b", "v");
        cluster.stop("a");
        EvaluationRow blocked = cluster.onlyBlocked();
        cluster.report(cluster.allocation("a"), ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
        EvaluationRow woken = cluster.state().evaluations().get(blocked.id()).orElseThrow();
        assertEquals(EvaluationStatus.PENDING, woken.status());
        assertEquals(cluster.state().version(), woken.modifyVersion());
        assertNull(woken.waits().blockedBy());
    }

    @Test
    void aReplacementOfTheSameJob_waitsAndIsGrantedByTheEntryThatFrees() {
        oneNode();
        cluster.writer("a", "v");
        cluster.runs("a");
        AllocationRow old = cluster.allocation("a");
        cluster.run(
                Cluster.job("a", JobType.SERVICE, 1, null, "/bin/other", Cluster.request("v", Cluster.WRITER, false)));
        AllocationRow next = cluster.allocation("a");
        assertEquals(old.id(), next.lineage().previous());
        ClaimRow waiting = cluster.claim("v", "a");
        assertEquals(ClaimState.WAITING, waiting.state());
        assertEquals(0, waiting.epoch());
        assertTrue(Objects.requireNonNull(waiting.blockedBy()).holder().contains(old.id()), "names its predecessor");

        cluster.writer("b", "v");
        cluster.report(old, ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
        ClaimRow granted = cluster.claim("v", "a");
        assertEquals(ClaimState.GRANTED, granted.state());
        assertEquals(cluster.state().version(), granted.epoch(), "before any blocked evaluation");
        cluster.schedule();
        assertEquals(Cluster.jobId("b"), cluster.onlyBlocked().job());
    }

    @Test
    void allClaimsOfOneAllocation_areGrantedTogetherOrNotAtAll() {
        oneNode();
        cluster.volume("w", Cluster.WRITER);
        VolumeRequest v = Cluster.request("v", Cluster.WRITER, false);
        VolumeRequest w = Cluster.request("w", Cluster.WRITER, false);
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, v));
        cluster.runs("a");
        AllocationRow old = cluster.allocation("a");
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, v, w));
        assertEquals(ClaimState.WAITING, cluster.claim("v", "a").state());
        assertEquals(ClaimState.WAITING, cluster.claim("w", "a").state(), "holds nothing");
        BlockedBy first = Objects.requireNonNull(cluster.claim("v", "a").blockedBy());

        // Meanwhile somebody else takes the other one.
        cluster.writer("b", "w");
        cluster.runs("b");
        cluster.pass(Duration.ofSeconds(5));
        cluster.ends(old, ClientStatus.COMPLETE);
        assertEquals(ClaimState.WAITING, cluster.claim("v", "a").state());
        BlockedBy then = Objects.requireNonNull(cluster.claim("v", "a").blockedBy());
        assertTrue(then.holder().contains(cluster.allocation("b").id()), then.holder());
        assertEquals(cluster.now(), then.since(), "it waits for another one now");
        assertTrue(first.since().isBefore(then.since()));
        cluster.pass(Duration.ofSeconds(5));
        cluster.schedule();
        assertEquals(then, cluster.claim("v", "a").blockedBy(), "and for the same one still");

        cluster.stop("b");
        cluster.ends(cluster.allocation("b"), ClientStatus.COMPLETE);
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
        assertEquals(cluster.claim("v", "a").epoch(), cluster.claim("w", "a").epoch());
    }

    /** The node has unmounted these volumes of an allocation that has ended, and not the others. */
    private void unmounted(AllocationRow ended, String... volumes) {
        Map<String, VolumeProgress> said = new TreeMap<>();
        for (ClaimRow claim : cluster.state().claims().ofAllocation(ended.id())) {
            VolumeProgress.Phase phase = List.of(volumes).contains(claim.alias())
                    ? VolumeProgress.Phase.UNPUBLISHED
                    : VolumeProgress.Phase.PUBLISHED;
            said.put(claim.alias(), new VolumeProgress(claim.volume(), claim.epoch(), phase, 0, null));
        }
        cluster.report(ended, ClientStatus.COMPLETE, said);
        cluster.schedule();
    }

    @Test
    void aReplacementThatWaitsForOneVolume_saysSoOfEachOfItsClaims_andSinceWhenThoughOthersGetFree() {
        oneNode();
        cluster.volume("w", Cluster.WRITER);
        cluster.volume("x", Cluster.WRITER);
        VolumeRequest[] all = {
            Cluster.request("v", Cluster.WRITER, false),
            Cluster.request("w", Cluster.WRITER, false),
            Cluster.request("x", Cluster.WRITER, false)
        };
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, all));
        cluster.runs("a");
        AllocationRow old = cluster.allocation("a");
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, null, "/bin/false", all));
        unmounted(old, "w");
        BlockedBy first = Objects.requireNonNull(cluster.claim("w", "a").blockedBy());
        assertTrue(first.holder().startsWith("volume v, held by allocation " + old.id()), first.holder());
        assertTrue(first.holder().contains("letting it go"), first.holder());

        cluster.pass(Duration.ofSeconds(5));
        unmounted(old, "w", "x");
        for (String volume : List.of("v", "w", "x")) {
            assertEquals(ClaimState.WAITING, cluster.claim(volume, "a").state());
            assertEquals(first, cluster.claim(volume, "a").blockedBy(), volume);
        }

        unmounted(old, "v", "w", "x");
        assertEquals(ClaimState.GRANTED, cluster.claim("w", "a").state());
    }

    @Test
    void writersOfAMultiWriterVolume_shareIt() {
        cluster.node("n1");
        cluster.volume("s", Cluster.SHARED);
        cluster.run(Cluster.job("a", JobType.SERVICE, 2, Cluster.request("s", Cluster.SHARED, false)));
        assertEquals(2, cluster.claims("s").size());
        assertTrue(cluster.claims("s").stream().allMatch(c -> c.state() == ClaimState.GRANTED));
    }

    @Test
    void aNodeThatIsGone_freesNothingAndSaysWhatIsMissing() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.node("n2");
        cluster.down("n1");
        AllocationRow lost = cluster.state().allocationsOnNode("n1").getFirst();
        assertEquals(ClientStatus.LOST, lost.status());
        assertEquals("n2", cluster.allocation("a").nodeId());
        assertEquals(ClaimState.WAITING, cluster.claim("v", "a").state());
        ClaimRow held = cluster.state().claims().ofAllocation(lost.id()).getFirst();
        assertEquals(ClaimState.RELEASING, held.state());
        BlockedBy reason = Objects.requireNonNull(held.blockedBy());
        assertTrue(reason.hint().contains("volume detach -abandon"), reason.hint());
        cluster.pass(Duration.ofDays(3));
        cluster.accept(CollectGarbage.NOW);
        assertEquals(ClaimState.WAITING, cluster.claim("v", "a").state(), "time proves nothing");
    }

    private AllocationRow lostHolder() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.node("n2");
        cluster.down("n1");
        return cluster.state().allocationsOnNode("n1").getFirst();
    }

    @Test
    void aLostNodeComesBackWithTheSameBoot_provesNothingUntilItSaysUnpublished() {
        AllocationRow lost = lostHolder();
        cluster.node("n1");
        assertEquals(ClaimState.WAITING, cluster.claim("v", "a").state());
        cluster.report(lost, ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
    }

    @Test
    void aLostNodeComesBackWithANewBoot_isProof() {
        lostHolder();
        cluster.register(cluster.facts("n1", "boot-2", cluster.plugin("n1")));
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
        assertEquals("n2", cluster.claim("v", "a").nodeId());
    }

    @Test
    void aNodeBootsWithAGrant_keepsItForTheNewBoot() {
        oneNode();
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.register(cluster.facts("n1", "boot-2", cluster.plugin("n1")));
        assertEquals("boot-2", cluster.claim("v", "a").bootId());
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
        // The boot of before is no proof for what was mounted since.
        cluster.stop("a");
        cluster.register(cluster.facts("n1", "boot-2", cluster.plugin("n1")));
        assertEquals(ClaimState.RELEASING, cluster.claim("v", "a").state());
    }

    /** Between two parts of what follows a boot, the new one may have mounted it already. */
    @Test
    void aClaimReleasedBeforeItsNodesBootIsSeenTo_isNotFreedByThatBoot() {
        oneNode();
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.inSmallParts();
        cluster.register(cluster.facts("n1", "boot-2", cluster.plugin("n1")));
        assertEquals("boot-1", cluster.claim("v", "a").bootId(), "left to the next part");
        cluster.accept(new DeregisterJob(Cluster.jobId("a"), false, false, false, 0, cluster.id()));
        while (!cluster.due().isEmpty()) {
            cluster.accept(new CommitPlan(cluster.plan(cluster.due().getFirst()), cluster.id()));
        }
        cluster.workOff();
        assertEquals(ClaimState.RELEASING, cluster.claim("v", "a").state());
        assertEquals("boot-2", cluster.claim("v", "a").bootId());
    }

    @Test
    void thoseWhoWaitForOneVolume_allHaveTheirTurnThoughADecisionHasRoomForOne() {
        VolumeModes readers = new VolumeModes(AccessMode.MULTI_NODE_READER_ONLY, AttachmentMode.FILE_SYSTEM);
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER, readers);
        cluster.writer("a", "v");
        cluster.runs("a");
        AllocationRow writer = cluster.allocation("a");
        cluster.run(Cluster.job("a", JobType.SERVICE, 3, Cluster.request("v", readers, true)));
        assertEquals(
                3,
                cluster.claims("v").stream()
                        .filter(c -> c.state() == ClaimState.WAITING)
                        .count());
        cluster.inSmallParts();
        cluster.ends(writer, ClientStatus.COMPLETE);
        assertEquals(3, cluster.claims("v").size());
        assertTrue(cluster.claims("v").stream().allMatch(c -> c.state() == ClaimState.GRANTED));
    }

    @Test
    void anOperatorAbandons_frees() {
        AllocationRow lost = lostHolder();
        DetachVolume.Reply told = cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", false, "root"));
        assertEquals(0, told.freed());
        assertTrue(told.waiting().getFirst().contains(lost.id()));
        DetachVolume.Reply freed = cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", true, "root"));
        assertEquals(1, freed.freed());
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "a").state());
        assertTrue(cluster.state().volume(Cluster.volumeId("v")).orElseThrow().events().stream()
                .anyMatch(e -> e.message().startsWith("root vouches")));
    }

    @Test
    void anOperatorAbandonsWhatRuns_isRefused() {
        oneNode();
        cluster.writer("a", "v");
        cluster.runs("a");
        String words = cluster.refuse(new DetachVolume(Cluster.volumeId("v"), "n1", true, "root"));
        assertTrue(words.contains("stop that allocation first"), words);
        assertTrue(words.contains(cluster.allocation("a").id()), words);
        assertTrue(words.contains("in namespace default"), words);
    }

    @Test
    void anOperatorAbandonsWhatALiveNodeSeesMounted_isRefused() {
        oneNode();
        cluster.writer("a", "v");
        cluster.runs("a");
        cluster.stop("a");
        String words = cluster.refuse(new DetachVolume(Cluster.volumeId("v"), "n1", true, "root"));
        assertTrue(words.contains("mounted there"), words);
    }

    private String refusedAbandon(String machineIsOff) {
        return cluster.refuse(new DetachVolume(Cluster.volumeId("v"), "n1", true, machineIsOff, "root"));
    }

    private AllocationRow stoppedOnAHeardNode() {
        oneNode();
        cluster.writer("a", "v");
        cluster.stop("a");
        return cluster.allocation("a");
    }

    @Test
    void anOperatorAbandonsOnANodeThatIsHeard_needsTheWordThatItsMachineIsOff() {
        stoppedOnAHeardNode();
        String words = refusedAbandon("");
        assertTrue(words.contains("its node can be heard"), words);
        assertTrue(words.contains("-machine-is-off=name-n1"), words);
        words = refusedAbandon("name-n2");
        assertTrue(words.contains("is name-n2, and the node is name-n1 (n1)"), words);
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", true, "name-n1", "root"));
        assertEquals(List.of(), cluster.claims("v"));
    }

    @Test
    void anOperatorAbandonsWhatAHeardNodeUnmountsOrRuns_isRefusedWhateverHisWord() {
        AllocationRow row = stoppedOnAHeardNode();
        cluster.report(row, ClientStatus.RUNNING, VolumeProgress.Phase.NONE);
        String words = refusedAbandon("name-n1");
        assertTrue(words.contains("says that the allocation is running"), words);
        assertTrue(words.contains("ask again once the node is down"), words);
        cluster.report(row, ClientStatus.RUNNING, VolumeProgress.Phase.MOUNTING);
        words = refusedAbandon("name-n1");
        assertTrue(words.contains("mounted there, or about to be"), words);
        cluster.report(row, ClientStatus.COMPLETE, VolumeProgress.Phase.UNMOUNTING);
        words = refusedAbandon("name-n1");
        assertTrue(words.contains("says that the volume is being unmounted"), words);
        cluster.down("n1");
        cluster.accept(new DetachVolume(Cluster.volumeId("v"), "n1", true, "root"));
        assertEquals(List.of(), cluster.claims("v"));
    }

    @Test
    void aReportOfAnotherNode_isPassedOver() {
        oneNode();
        cluster.node("n2");
        cluster.writer("a", "v");
        cluster.stop("a");
        AllocationRow row = cluster.allocation("a");
        cluster.accept(new ReportAllocations(
                row.nodeId().equals("n1") ? "n2" : "n1",
                List.of(new ReportAllocations.Report(
                        row.id(),
                        ClientStatus.COMPLETE,
                        "",
                        Map.of(),
                        Map.of(
                                "v",
                                new VolumeProgress(
                                        Cluster.volumeId("v"), 0, VolumeProgress.Phase.UNPUBLISHED, 0, null)),
                        null,
                        null)),
                cluster.id()));
        assertEquals(ClaimState.RELEASING, cluster.claim("v", "a").state());
    }

    @Test
    void anAllocationThatEndedBeforeAnyStep_letsGo() {
        oneNode();
        cluster.writer("a", "v");
        cluster.stop("a");
        AllocationRow row = cluster.allocation("a");
        cluster.report(row, ClientStatus.PENDING, VolumeProgress.Phase.NONE);
        assertEquals(ClaimState.RELEASING, cluster.claim("v", "a").state(), "it may still begin");
        cluster.report(row, ClientStatus.COMPLETE, VolumeProgress.Phase.NONE);
        assertEquals(List.of(), cluster.claims("v"));
    }

    @Test
    void readersOfASingleNodeVolume_mustNotBeElsewhere() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        VolumeRow volume = cluster.state().volume(Cluster.volumeId("v")).orElseThrow();
        Fit fit = Fit.of(cluster.state(), volume, Cluster.WRITER, true, "n2", Cluster.jobId("b"), "");
        assertTrue(fit instanceof Fit.Held, fit.toString());
    }

    @Test
    void modesAVolumeWasNotRegisteredWith_areRefusedAndSaid() {
        oneNode();
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, Cluster.request("v", Cluster.SHARED, false)));
        assertEquals(List.of(), cluster.state().allocationsOfJob(Cluster.jobId("a")));
        String reason = Objects.requireNonNull(
                        cluster.onlyBlocked().outcome().failedGroups().get("g"))
                .constraintFiltered()
                .keySet()
                .iterator()
                .next();
        assertTrue(reason.startsWith("CSI volume v is unschedulable or is read-only: it was not"), reason);
    }

    @Test
    void aModeThatAHeldVolumeWasNotRegisteredWith_isNotToldToWaitForARelease() {
        oneNode();
        cluster.writer("a", "v");
        cluster.run(Cluster.job("b", JobType.SERVICE, 1, Cluster.request("v", Cluster.SHARED, false)));
        BlockedBy waits = Objects.requireNonNull(cluster.onlyBlocked().waits().blockedBy());
        assertTrue(waits.holder().contains("it was not registered with"), waits.holder());
        assertTrue(waits.hint().startsWith("register the volume with it, or"), waits.hint());
        assertTrue(waits.hint().contains("single-node-writer, file-system"), waits.hint());
    }

    @Test
    void twoRegistrationsOfOneDisk_haveOneSetOfClaims() {
        cluster.node("n1");
        cluster.accept(new RegisterVolume(Cluster.volume("s1", "disk", Cluster.SHARED), Encrypted.NONE, "o1"));
        cluster.accept(new RegisterVolume(Cluster.volume("s2", "disk", Cluster.SHARED), Encrypted.NONE, "o2"));
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, Cluster.request("s1", Cluster.SHARED, false)));
        assertEquals(
                1,
                cluster.state()
                        .claims()
                        .of(new VolumeKey(Cluster.PLUGIN, "disk"))
                        .size());
        String words =
                cluster.refuse(new RegisterVolume(Cluster.volume("s3", "disk", Cluster.WRITER), Encrypted.NONE, "o3"));
        assertTrue(words.contains("already registered as volume s1"), words);
    }
}
