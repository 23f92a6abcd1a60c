package io.cleat.clusterapi.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.Rows;
import io.cleat.api.VolumeOperation;
import io.cleat.clusterapi.PendingCalls;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.model.BlockedBy;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClaimState;
import io.cleat.state.Encrypted;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeRow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lists of volumes, and of calls about them. */
final class VolumeAnswersTest {
    private static final ReadQuery NOW = ReadQuery.now("default");

    private static final ListQuery ALL = ListQuery.all("default");

    /** They were in no list; a snapshot's deletion could be seen nowhere. */
    @Test
    void callsThatAreNotSettled_areListed_aSnapshotsDeletionToo() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        sample.apply(
                PendingCalls.creating(sample, OperationState.SENT),
                PendingCalls.operation(
                        "op-2", new OperationCall.DeleteSnapshot("snap-1", Encrypted.NONE), OperationState.UNKNOWN));
        VolumeAnswers volumes = sample.cluster().volumes();
        List<VolumeOperation> all = volumes.operations(NOW, "").body();
        assertEquals(
                List.of("CreateVolume v9", "DeleteSnapshot snap-1"),
                all.stream()
                        .map(one -> one.Call() + " " + one.VolumeID() + one.SnapshotID())
                        .toList());
        assertEquals("Internal: no", all.getFirst().Words());
        assertEquals("sent", all.getFirst().State());
        assertEquals("op-2", volumes.operations(NOW, "snap-1").body().getFirst().ID());
        assertEquals(
                "call DeleteSnapshot (unknown, tries 4)",
                volumes.why(NOW, "snap-1")
                        .body()
                        .orElseThrow()
                        .Waiting()
                        .getFirst()
                        .What());
    }

    @Test
    void aReleasingClaimStillCounts() throws Exception {
        BlockedBy wait = new BlockedBy("unpublish", "node vm", SampleCluster.AT, null, "when it reports");
        SampleCluster sample = SampleCluster.whole()
                .apply(new Change.ClaimPut(
                        SampleCluster.claim(SampleCluster.CLAIM, false, ClaimState.RELEASING, 9, wait)));
        CsiVolume volume = SampleCluster.shown(sample.cluster(), "v1");
        assertEquals("single-node-writer", volume.AccessMode());
        assertTrue(volume.WriteAllocs().containsKey(SampleCluster.WEB_ALLOC));
        sample.apply(new Change.ClaimRemoved(SampleCluster.CLAIM));
        CsiVolume free = SampleCluster.shown(sample.cluster(), "v1");
        assertEquals("", free.AccessMode());
        assertEquals("", free.AttachmentMode());
        assertEquals(Map.of(), free.WriteAllocs());
    }

    @Test
    void pagesFollowEachOtherBothWays() throws Exception {
        SampleCluster sample = SampleCluster.start().node().plugin().volume();
        VolumeRow row = sample.state().volume(SampleCluster.VOLUME).orElseThrow();
        for (String id : List.of("v2", "v3", "w1")) {
            sample.apply(new Change.VolumePut(SampleCluster.renamed(row, id)));
        }
        ServerCluster cluster = sample.cluster();
        var first = cluster.volumes().list(page("v", 2, "", false), "", "");
        assertEquals(List.of("v1", "v2"), ids(first.body()));
        assertEquals("default.v3", first.meta().nextToken());
        var second = cluster.volumes().list(page("v", 2, "default.v3", false), "hp", "");
        assertEquals(List.of("v3"), ids(second.body()));
        assertEquals("", second.meta().nextToken());
        var back = cluster.volumes().list(page("", 2, "default.v3", true), "", "");
        assertEquals(List.of("v3", "v2"), ids(back.body()));
        assertEquals("default.v1", back.meta().nextToken());
        assertEquals(
                List.of("v3", "v2", "v1"),
                ids(cluster.volumes().list(page("v", 0, "", true), "", "").body()));
        assertEquals(
                List.of("v2", "v1"),
                ids(cluster.volumes()
                        .list(page("v", 0, "default.v2", true), "hp", "")
                        .body()));
        assertEquals(
                List.of("v1", "v2", "v3", "w1"),
                ids(cluster.volumes().list(ListQuery.all("*"), "", "").body()));
        assertEquals(
                List.of(),
                ids(cluster.volumes().list(ListQuery.all("other"), "", "").body()));
    }

    @Test
    void aNodesVolumesAreThoseItsAllocationsName() throws Exception {
        ServerCluster cluster = SampleCluster.whole().cluster();
        assertEquals(
                List.of("v1"),
                ids(cluster.volumes().list(ALL, "", SampleCluster.NODE).body()));
        assertEquals(
                List.of("v1"),
                ids(cluster.volumes().list(ALL, "hp", SampleCluster.NODE).body()));
        assertEquals(
                List.of(),
                ids(cluster.volumes().list(ALL, "other", SampleCluster.NODE).body()));
        assertEquals(
                List.of("v1"),
                ids(cluster.volumes()
                        .list(page("v", 1, "", true), "", SampleCluster.NODE)
                        .body()));
        assertEquals(
                List.of(),
                ids(cluster.volumes()
                        .list(page("v", 1, "default.v2", false), "", SampleCluster.NODE)
                        .body()));
        assertEquals(List.of(), ids(cluster.volumes().list(ALL, "", "other").body()));
    }

    /** A node that was down had none, and its volumes could be had nowhere else. */
    @Test
    void aNodesVolumesAreThoseItStillHolds() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        AllocationRow web = sample.state().allocation(SampleCluster.WEB_ALLOC).orElseThrow();
        sample.apply(new Change.AllocationPut(web.desired(DesiredStatus.STOP, "alloc is lost since its node is down")
                .status(ClientStatus.LOST, "node down")));
        ServerCluster cluster = sample.cluster();
        assertEquals(
                List.of("v1"),
                ids(cluster.volumes().list(ALL, "", SampleCluster.NODE).body()));
        sample.apply(new Change.ClaimRemoved(SampleCluster.CLAIM));
        assertEquals(
                List.of(),
                ids(sample.cluster().volumes().list(ALL, "", SampleCluster.NODE).body()));
    }

    private static ListQuery page(String prefix, int size, String token, boolean reverse) {
        return new ListQuery(NOW, prefix, Filter.ALL, size, token, reverse);
    }

    private static List<String> ids(Rows<CsiVolumeStub> stubs) {
        return stubs.toList().stream().map(CsiVolumeStub::ID).toList();
    }
}
