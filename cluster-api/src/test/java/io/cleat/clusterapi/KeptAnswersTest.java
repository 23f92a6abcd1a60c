package io.cleat.clusterapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.cleat.api.Json;
import io.cleat.http.ReadQuery;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.JobTag;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionId;
import io.cleat.state.NodeRow;
import io.cleat.state.VolumeRow;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is kept of an answer is what would be made anew, whatever has changed since. */
final class KeptAnswersTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final JobId WEB = new JobId("default", "web");

    private final SampleCluster sample;
    private final FixedImages images;
    private final ServerCluster cluster;

    KeptAnswersTest() throws Exception {
        sample = SampleCluster.whole();
        images = new FixedImages(sample.state());
        cluster = SampleCluster.cluster(images, Intake.idle());
    }

    private static String allocation(ServerCluster of) throws Exception {
        return Json.text(
                of.allocations().get(NOW, SampleCluster.WEB_ALLOC).body().orElseThrow());
    }

    private static String job(ServerCluster of) throws Exception {
        return Json.text(of.jobs().get(NOW, "web").body().orElseThrow());
    }

    /** Changes the image, and looks twice at what changed with it. */
    private void apply(boolean isSeenInJob, Change change) throws Exception {
        String allocation = allocation(cluster);
        String job = job(cluster);
        images.show(sample.apply(change).state());
        assertNotEquals(allocation, allocation(cluster), change::toString);
        assertEquals(isSeenInJob, !job.equals(job(cluster)), change::toString);
        for (int i = 0; i < 2; i++) {
            assertEquals(allocation(sample.cluster()), allocation(cluster), change::toString);
            assertEquals(job(sample.cluster()), job(cluster), change::toString);
        }
    }

    private static String volume(ServerCluster of) throws Exception {
        return Json.text(of.volumes().get(NOW, "v1").body().orElseThrow());
    }

    /** Changes the image, and looks twice at a volume. */
    private void applyBesideVolume(boolean isSeen, Change change) throws Exception {
        String before = volume(cluster);
        images.show(sample.apply(change).state());
        assertEquals(isSeen, !before.equals(volume(cluster)), change::toString);
        for (int i = 0; i < 2; i++) {
            assertEquals(volume(sample.cluster()), volume(cluster), change::toString);
        }
    }

    private AllocationRow row() {
        return sample.state().allocation(SampleCluster.WEB_ALLOC).orElseThrow();
    }

    @Test
    void anAllocationAndItsJob_areShownAsTheyAreNow() throws Exception {
        JobRow job = sample.state().job(WEB).orElseThrow();
        JobVersionId version = job.current();
        apply(true, new Change.JobMarkedStable(version, true));
        apply(true, new Change.JobTagged(version, new JobTag("good", "as it was on Friday", Instant.EPOCH)));
        apply(false, new Change.AllocationPut(row().desired(DesiredStatus.RUN, "as it was")));
        apply(true, new Change.AllocationPut(row().status(ClientStatus.COMPLETE, "done")));
        apply(true, new Change.JobStopped(WEB));
        apply(true, new Change.JobPut(job, null));
    }

    @Test
    void aVolume_isShownAsItAndItsUsersAreNow() throws Exception {
        NodeRow node = sample.state().node(SampleCluster.NODE).orElseThrow();
        VolumeRow volume = sample.state().volume(SampleCluster.VOLUME).orElseThrow();
        applyBesideVolume(true, new Change.AllocationPut(row().status(ClientStatus.FAILED, "its program ended")));
        applyBesideVolume(true, new Change.AllocationPut(row().desired(DesiredStatus.STOP, "as somebody asked")));
        applyBesideVolume(true, new Change.NodePut(SampleCluster.nodeRow(SampleCluster.NODE, List.of())));
        applyBesideVolume(true, new Change.NodePut(node));
        applyBesideVolume(false, new Change.VolumePut(SampleCluster.renamed(volume, "another")));
        applyBesideVolume(true, new Change.VolumePut(volume));
        applyBesideVolume(true, new Change.ClaimRemoved(SampleCluster.CLAIM));
    }
}
