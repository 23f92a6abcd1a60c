package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.KillTimeout;
import io.cleat.model.NodeFacts;
import io.cleat.model.PluginInstance;
import io.cleat.model.Topology;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeSpec;
import io.cleat.server.FactsDraft;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.Encrypted;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Why a node was left out, in the words that tools know, and what it is waited for. */
final class PlacementStringsTest {
    private static final VolumeModes READER =
            new VolumeModes(AccessMode.MULTI_NODE_READER_ONLY, AttachmentMode.FILE_SYSTEM);
    private static final VolumeModes ONE_READER =
            new VolumeModes(AccessMode.SINGLE_NODE_READER_ONLY, AttachmentMode.FILE_SYSTEM);

    private final Cluster cluster = new Cluster();

    private PluginInstance instance(String node, boolean healthy, long maxVolumes, @Nullable Topology from) {
        return new PluginInstance(
                Cluster.PLUGIN,
                "plugin-alloc-" + node,
                healthy,
                healthy ? "healthy" : "it hangs",
                "org.example",
                "1",
                false,
                from != null,
                Instant.EPOCH,
                null,
                new PluginInstance.Node("ext-" + node, maxVolumes, from, Set.of()));
    }

    /** No volume of its plugin can be used while it is as it is. */
    private static PluginInstance brokenController() {
        return new PluginInstance(
                Cluster.PLUGIN,
                "controller-alloc",
                false,
                "it hangs",
                "org.example",
                "1",
                true,
                false,
                Instant.EPOCH,
                new PluginInstance.Controller(Set.of(), false),
                null);
    }

    private void node(String id, boolean healthy, long maxVolumes, @Nullable Topology from) {
        cluster.register(cluster.facts(id, "boot-1", instance(id, healthy, maxVolumes, from)));
    }

    private static Topology zone(String name) {
        return new Topology(Map.of("zone", name));
    }

    private void volumeIn(String id, Topology... places) {
        VolumeSpec spec = Cluster.volume(id, "ext-" + id, Cluster.WRITER);
        cluster.accept(new RegisterVolume(
                new VolumeSpec(
                        spec.id(),
                        spec.name(),
                        spec.externalId(),
                        spec.pluginId(),
                        spec.capabilities(),
                        spec.mountOptions(),
                        0,
                        0,
                        Map.of(),
                        Map.of(),
                        new TopologyRequest(List.of(places), List.of()),
                        "",
                        ""),
                Encrypted.NONE,
                cluster.id()));
    }

    private static JobSpec writer(String job, String... volumes) {
        return Cluster.job(
                job,
                JobType.SERVICE,
                1,
                List.of(volumes).stream()
                        .map(volume -> Cluster.request(volume, Cluster.WRITER, false))
                        .toArray(io.cleat.model.VolumeRequest[]::new));
    }

    /** Runs the job, which finds no place; the reasons with their counts. */
    private Map<String, Integer> blocked(JobSpec job) {
        cluster.run(job);
        assertEquals(List.of(), cluster.state().allocationsOfJob(job.id()));
        return reasons();
    }

    private Map<String, Integer> reasons() {
        return new TreeMap<>(Objects.requireNonNull(
                        cluster.onlyBlocked().outcome().failedGroups().get("g"))
                .constraintFiltered());
    }

    private List<String> blockedOn() {
        EvaluationRow blocked = cluster.onlyBlocked();
        return blocked.waits().blockedOn().stream().map(id -> id.id()).toList();
    }

    @Test
    void volumesThatAreNotRegistered() {
        cluster.node("n1");
        cluster.volume("there", Cluster.WRITER);
        assertEquals(Map.of("missing CSI volume(s) also-no,no", 1), blocked(writer("a", "no", "there", "also-no")));
        assertEquals(List.of("also-no"), blockedOn());
        cluster.volume("no", Cluster.WRITER);
        cluster.volume("also-no", Cluster.WRITER);
        cluster.schedule();
        assertEquals(1, cluster.state().allocationsOfJob(Cluster.jobId("a")).size());
    }

    @Test
    void aNodeWithoutThePluginAndOneWithASickOne() {
        cluster.node("n0");
        cluster.volume("v", Cluster.WRITER);
        cluster.register(cluster.facts("n0", "boot-1"));
        cluster.register(cluster.facts("n1", "boot-1"));
        node("n2", false, 10, null);
        assertEquals(
                Map.of(
                        "CSI plugin local is missing from client n0", 1,
                        "CSI plugin local is missing from client n1", 1,
                        "CSI plugin local is unhealthy on client n2", 1),
                blocked(writer("a", "v")));
        assertTrue(cluster.onlyBlocked().waits().blockedOnAny(), "a plugin's health wakes it");
        node("n2", true, 10, null);
        cluster.schedule();
        assertEquals("n2", cluster.allocation("a").nodeId());
    }

