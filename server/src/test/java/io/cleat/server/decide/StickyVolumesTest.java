package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.HostRequest;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeFacts;
import io.cleat.model.UpdatePolicy;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.server.FactsDraft;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.StickyClaimRow;
import io.cleat.state.VolumeProgress;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Groups that keep their host volumes: what follows an allocation comes back to its volume. */
final class StickyVolumesTest {
    private static final VolumeModes ALONE =
            new VolumeModes(AccessMode.SINGLE_NODE_SINGLE_WRITER, AttachmentMode.FILE_SYSTEM);

    private final Cluster cluster = new Cluster();
    private final Map<String, HostVolume> onNodes = new TreeMap<>();

    @BeforeEach
    void threeNodesWithAVolumeEach() {
        cluster.level = Change.STICKY_LEVEL;
        for (String node : List.of("n1", "n2", "n3")) {
            cluster.register(facts(node));
            volume("v-" + node, node);
        }
    }

    private NodeFacts facts(String node) {
        HostVolume there = onNodes.get(node);
        return FactsDraft.of(cluster.facts(node, "boot-1"))
                .attributes(Map.of("kernel.name", "linux", HostVolumeNames.pluginAttribute("mkdir"), "0.0.1"))
                .done()
                .withHostVolumes(there == null ? HostVolume.NONE : Map.of("disk", there));
    }

    private void volume(String id, String node) {
        cluster.accept(new PutHostVolume(
                new HostVolumeSpec(id, "default", "disk", "mkdir", node, "", List.of(), List.of(ALONE), 0, 0, Map.of()),
                false,
                ""));
        cluster.accept(new HostVolumeMade(id, "/data/" + id, 0));
        onNodes.put(node, new HostVolume(id, "/data/" + id, false));
        cluster.accept(new ReportFacts(facts(node), cluster.id()));
    }

    private static JobSpec job(JobType type, int count, boolean sticky) {
        return Cluster.job("db", type, count, disk(sticky));
    }

    private static VolumeRequest disk(boolean sticky) {
        return new VolumeRequest("data", "disk", false, ALONE, MountOptions.NONE, false, new HostRequest(sticky, true));
    }

    private List<StickyClaimRow> claims() {
        return List.copyOf(cluster.state().stickyClaims().from(""));
    }

    /** The wanted allocations, by name. */
    private Map<String, AllocationRow> wanted() {
        Map<String, AllocationRow> wanted = new TreeMap<>();
        cluster.state().allocations().stream()
                .filter(row -> !row.isTerminal())
                .forEach(row -> wanted.put(row.name(), row));
        return wanted;
    }

    private AllocationRow only() {
        assertEquals(1, wanted().size());
        return wanted().values().iterator().next();
    }

    private void run(AllocationRow row) {
        cluster.report(row, ClientStatus.RUNNING, VolumeProgress.Phase.PUBLISHED);
    }

    private void gone(AllocationRow row, ClientStatus how) {
        cluster.report(row, how, VolumeProgress.Phase.UNPUBLISHED);
        cluster.schedule();
    }

    @Test
    void theFirstPlacementIsAnywhere_andKeepsTheVolumeThere() {
        cluster.run(job(JobType.SERVICE, 1, true));
        AllocationRow row = only();
        StickyClaimRow claim = claims().getFirst();
        assertEquals(1, claims().size());
        assertEquals("v-" + row.nodeId(), HostVolumeNames.id(claim.volume()));
        assertEquals(row.id(), claim.allocId());
        assertEquals(row.name(), claim.allocName());
        assertEquals("disk", claim.volumeName());
    }

    @Test
    void oneThatIsNotSticky_keepsNothing() {
        cluster.run(job(JobType.SERVICE, 1, false));
        assertEquals(List.of(), claims());
    }

    /** Without the claim it would avoid the node on which it failed. */
    @Test
    void whatFollowsAFailedOne_comesBack() {
        cluster.run(job(JobType.SERVICE, 1, true));
        AllocationRow first = only();
        run(first);
        gone(first, ClientStatus.FAILED);
        cluster.pass(Duration.ofMinutes(10));
        cluster.schedule();
        AllocationRow second = only();
        assertEquals(first.nodeId(), second.nodeId());
        assertEquals(1, claims().size());
        assertEquals(second.id(), claims().getFirst().allocId());
    }

    @Test
    void eachOfSeveral_comesBackToItsOwn_alsoAfterAStop() {
        cluster.run(job(JobType.SERVICE, 3, true));
        Map<String, String> nodes = new TreeMap<>();
        wanted().forEach((name, row) -> nodes.put(name, row.nodeId()));
        assertEquals(3, nodes.values().stream().distinct().count(), "each has one for itself");
        wanted().values().forEach(this::run);
        List<AllocationRow> all = List.copyOf(wanted().values());
        cluster.stop("db");
        cluster.schedule();
        all.forEach(row -> gone(row, ClientStatus.COMPLETE));
        assertEquals(3, claims().size(), "a stopped job keeps its volumes");
        cluster.run(job(JobType.SERVICE, 3, true));
        Map<String, String> again = new TreeMap<>();
        wanted().forEach((name, row) -> again.put(name, row.nodeId()));
        assertEquals(nodes, again);
        assertEquals(3, claims().size());
    }

