package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.Constraint;
import io.cleat.model.HostRequest;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountOptions;
import io.cleat.model.NodeFacts;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.server.FactsDraft;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.HoldingId;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NamespaceRow;
import io.cleat.state.VolumeLabel;
import io.cleat.state.VolumeProgress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Host volumes that nodes make: where, how they are, and who may use them. */
final class MadeHostVolumesTest {
    private static final VolumeModes MANY = new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);
    private static final VolumeModes ALONE =
            new VolumeModes(AccessMode.SINGLE_NODE_SINGLE_WRITER, AttachmentMode.FILE_SYSTEM);

    private final Cluster cluster = new Cluster();
    private final Map<String, Map<String, HostVolume>> onNodes = new TreeMap<>();

    @BeforeEach
    void nodes() {
        cluster.level = Change.HOST_VOLUMES_LEVEL;
        node("n1", "default");
        node("n2", "big");
        cluster.register(cluster.facts("n3", "boot-1"));
    }

    private void node(String id, String pool) {
        onNodes.put(id, new TreeMap<>());
        cluster.register(facts(id, pool));
    }

    private NodeFacts facts(String id, String pool) {
        return FactsDraft.of(cluster.facts(id, "boot-1"))
                .nodePool(pool)
                .attributes(Map.of("kernel.name", "linux", HostVolumeNames.pluginAttribute("mkdir"), "0.0.1"))
                .done()
                .withHostVolumes(Objects.requireNonNull(onNodes.get(id)));
    }

    private static HostVolumeSpec spec(String id, String name, String node, String pool, VolumeModes... modes) {
        return new HostVolumeSpec(id, "default", name, "mkdir", node, pool, List.of(), List.of(modes), 0, 0, Map.of());
    }

    private HostVolumeRow row(String id) {
        return cluster.state().hostVolumes().find(HostVolumeRow.key(id)).orElseThrow();
    }

    private HostVolumeRow.State state(String id) {
        return row(id).state(cluster.state());
    }

    /** The node of that volume says that it has it. */
    private void listed(String id) {
        HostVolumeRow row = row(id);
        String node = row.spec().nodeId();
        Objects.requireNonNull(onNodes.get(node)).put(row.spec().name(), new HostVolume(id, "/data/" + id, false));
        cluster.accept(new ReportFacts(facts(node, row.spec().nodePool()), cluster.id()));
    }

    private HostVolumeRow made(HostVolumeSpec spec) {
        cluster.accept(new PutHostVolume(spec, false, ""));
        cluster.accept(new HostVolumeMade(spec.id(), "/data/" + spec.id(), 0));
        listed(spec.id());
        return row(spec.id());
    }

    private static JobSpec job(String id, VolumeModes modes, boolean readOnly) {
        return Cluster.job(
                id,
                JobType.SERVICE,
                1,
                new VolumeRequest(
                        "data", "disk", readOnly, modes, MountOptions.NONE, false, new HostRequest(false, true)));
    }

    private Optional<ClaimRow> claim(String job) {
        return cluster.state().claims().ofAllocation(cluster.allocation(job).id()).stream()
                .findFirst();
    }

    @Test
    void aVolumeIsPendingUntilItIsMade_readyWhileItsNodeListsIt() {
        cluster.accept(new PutHostVolume(spec("v1", "disk", "", "", MANY), false, ""));
        assertEquals(HostVolumeRow.State.PENDING, state("v1"));
        cluster.accept(new HostVolumeMade("v1", "/data/v1", 1 << 20));
        assertEquals(HostVolumeRow.State.UNAVAILABLE, state("v1"));
        listed("v1");
        assertEquals(HostVolumeRow.State.READY, state("v1"));
        assertEquals("/data/v1", row("v1").hostPath());
        cluster.down(row("v1").spec().nodeId());
        assertEquals(HostVolumeRow.State.UNAVAILABLE, state("v1"));
    }

    /** The answer was not heard, the node has it. */
    @Test
    void aPendingVolumeThatItsNodeLists_isReady() {
        cluster.accept(new PutHostVolume(spec("v1", "disk", "n1", "", MANY), false, ""));
        listed("v1");
        assertEquals(HostVolumeRow.State.READY, state("v1"));
        assertEquals("/data/v1", row("v1").hostPath());
    }

    @Test
    void aPlaceIsFound_orWhyNot() {
        assertEquals("n1", made(spec("v1", "disk", "", "default", MANY)).spec().nodeId());
        assertEquals("n2", made(spec("v2", "disk", "", "", MANY)).spec().nodeId(), "each name once on a node");
        String why = cluster.refuse(new PutHostVolume(spec("v3", "disk", "", "default", MANY), false, ""));
        assertEquals(
                "could not place volume \"disk\": no node meets constraints: 1 nodes had existing"
                        + " volume, 1 nodes filtered by node pool governance, 1 nodes were"
                        + " infeasible",
                why);
        Map.of(
                        spec("v3", "disk", "n1", "", MANY), "already has a host volume \"disk\"",
                        spec("v3", "more", "n3", "", MANY), "does not have host volume plugin",
                        spec("v3", "more", "n2", "default", MANY), "is in the pool \"big\"",
                        spec("v3", "more", "n9", "", MANY), "no such node: \"n9\"")
                .forEach((spec, words) -> {
                    String refused = cluster.refuse(new PutHostVolume(spec, false, ""));
                    assertTrue(refused.contains(words), refused);
                });
        HostVolumeSpec constrained = new HostVolumeSpec(
                "v4",
                "default",
                "more",
                "mkdir",
                "",
                "",
                List.of(new Constraint("${node.pool}", "=", "big")),
                List.of(MANY),
                0,
                0,
                Map.of());
        assertEquals("n2", made(constrained).spec().nodeId());
    }

    @Test
    void aJobRunsWhereItsVolumeIs_andClaimsIt() {
        made(spec("v1", "disk", "n2", "big", MANY));
        cluster.run(in("big", job("web", MANY, false)));
        assertEquals("n2", cluster.allocation("web").nodeId());
        ClaimRow claim = claim("web").orElseThrow();
        assertEquals(ClaimState.GRANTED, claim.state());
        assertEquals(row("v1").key(), claim.key());
        assertEquals(null, claim.blockedBy(), "nothing is attached for it");
        // Another may write beside it, as the volume says.
        cluster.run(in("big", job("more", MANY, false)));
        assertEquals(ClaimState.GRANTED, claim("more").orElseThrow().state());
    }

    /** As of CSI volumes: nothing is free on the word of a past that has come back. */
    @Test
    void whatANodeUsesForAnAllocationThatARecoveryDoesNotKnow_isGrantedToNobody() {
        HostVolumeRow row = made(spec("v1", "disk", "n1", "default", ALONE));
        cluster.accept(new NoteOtherPast("n1", "name-n1", "secret-n1", 1_000_000, "reign"));
        HoldingId lost = new HoldingId("n1", row.key(), "lost", "data");
        cluster.accept(new TakeHoldings("n1", "secret-n1", List.of(lost)));
        cluster.accept(new EndRecovery("somebody"));
        cluster.run(job("web", ALONE, false));
        assertEquals(0, cluster.state().claims().of(row.key()).size());
        cluster.accept(new TakeHoldings("n1", "secret-n1", List.of()));
        cluster.schedule();
        ClaimRow claim = claim("web").orElseThrow();
        assertEquals(ClaimState.GRANTED, claim.state());
        HoldingId known = new HoldingId("n1", row.key(), claim.allocId(), claim.alias());
        cluster.accept(new NoteOtherPast("n1", "name-n1", "secret-n1", 2_000_000, "reign"));
        cluster.accept(new TakeHoldings("n1", "secret-n1", List.of(known)));
        assertEquals(0, cluster.state().holdings().all().size(), "its claim stands for it");
    }

    private static JobSpec in(String pool, JobSpec job) {
        return new JobSpec(
                job.id(),
                job.name(),
                job.type(),
                job.region(),
                pool,
                job.priority(),
                job.allAtOnce(),
                job.datacenters(),
                job.meta(),
                job.constraints(),
                job.groups());
    }

    @Test
    void aVolumeOfAnotherNamespace_orWithoutTheMode_orNotReady_isNotThere() {
        made(spec("v1", "disk", "n1", "default", MANY));
        cluster.run(job("mode", ALONE, false));
        assertEquals(Set.of("missing compatible host volumes"), reasons("mode").keySet());
        cluster.accept(new RegisterNamespace(NamespaceRow.plain("team")));
        cluster.run(Cluster.in("team", job("other", MANY, false)));
        assertEquals(Set.of("missing compatible host volumes"), reasons("other").keySet());
        cluster.accept(new DeleteHostVolume(row("v1").id(), false));
        cluster.run(job("late", MANY, false));
        assertEquals(Set.of("missing compatible host volumes"), reasons("late").keySet());
    }

    private Map<String, Integer> reasons(String job) {
        return cluster.state().evaluations().all().stream()
                .filter(row -> row.job().id().equals(job)
                        && !row.outcome().failedGroups().isEmpty())
                .map(row -> Objects.requireNonNull(row.outcome().failedGroups().get("g")))
                .findFirst()
                .orElseThrow()
                .constraintFiltered();
    }

    @Test
    void oneThatIsToWriteAlone_waitsUntilTheNodeSaysThatTheOtherIsGone() {
        made(spec("v1", "disk", "n1", "default", ALONE));
        cluster.run(job("first", ALONE, false));
        AllocationRow first = cluster.allocation("first");
        cluster.report(first, ClientStatus.RUNNING, VolumeProgress.Phase.PUBLISHED);
        cluster.run(job("second", ALONE, false));
        String holder = Objects.requireNonNull(cluster.onlyBlocked().waits().blockedBy())
                .holder();
        assertTrue(holder.contains(first.id()), "who waits is told for whom");
        assertTrue(holder.startsWith("volume disk, held by"), "and for what: " + holder);
        cluster.stop("first");
        cluster.schedule();
        assertEquals(ClaimState.RELEASING, claim("first").orElseThrow().state());
        assertEquals(1, cluster.state().claims().all().size());
        cluster.report(cluster.allocation("first"), ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
        cluster.schedule();
        assertEquals(ClaimState.GRANTED, claim("second").orElseThrow().state());
    }

    /** Messages showed an id that nobody had chosen. */
    @Test
    void aMessageNamesAVolume_withItsIdIfAnotherHasThatName() {
        made(spec("11112222-3333", "disk", "n1", "default", ALONE));
        VolumeId id = row("11112222-3333").id();
        assertEquals("disk", VolumeLabel.of(cluster.state(), id));
        made(spec("v2", "disk", "n2", "big", ALONE));
        assertEquals("disk (11112222)", VolumeLabel.of(cluster.state(), id));
        cluster.accept(new DeleteHostVolume(row("v2").id(), false));
        cluster.accept(new EndHostVolume(row("v2").id(), true));
        assertEquals("disk", VolumeLabel.of(cluster.state(), id));
        assertEquals("gone", VolumeLabel.of(cluster.state(), HostVolumeNames.volume("default", "gone")));
        assertEquals("csi", VolumeLabel.of(cluster.state(), Cluster.volumeId("csi")));
    }

    /** A node that is not heard may run it still. */
    @Test
    void aNodeThatIsDownFreesNothing_itsBootDoes() {
        made(spec("v1", "disk", "n1", "default", ALONE));
        cluster.run(job("web", ALONE, false));
        cluster.report(cluster.allocation("web"), ClientStatus.RUNNING, VolumeProgress.Phase.PUBLISHED);
        cluster.down("n1");
        cluster.schedule();
        assertEquals(
                List.of(ClaimState.RELEASING),
                cluster.state().claims().all().stream().map(ClaimRow::state).toList());
        assertTrue(cluster.refuse(new DeleteHostVolume(row("v1").id(), true)).contains("in use"));
    }

    @Test
    void aReaderIsInNobodysWay() {
        VolumeModes reader = new VolumeModes(AccessMode.SINGLE_NODE_READER_ONLY, AttachmentMode.FILE_SYSTEM);
        made(spec("v1", "disk", "n1", "default", ALONE, reader));
        cluster.run(job("writer", ALONE, false));
        cluster.run(job("reader", reader, true));
        assertEquals(ClaimState.GRANTED, claim("writer").orElseThrow().state());
        assertEquals(ClaimState.GRANTED, claim("reader").orElseThrow().state());
    }

    @Test
    void aVolumeInUseIsNotDeleted_oneThatIsNotGoesInTwoSteps() {
        HostVolumeRow volume = made(spec("v1", "disk", "n1", "default", MANY));
        cluster.run(job("web", MANY, false));
        String why = cluster.refuse(new DeleteHostVolume(volume.id(), false));
        assertTrue(
                why.contains(
                        "in use by allocations: " + cluster.allocation("web").id()),
                why);
        cluster.stop("web");
        cluster.report(cluster.allocation("web"), ClientStatus.COMPLETE, VolumeProgress.Phase.UNPUBLISHED);
        cluster.accept(new DeleteHostVolume(volume.id(), false));
        assertEquals(HostVolumeRow.State.UNAVAILABLE, state("v1"));
        // Its node said no.
        cluster.accept(new EndHostVolume(volume.id(), false));
        assertEquals(HostVolumeRow.State.READY, state("v1"));
        cluster.accept(new DeleteHostVolume(volume.id(), false));
        cluster.accept(new EndHostVolume(volume.id(), true));
        assertEquals(List.of(), List.copyOf(cluster.state().hostVolumes().from(HostVolumeRow.FIRST)));
        assertEquals("no such volume: v1", cluster.refuse(new DeleteHostVolume(volume.id(), false)));
    }

    @Test
    void whatIsFixedOfAVolumeStays_andItsCapabilitiesWhileItIsUsed() {
        made(spec("v1", "disk", "n1", "default", MANY));
        assertTrue(cluster.refuse(new PutHostVolume(spec("v1", "other", "", "", MANY), true, ""))
                .contains("name cannot be updated: it is \"disk\""));
        assertTrue(cluster.refuse(new PutHostVolume(spec("v1", "disk", "n2", "", MANY), true, ""))
                .contains("node ID cannot be updated"));
        assertTrue(cluster.refuse(new PutHostVolume(spec("v9", "disk", "", "", MANY), true, ""))
                .contains("no such volume: v9"));
        cluster.accept(new PutHostVolume(spec("v1", "disk", "", "", ALONE), true, ""));
        assertEquals(List.of(ALONE), row("v1").capabilities());
        assertEquals("n1", row("v1").spec().nodeId());
        cluster.run(job("web", ALONE, false));
        assertTrue(cluster.refuse(new PutHostVolume(spec("v1", "disk", "", "", MANY), true, ""))
                .contains("while it is in use"));
    }

    @Test
    void anUnknownNamespace_andServersThatDoNotReadIt_areRefused() {
        HostVolumeSpec elsewhere =
                new HostVolumeSpec("v1", "none", "disk", "mkdir", "", "", List.of(), List.of(MANY), 0, 0, Map.of());
        assertTrue(cluster.refuse(new PutHostVolume(elsewhere, false, "")).contains("nonexistent namespace"));
        cluster.level = Change.HOST_VOLUMES_LEVEL - 1;
        assertTrue(cluster.refuse(new PutHostVolume(spec("v1", "disk", "", "", MANY), false, ""))
                .contains("not every server reads host volumes yet"));
    }
}
