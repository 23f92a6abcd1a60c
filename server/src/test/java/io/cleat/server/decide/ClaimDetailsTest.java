package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.model.MountOptions;
import io.cleat.model.Ownership;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeModes;
import io.cleat.model.VolumeRequest;
import io.cleat.model.VolumeSpec;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What a claim is for, fixed when it is granted: whose volume, which modes, which options. */
final class ClaimDetailsTest {
    private static final VolumeModes MANY_READERS =
            new VolumeModes(AccessMode.MULTI_NODE_SINGLE_WRITER, AttachmentMode.FILE_SYSTEM);

    private final Cluster cluster = new Cluster();

    private static VolumeRequest perAlloc(String source) {
        return new VolumeRequest("data", source, false, Cluster.WRITER, MountOptions.NONE, true);
    }

    private static VolumeRequest with(String volume, VolumeModes modes, MountOptions options) {
        return new VolumeRequest(volume, volume, false, modes, options, false);
    }

    private static JobSpec job(String id, VolumeRequest... requests) {
        return Cluster.job(id, JobType.SERVICE, 1, requests);
    }

    private void volumeWith(String id, MountOptions options, VolumeModes... modes) {
        VolumeSpec spec = Cluster.volume(id, "ext-" + id, modes);
        cluster.accept(new RegisterVolume(
                new VolumeSpec(
                        spec.id(),
                        spec.name(),
                        spec.externalId(),
                        spec.pluginId(),
                        spec.capabilities(),
                        options,
                        0,
                        0,
                        Map.of(),
                        Map.of(),
                        TopologyRequest.NONE,
                        "",
                        ""),
                Encrypted.NONE,
                cluster.id()));
    }

    @Test
    void eachAllocationHasAVolumeOfItsOwn() {
        cluster.node("n1");
        cluster.volume("v[0]", Cluster.WRITER);
        cluster.volume("v[1]", Cluster.WRITER);
        cluster.run(Cluster.job("a", JobType.SERVICE, 3, perAlloc("v")));
        for (AllocationRow row : cluster.state().allocationsOfJob(Cluster.jobId("a"))) {
            assertEquals(
                    List.of("v[" + row.identity().index() + "]"),
                    cluster.state().claims().ofAllocation(row.id()).stream()
                            .map(claim -> claim.volume().id())
                            .toList());
        }
        assertEquals(2, cluster.state().allocationsOfJob(Cluster.jobId("a")).size());
        assertEquals(
                Map.of("missing CSI volume(s) v[2]", 1),
                Objects.requireNonNull(
                                cluster.onlyBlocked().outcome().failedGroups().get("g"))
                        .constraintFiltered());
        cluster.volume("v[2]", Cluster.WRITER);
        cluster.schedule();
        assertEquals(ClaimState.GRANTED, cluster.claims("v[2]").getFirst().state());
    }

    @Test
    void aReplacementTakesOverTheVolumeOfItsIndex() {
        cluster.node("n1");
        cluster.volume("v[0]", Cluster.WRITER);
        cluster.volume("v[1]", Cluster.WRITER);
        cluster.run(Cluster.job("a", JobType.SERVICE, 2, perAlloc("v")));
        AllocationRow second = cluster.state().allocationsOfJob(Cluster.jobId("a")).stream()
                .filter(row -> row.identity().index() == 1)
                .findFirst()
                .orElseThrow();
        cluster.accept(new StopAllocation(second.id(), false, cluster.id()));
        cluster.schedule();
        cluster.ends(second, ClientStatus.COMPLETE);
        ClaimRow claim = cluster.claims("v[1]").getFirst();
        assertEquals(ClaimState.GRANTED, claim.state());
        assertFalse(claim.allocId().equals(second.id()));
        assertEquals(1, cluster.claims("v[0]").size());
    }

    /** Options of the volume, of the request, and of the claim. */
    private record Merge(String what, MountOptions volume, MountOptions request, MountOptions is) {}

    @TestFactory
    Stream<DynamicTest> theRequestsMountOptionsWin() {
        MountOptions ext4 = new MountOptions("ext4", List.of("noatime"));
        return Stream.of(
                        new Merge("nothing said", ext4, MountOptions.NONE, ext4),
                        new Merge(
                                "flags",
                                ext4,
                                new MountOptions("", List.of("ro", "nodev")),
                                new MountOptions("ext4", List.of("ro", "nodev"))),
                        new Merge(
                                "file system",
                                ext4,
                                new MountOptions("xfs", List.of()),
                                new MountOptions("xfs", List.of("noatime"))),
                        new Merge(
                                "no flags",
                                ext4,
                                new MountOptions("", List.of(), true),
                                new MountOptions("ext4", List.of(), true)),
                        new Merge(
                                "whose it is, in part",
                                new MountOptions("ext4", List.of(), false, new Ownership(1L, 2L, 0700)),
                                new MountOptions("", List.of(), false, new Ownership(null, 0L, null)),
                                new MountOptions("ext4", List.of(), false, new Ownership(1L, 0L, 0700))),
                        new Merge("only the request", MountOptions.NONE, ext4, ext4))
                .map(merge -> DynamicTest.dynamicTest(merge.what(), () -> check(merge)));
    }

    private static void check(Merge merge) {
        ClaimDetailsTest test = new ClaimDetailsTest();
        test.cluster.node("n1");
        test.volumeWith("v", merge.volume(), Cluster.WRITER);
        test.cluster.run(job("a", with("v", Cluster.WRITER, merge.request())));
        assertEquals(merge.is(), test.cluster.claim("v", "a").mountOptions());
    }