    @Test
    void whatWasScaledDown_isThereWhenItIsScaledUp() {
        cluster.run(job(JobType.SERVICE, 2, true));
        AllocationRow last = wanted().values().stream()
                .max(Comparator.comparingInt(row -> row.identity().index()))
                .orElseThrow();
        wanted().values().forEach(this::run);
        cluster.run(job(JobType.SERVICE, 1, true));
        gone(last, ClientStatus.COMPLETE);
        assertEquals(2, claims().size());
        cluster.run(job(JobType.SERVICE, 2, true));
        assertEquals(
                last.nodeId(),
                Objects.requireNonNull(wanted().get(last.name())).nodeId(),
                "and not on the free third node");
    }

    @Test
    void aLostNodeIsWaitedFor_untilItIsBack() {
        cluster.run(job(JobType.SERVICE, 1, true));
        AllocationRow first = only();
        run(first);
        cluster.down(first.nodeId());
        cluster.schedule();
        assertEquals(Map.of(), wanted());
        String holder = Objects.requireNonNull(cluster.onlyBlocked().waits().blockedBy())
                .holder();
        assertTrue(holder.contains("is down") && holder.contains("keeps its host volume disk"), holder);
        cluster.register(facts(first.nodeId()));
        gone(first, ClientStatus.LOST);
        assertEquals(first.nodeId(), only().nodeId());
    }

    @Test
    void aLostNodeIsWaitedFor_untilTheClaimIsDeleted() {
        cluster.run(job(JobType.SERVICE, 1, true));
        AllocationRow first = only();
        run(first);
        cluster.down(first.nodeId());
        cluster.schedule();
        String id = claims().getFirst().id();
        String hint = Objects.requireNonNull(cluster.onlyBlocked().waits().blockedBy())
                .hint();
        assertTrue(hint.endsWith("cleat volume claim delete " + id), hint);
        assertTrue(
                cluster.refuse(new DeleteStickyClaim("team", id)).contains("no such volume claim"),
                "it is of another namespace");
        cluster.accept(new DeleteStickyClaim("default", id));
        cluster.schedule();
        assertTrue(!first.nodeId().equals(only().nodeId()), "it is placed elsewhere at once");
        assertEquals(1, claims().size());
        assertEquals(
                "v-" + only().nodeId(), HostVolumeNames.id(claims().getFirst().volume()));
        assertTrue(cluster.refuse(new DeleteStickyClaim("default", id)).contains("cleat volume claim list"));
    }

    @Test
    void aVolumeThatIsKept_isNotDeleted() {
        cluster.run(job(JobType.SERVICE, 1, true));
        AllocationRow first = only();
        run(first);
        cluster.stop("db");
        cluster.schedule();
        gone(first, ClientStatus.COMPLETE);
        StickyClaimRow claim = claims().getFirst();
        String why = cluster.refuse(new DeleteHostVolume(claim.volume(), false));
        assertEquals(
                "volume disk (v-"
                        + first.nodeId()
                        + ") is kept (sticky) by group \"g\" of job \"db\" with claim "
                        + claim.id()
                        + "; purge the job, or: cleat volume claim delete "
                        + claim.id(),
                why);
        cluster.accept(new DeleteStickyClaim("default", claim.id()));
        cluster.accept(new DeleteHostVolume(claim.volume(), false));
    }

    private void runTrying(String command) {
        cluster.run(Cluster.with(
                Cluster.job("db", JobType.SERVICE, 1, null, command, disk(true)),
                null,
                new UpdatePolicy(
                        1,
                        1,
                        "task_states",
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(10),
                        Duration.ofSeconds(30),
                        false,
                        false)));
    }

    private List<AllocationRow> live() {
        return cluster.state().allocationsOfJob(Cluster.jobId("db")).stream()
                .filter(row -> !row.isTerminal())
                .sorted(Comparator.comparingLong(AllocationRow::createVersion))
                .toList();
    }

    private String deployment() {
        return cluster.state()
                .deployments()
                .ofJob(Cluster.jobId("db"))
                .getLast()
                .id();
    }

    /** The next of its name came up with the canary's data. */
    @Test
    void aCanaryThatIsNotPromoted_givesItsVolumeUp_andTheOldKeepsItsOwn() {
        runTrying("/one");
        AllocationRow old = only();
        run(old);
        runTrying("/two");
        AllocationRow canary = live().getLast();
        assertTrue(canary.isCanary());
        assertEquals(old.name(), canary.name());
        assertEquals(2, claims().size(), "it runs beside the old one");
        run(canary);
        cluster.accept(new FailDeployment(deployment(), cluster.id()));
        cluster.schedule();
        assertEquals(
                List.of(old.id()),
                claims().stream().map(StickyClaimRow::allocId).toList());
        gone(canary, ClientStatus.COMPLETE);
        gone(old, ClientStatus.FAILED);
        cluster.pass(Duration.ofMinutes(10));
        cluster.schedule();
        assertEquals(old.nodeId(), only().nodeId());
    }