    @Test
    void driversThatAreAbsent_areNamed() {
        NodeFacts facts = cluster.facts("n1", "boot-1");
        cluster.register(FactsDraft.of(facts).drivers(Map.of()).done());
        assertEquals(Map.of("missing drivers (raw_exec)", 1), blocked(Cluster.job("a", JobType.SERVICE, 1)));
        assertEquals(
                "a node that can take it (missing drivers (raw_exec))",
                Objects.requireNonNull(cluster.onlyBlocked().waits().blockedBy())
                        .holder());
    }

    /** It was placed, and killed after 30 s. */
    @Test
    void aTimeToStopThatNoNodeAdmits_isRefusedInWords() {
        NodeFacts facts = cluster.facts("n1", "boot-1");
        cluster.register(facts);
        JobSpec job = Cluster.stopping(Cluster.job("a", JobType.SERVICE, 1), Duration.ofMinutes(45));
        assertEquals(
                Map.of(
                        "kill_timeout of 45m0s is more than the 30s that the node admits (its agent's "
                                + "-max-kill-timeout)",
                        1),
                blocked(job));
        Map<String, String> attributes = new TreeMap<>(facts.attributes());
        KillTimeout.put(attributes, Duration.ofHours(1));
        cluster.register(FactsDraft.of(facts).attributes(attributes).done());
        cluster.schedule();
        assertEquals("n1", cluster.allocation("a").nodeId());
    }

    @Test
    void aSystemJobThatNoNodeTakes_saysWhyAndWaitsForNothing() {
        cluster.node("n0");
        cluster.volume("v", Cluster.WRITER);
        cluster.register(cluster.facts("n0", "boot-1"));
        JobSpec job = Cluster.job("a", JobType.SYSTEM, 1, Cluster.request("v", Cluster.WRITER, false));
        cluster.run(job);
        EvaluationRow done = cluster.state().evaluations().ofJob(job.id()).getFirst();
        assertEquals(EvaluationStatus.COMPLETE, done.status());
        assertEquals("no node takes group g (CSI plugin local is missing from client n0)", done.statusDescription());
        cluster.node("n0");
        cluster.schedule();
        assertEquals("n0", cluster.allocation("a").nodeId(), "the node's change places it");
    }

    @Test
    void aNodeThatIsFullOfVolumes() {
        node("n1", true, 1, null);
        cluster.volume("v", Cluster.WRITER);
        cluster.volume("w", Cluster.WRITER);
        cluster.run(writer("a", "v"));
        assertEquals(
                Map.of("CSI plugin local has the maximum number of volumes on client n1", 1),
                blocked(writer("b", "w")));
        cluster.stop("a");
        cluster.ends(cluster.allocation("a"), ClientStatus.COMPLETE);
        assertEquals("n1", cluster.allocation("b").nodeId());
    }

    /** Each of them alone would have had room. */
    @Test
    void aNodeWithoutRoomForAllVolumesOfOneAllocation() {
        node("n1", true, 1, null);
        cluster.volume("v", Cluster.WRITER);
        cluster.volume("w", Cluster.WRITER);
        assertEquals(
                Map.of("CSI plugin local has the maximum number of volumes on client n1", 1),
                blocked(writer("a", "v", "w")));
        node("n2", true, 2, null);
        cluster.schedule();
        assertEquals("n2", cluster.allocation("a").nodeId());
    }

    @Test
    void aVolumeThatIsThereAlreadyTakesNoMoreRoom() {
        node("n1", true, 1, null);
        cluster.volume("s", Cluster.SHARED);
        cluster.run(Cluster.job("a", JobType.SERVICE, 2, Cluster.request("s", Cluster.SHARED, false)));
        assertEquals(2, cluster.state().allocationsOfJob(Cluster.jobId("a")).size());
    }

    @Test
    void aPlaceThatDoesNotReachTheVolume() {
        node("n1", true, 10, null);
        node("n2", true, 10, zone("b"));
        volumeIn("v", zone("a"), new Topology(Map.of("zone", "c", "rack", "1")));
        assertEquals(Map.of("did not meet topology requirement", 2), blocked(writer("a", "v")));
        node("n3", true, 10, new Topology(Map.of("zone", "c", "rack", "1", "row", "7")));
        cluster.schedule();
        assertEquals("n3", cluster.allocation("a").nodeId(), "a part of the node's segments");
        node("n4", true, 10, new Topology(Map.of("zone", "c")));
        volumeIn("w", new Topology(Map.of("zone", "c", "rack", "2")));
        assertEquals(Map.of("did not meet topology requirement", 4), blocked(writer("b", "w")));
    }