    @Test
    void optionsNeverPrint() {
        cluster.node("n1");
        volumeWith("v", new MountOptions("ext4", List.of("password=hunter2")), Cluster.WRITER);
        cluster.run(job("a", with("v", Cluster.WRITER, new MountOptions("", List.of("credentials=hunter3")))));
        String all = cluster.claim("v", "a")
                + " "
                + cluster.state().volume(Cluster.volumeId("v"))
                + " "
                + cluster.state().job(Cluster.jobId("a"));
        assertFalse(all.contains("hunter"), all);
        assertTrue(all.contains("[REDACTED]"), all);
    }

    @Test
    void theModesOfTheFirstClaimGovernAndStay() {
        cluster.node("n1");
        cluster.volume("v", Cluster.SHARED, MANY_READERS);
        cluster.run(job("a", Cluster.request("v", Cluster.SHARED, false)));
        cluster.run(job("b", Cluster.request("v", MANY_READERS, false)));
        assertEquals(Cluster.SHARED, cluster.claim("v", "b").modes(), "two writers, as the first");
        cluster.stop("a");
        cluster.ends(cluster.allocation("a"), ClientStatus.COMPLETE);
        assertEquals(Cluster.SHARED, cluster.claim("v", "b").modes(), "fixed at its grant");
        cluster.run(job("c", Cluster.request("v", MANY_READERS, false)));
        assertEquals(Cluster.SHARED, cluster.claim("v", "c").modes());
        for (String job : List.of("b", "c")) {
            cluster.stop(job);
            cluster.ends(cluster.allocation(job), ClientStatus.COMPLETE);
        }
        cluster.run(job("d", Cluster.request("v", MANY_READERS, false)));
        assertEquals(MANY_READERS, cluster.claim("v", "d").modes(), "the first again");
    }

    @Test
    void severalVolumesAreClaimedAllOrNone() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.volume("w", Cluster.WRITER);
        cluster.run(job("a", Cluster.request("w", Cluster.WRITER, false)));
        cluster.run(job("b", Cluster.request("v", Cluster.WRITER, false), Cluster.request("w", Cluster.WRITER, false)));
        assertEquals(List.of(), cluster.claims("v"), "what is free is not held either");
        assertEquals(Cluster.jobId("b"), cluster.onlyBlocked().job());
        cluster.run(job("c", Cluster.request("v", Cluster.WRITER, false)));
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "c").state(), "others may have it");
        cluster.stop("c");
        cluster.ends(cluster.allocation("c"), ClientStatus.COMPLETE);
        cluster.stop("a");
        cluster.ends(cluster.allocation("a"), ClientStatus.COMPLETE);
        assertEquals(cluster.claim("v", "b").epoch(), cluster.claim("w", "b").epoch());
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "b").state());
    }

    @Test
    void oneVolumeUnderTwoNamesIsClaimedTwiceAndReleasedTogether() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        VolumeRequest write = Cluster.request("v", Cluster.WRITER, false);
        cluster.run(job("a", write, new VolumeRequest("again", "v", true, Cluster.WRITER, MountOptions.NONE, false)));
        assertEquals(2, cluster.claims("v").size());
        assertTrue(cluster.claims("v").stream().allMatch(c -> c.state() == ClaimState.GRANTED));
        cluster.run(job("b", write));
        assertEquals(Cluster.jobId("b"), cluster.onlyBlocked().job());
        cluster.stop("a");
        cluster.ends(cluster.allocation("a"), ClientStatus.COMPLETE);
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "b").state());
    }

    @Test
    void anUpdateInPlaceKeepsTheWritersClaim() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        AllocationRow before = cluster.allocation("a");
        ClaimRow claim = cluster.claim("v", "a");
        JobSpec text = cluster.state().job(Cluster.jobId("a")).orElseThrow().spec();
        cluster.run(new JobSpec(
                text.id(),
                text.name(),
                text.type(),
                text.region(),
                text.nodePool(),
                70,
                text.allAtOnce(),
                text.datacenters(),
                text.meta(),
                text.constraints(),
                text.groups()));
        AllocationRow after = cluster.allocation("a");
        assertEquals(before.id(), after.id());
        assertTrue(after.byVersion().jobNumber() > before.byVersion().jobNumber(), "by the new text");
        assertEquals(claim, cluster.claim("v", "a"), "not even touched");
        assertEquals(1, cluster.state().allocationsOfJob(Cluster.jobId("a")).size());
    }

    @Test
    void anotherModeOrOtherOptionsReplaceTheAllocation() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        cluster.runs("a");
        AllocationRow before = cluster.allocation("a");
        cluster.run(job("a", with("v", Cluster.WRITER, new MountOptions("", List.of("nodev")))));
        assertFalse(cluster.allocation("a").id().equals(before.id()));
        ClaimRow waiting = cluster.claim("v", "a");
        assertEquals(ClaimState.WAITING, waiting.state());
        cluster.ends(before, ClientStatus.COMPLETE);
        ClaimRow granted = cluster.claim("v", "a");
        assertEquals(ClaimState.GRANTED, granted.state());
        assertEquals(List.of("nodev"), granted.mountOptions().flags());
    }

    @Test
    void aReaderOfAWriterModeReadsAndCountsAsReader() {
        cluster.node("n1");
        cluster.volume("v", Cluster.WRITER);
        cluster.run(job("a", Cluster.request("v", Cluster.WRITER, true)));
        assertTrue(cluster.claim("v", "a").readOnly());
        cluster.run(job("b", Cluster.request("v", Cluster.WRITER, false)));
        assertEquals(ClaimState.GRANTED, cluster.claim("v", "b").state(), "readers block no writer");
        cluster.run(job("c", Cluster.request("v", Cluster.WRITER, true)));
        assertEquals(Cluster.jobId("c"), cluster.onlyBlocked().job(), "a writer blocks readers");
    }
}