    @Test
    void whileACanaryIsTried_whatFollowsEachComesBackToItsOwn() {
        runTrying("/one");
        AllocationRow old = only();
        run(old);
        runTrying("/two");
        AllocationRow canary = live().getLast();
        run(canary);
        gone(canary, ClientStatus.FAILED);
        gone(old, ClientStatus.FAILED);
        cluster.pass(Duration.ofMinutes(10));
        cluster.schedule();
        Map<Boolean, String> nodes = new TreeMap<>();
        live().forEach(row -> nodes.put(row.isCanary(), row.nodeId()));
        assertEquals(Map.of(true, canary.nodeId(), false, old.nodeId()), nodes);
        assertEquals(2, claims().size());
    }

    @Test
    void aPromotedCanary_keepsItsVolume() {
        runTrying("/one");
        AllocationRow old = only();
        run(old);
        runTrying("/two");
        AllocationRow canary = live().getLast();
        run(canary);
        cluster.says(canary, true);
        cluster.accept(new PromoteDeployment(deployment(), List.of(), cluster.id()));
        cluster.schedule();
        gone(old, ClientStatus.COMPLETE);
        gone(canary, ClientStatus.FAILED);
        cluster.pass(Duration.ofMinutes(10));
        cluster.schedule();
        assertEquals(canary.nodeId(), only().nodeId());
    }

    @Test
    void aPurgedJobKeepsNothing() {
        cluster.run(job(JobType.SERVICE, 2, true));
        assertEquals(2, claims().size());
        List<AllocationRow> all = List.copyOf(wanted().values());
        cluster.accept(new DeregisterJob(Cluster.jobId("db"), true, false, false, 0, cluster.id()));
        cluster.schedule();
        all.forEach(row -> gone(row, ClientStatus.COMPLETE));
        assertEquals(List.of(), claims());
    }

    @Test
    void aJobThatIsNotStickyAnyMore_keepsNothing() {
        cluster.run(job(JobType.SERVICE, 1, true));
        cluster.run(job(JobType.SERVICE, 1, false));
        assertEquals(List.of(), claims());
    }

    /** With its node gone for good nobody can come back to it. */
    @Test
    void theVolumeOfANodeThatIsGoneForGood_isForgottenWithItsClaims() {
        cluster.run(job(JobType.SERVICE, 1, true));
        AllocationRow first = only();
        run(first);
        cluster.down(first.nodeId());
        cluster.schedule();
        cluster.accept(new PurgeNode(first.nodeId()));
        cluster.accept(new DeleteHostVolume(claims().getFirst().volume(), true));
        assertEquals(List.of(), claims());
        cluster.schedule();
        assertTrue(!first.nodeId().equals(only().nodeId()));
    }

    /** Its allocations have one name, so that it would come back to one node alone. */
    @ParameterizedTest
    @EnumSource(names = {"SYSTEM", "SYSBATCH"})
    void aJobOfEachNodeHasTheVolumeOfEach(JobType type) {
        cluster.run(job(type, 1, true));
        assertEquals(
                List.of("v-n1", "v-n2", "v-n3"),
                claims().stream()
                        .map(row -> HostVolumeNames.id(row.volume()))
                        .sorted()
                        .toList());
    }

    @Test
    void anOperatorsDirectory_isNotSticky() {
        for (String node : List.of("n1", "n2", "n3")) {
            onNodes.remove(node);
            cluster.accept(new ReportFacts(
                    facts(node).withHostVolumes(Map.of("disk", new HostVolume("", "/srv", false))), cluster.id()));
        }
        cluster.run(job(JobType.SERVICE, 1, true));
        assertEquals(Map.of(), wanted());
        cluster.run(job(JobType.SERVICE, 1, false));
        assertEquals(1, wanted().size());
    }

    @Test
    void aClusterWithAnOlderServer_refusesIt() {
        cluster.level = Change.STICKY_LEVEL - 1;
        String why = cluster.refuse(new RegisterJob(job(JobType.SERVICE, 1, true), null, null, 0, cluster.id()));
        assertTrue(why.startsWith("not every server reads sticky volumes yet"), why);
    }

    /** One that stays would hold the volume for ever, so that what waits behind it never runs. */
    @Test
    void aSecondSingleWriterOfTheGroup_isNotPutBehindTheFirst() {
        cluster.run(job(JobType.SERVICE, 4, false));
        assertEquals(3, wanted().size());
        assertEquals(
                3,
                wanted().values().stream().map(AllocationRow::nodeId).distinct().count());
        assertEquals(
                List.of("n1", "n2", "n3"),
                cluster.state().claims().all().stream()
                        .map(row -> row.nodeId())
                        .sorted()
                        .toList());
        HostVolumeRow any = cluster.state().hostVolumes().onNode("n1").getFirst();
        assertEquals(HostVolumeRow.State.READY, any.state(cluster.state()));
    }
}