    @Test
    void aVolumeWithoutTopologyIsReachedFromEverywhere() {
        node("n1", true, 10, zone("b"));
        cluster.volume("v", Cluster.WRITER);
        cluster.run(writer("a", "v"));
        assertEquals("n1", cluster.allocation("a").nodeId());
    }

    @Test
    void aVolumeThatCannotBeScheduled() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER, READER);
        cluster.register(cluster.facts("n1", "boot-1", instance("n1", true, 10, null), brokenController()));
        assertEquals(Map.of("CSI volume v is unschedulable or is read-only", 1), blocked(writer("a", "v")));
        cluster.stop("a");
        assertEquals(
                Map.of("CSI volume v is unschedulable or has exhausted its available reader claims", 1),
                blocked(Cluster.job("b", JobType.SERVICE, 1, Cluster.request("v", READER, true))));
    }

    /** Makes something true that no command does. */
    private void apply(Change change) {
        cluster.accept((Command<String>) (newest, context) -> new Decision.Accept<>(List.of(change), "done"));
    }

    @Test
    void writingWhereOnlyReadersAre() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER, READER);
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, Cluster.request("v", READER, true)));
        assertEquals(Map.of("CSI volume v is unschedulable or is read-only", 1), blocked(writer("b", "v")));
        assertEquals(List.of("v"), blockedOn());
    }

    @Test
    void readingWhereTheOnlyReaderIs() {
        cluster.node("n1");
        cluster.volume("v", ONE_READER);
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, Cluster.request("v", ONE_READER, true)));
        assertEquals(
                Map.of("CSI volume v is unschedulable or has exhausted its available reader claims", 1),
                blocked(Cluster.job("b", JobType.SERVICE, 1, Cluster.request("v", ONE_READER, true))));
        assertEquals(List.of("v"), blockedOn());
    }

    @Test
    void writingWhereTheWriterIs() {
        cluster.node("n1");
        cluster.node("n2");
        cluster.volume("v", Cluster.WRITER);
        cluster.run(writer("a", "v"));
        assertEquals(Map.of("CSI volume v has exhausted its available writer claims", 2), blocked(writer("b", "v")));
    }

    @Test
    void theWriterIsAnAllocationThatNobodyKnowsAnyMore() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.run(writer("a", "v"));
        AllocationRow gone = cluster.allocation("a");
        cluster.stop("a");
        apply(new Change.AllocationRemoved(gone.id()));
        assertEquals(
                Map.of(
                        "CSI volume v has exhausted its available writer claims and is claimed by a"
                                + " garbage collected allocation "
                                + gone.id()
                                + "; waiting for claim to be released",
                        1),
                blocked(writer("b", "v")));
    }

    @Test
    void theWriterOfTheSameJobFiltersNothing() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.run(writer("a", "v"));
        cluster.run(
                Cluster.job("a", JobType.SERVICE, 1, null, "/bin/other", Cluster.request("v", Cluster.WRITER, false)));
        assertEquals(2, cluster.state().allocationsOfJob(Cluster.jobId("a")).size());
        assertEquals(2, cluster.claims("v").size());
    }

    @Test
    void anotherAttachmentModeThanThatOfTheClaim() {
        VolumeModes block = new VolumeModes(AccessMode.MULTI_NODE_MULTI_WRITER, AttachmentMode.BLOCK_DEVICE);
        cluster.node("n1");
        cluster.volume("v", Cluster.SHARED, block);
        cluster.run(Cluster.job("a", JobType.SERVICE, 1, Cluster.request("v", Cluster.SHARED, false)));
        Map<String, Integer> why = blocked(Cluster.job("b", JobType.SERVICE, 1, Cluster.request("v", block, false)));
        String words = why.keySet().iterator().next();
        assertTrue(words.endsWith("cannot change attachment mode of claimed volume"), words);
        assertEquals(List.of("v"), blockedOn());
    }

    /** The order in which a node's lacks are told: plugin, its health, its room, place, claims. */
    @Test
    void onlyTheFirstLackIsTold() {
        node("n1", true, 10, zone("a"));
        volumeIn("v", zone("a"));
        cluster.run(writer("a", "v"));
        node("n2", false, 0, zone("b"));
        node("n3", true, 0, zone("b"));
        node("n4", true, 10, zone("b"));
        assertEquals(
                Map.of(
                        "CSI volume v has exhausted its available writer claims", 1,
                        "CSI plugin local is unhealthy on client n2", 1,
                        "CSI plugin local has the maximum number of volumes on client n3", 1,
                        "did not meet topology requirement", 1),
                blocked(writer("b", "v")));
    }
}
