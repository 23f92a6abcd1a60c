package io.cleat.clusterapi.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CsiSnapshotRequest;
import io.cleat.api.CsiSnapshotResponse;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.ExternalVolume;
import io.cleat.api.ExternalVolumeResponse;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.Json;
import io.cleat.base.Deadline;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.SystemTime;
import io.cleat.clusterapi.Recording;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServingSample;
import io.cleat.clusterapi.jobs.JobWrites;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import io.cleat.state.ClusterState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is written of volumes, through a whole server and a plugin that answers. */
final class VolumeWritesTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final WriteQuery WRITE = new WriteQuery("default", "r-1");
    private static final WriteQuery ONCE = new WriteQuery("default", "");

    private ServingSample sample;
    private VolumeAnswers volumes;
    private SnapshotAnswers snapshots;

    @BeforeEach
    void serve() throws Exception {
        sample = new ServingSample(SampleCluster.whole());
        volumes = sample.cluster().volumes();
        snapshots = sample.cluster().snapshots();
    }

    @AfterEach
    void close() {
        sample.close();
    }

    private static VolumeId id(String id) {
        return new VolumeId("default", id);
    }

    @Test
    void snapshotsAreShownAsTheReferenceShowsThem() throws Exception {
        CsiSnapshotRequest one =
                Json.read("{\"Snapshots\":[{\"SourceVolumeID\":\"v1\",\"Name\":\"s\"}]}", CsiSnapshotRequest.class);
        assertEquals(
                "{\"CreateTime\":0,\"ExternalSourceVolumeID\":\"x1\",\"ID\":\"snap-s\","
                        + "\"IsReady\":true,\"Name\":\"\",\"Parameters\":null,\"PluginID\":\"\","
                        + "\"Secrets\":null,\"SizeBytes\":20971520,\"SourceVolumeID\":\"\"}",
                Json.toTree(snapshots.create(WRITE, one).body())
                        .at("/Snapshots/0")
                        .toString());
        CsiSnapshotRequest two = Json.read(
                "{\"Snapshots\":[{\"SourceVolumeID\":\"v1\",\"Name\":\"bad\"},"
                        + "{\"SourceVolumeID\":\"v1\",\"Name\":\"\"}]}",
                CsiSnapshotRequest.class);
        String words = assertThrows(Refused.class, () -> snapshots.create(ONCE, two))
                .refusal()
                .message();
        assertTrue(words.contains("no room for bad"), words);
        assertTrue(words.contains("missing snapshot name"), words);
        CsiSnapshotResponse page = snapshots.list("hp", 1, "", Secrets.none());
        assertEquals("next", page.NextToken());
        assertEquals("hp", Objects.requireNonNull(page.Snapshots()).getFirst().PluginID());
        assertTrue(snapshots.delete(ONCE, "hp", "s1", Secrets.none()).index() > 0);
    }

    @Test
    void eachOfSeveralVolumesHasAnOutcomeOfItsOwn() throws Exception {
        Refused refused = assertThrows(Refused.class, () -> volumes.create(WRITE, request("bad1", "v3", "bad2", "v2")));
        assertEquals(
                "2 errors occurred:\n\t* volume bad1: controller create volume: no room for bad1\n"
                        + "\t* volume bad2: controller create volume: no room for bad2\ndone: volume v3, volume v2",
                refused.refusal().message());
        assertTrue(sample.state().volume(id("v2")).isPresent());
        assertEquals(
                "controller create volume: no room for bad1",
                assertThrows(Refused.class, () -> volumes.create(ONCE, request("bad1")))
                        .refusal()
                        .message(),
                "one alone is refused in its own words");
    }

    @Test
    void aVolumeIsCreatedOnceForEachRequestId_thenDeleted() throws Exception {
        long made = volumes.create(WRITE, request("a")).body().Index();
        assertEquals(
                "made-a", sample.state().volume(id("a")).orElseThrow().spec().externalId());
        assertEquals(made, volumes.create(WRITE, request("a")).body().Index());
        volumes.delete(ONCE, "a", Secrets.none());
        assertTrue(sample.state().volume(id("a")).isEmpty());
        assertThrows(Refused.class, () -> volumes.detach(ONCE, "a", SampleCluster.NODE, false, ""));
    }

    @Test
    void aRegisteredVolumeIsAnsweredAsItIsShown_withoutItsSecrets() throws Exception {
        var answer = volumes.register(WRITE, request("v9")).body();
        CsiVolume shown = answer.Volumes().getFirst();
        assertEquals("v9", shown.ID());
        assertEquals(Json.text(volumes.get(NOW, "v9").body().orElseThrow()), Json.text(shown));
        assertFalse(Json.text(answer).contains(SampleCluster.SECRET), () -> Json.text(answer));
        assertEquals(
                "{\"k\":\"" + SampleCluster.SECRET + "\"}",
                sample.state().volume(id("v9")).orElseThrow().secrets().ciphertext());
        volumes.deregister(ONCE, "v9", false);
        assertTrue(sample.state().volume(id("v9")).isEmpty());
    }

    @Test
    void thePluginsOwnListIsHandedOnAsItIs() throws Exception {
        ExternalVolumeResponse listed = volumes.external(NOW, "hp", 30, "page-2");
        assertEquals("more", listed.NextToken());
        ExternalVolume entry = Objects.requireNonNull(listed.Volumes()).getFirst();
        assertEquals("seen page-2/30", entry.ExternalID());
        assertEquals("worn out", entry.Status());
    }

    @Test
    void collectingGarbageTakesWhatHasEndedAndKeepsRepliesAndWhatIsWanted() throws Exception {
        volumes.create(WRITE, request("wanted"));
        JobWrites jobs = sample.cluster().jobWrites();
        jobs.register(
                new WriteQuery("default", "kept"),
                Json.fromTree(Recording.of("59-second-writer-plan").request().get("body"), JobRegisterRequest.class));
        jobs.deregister(ONCE, "web2", false, false, false, 0);
        JobId web2 = new JobId("default", "web2");
        Deadline deadline = Deadline.in(new SystemTime(), Duration.ofSeconds(30));
        while (sample.state().job(web2).isPresent()) {
            assertFalse(deadline.isExpired(), "the job is not collected");
            sample.cluster().operator().collectGarbage(ONCE);
        }
        ClusterState image = sample.state();
        assertEquals(List.of(), image.evaluations().ofJob(web2));
        assertTrue(image.requests().get("kept").isPresent());
        assertTrue(image.volume(id("wanted")).isPresent());
    }

    private static CsiVolumeRequest request(String... ids) throws Refused {
        List<String> all = new ArrayList<>();
        for (String id : ids) {
            all.add(
                    "{\"ID\":\""
                            + id
                            + "\",\"Name\":\""
                            + id
                            + "\",\"ExternalID\":\"e\",\"PluginID\":\"hp\",\"Secrets\":{\"k\":\""
                            + SampleCluster.SECRET
                            + "\"},\"RequestedCapabilities\":[{\"AccessMode\":\"single-node-writer\",\"AttachmentMode\":\"file-system\"}]}");
        }
        return Json.read("{\"Volumes\":[" + String.join(",", all) + "]}", CsiVolumeRequest.class);
    }
}
