package io.cleat.clusterapi.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Job;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.JobSubmission;
import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.Recording;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.state.Change;
import io.cleat.state.JobRow;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** What a person wrote for a job: kept, bounded, shown. */
class JobSourceTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final WriteQuery WRITE = new WriteQuery("default", "");

    private static JobRegisterRequest register(Job job, @Nullable JobSubmission text) {
        return new JobRegisterRequest(false, 0, job, 0, "", false, false, false, "", text);
    }

    @Test
    void whatWasWrittenForAJobIsKeptUnlessItIsTooLarge() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        try (Intake intake = Intake.over(sample.state())) {
            keeps(intake);
        }
    }

    private static void keeps(Intake intake) throws Exception {
        JobWrites jobs = intake.cluster().jobWrites();
        JobSubmission text = new JobSubmission("job", "hcl2", Map.of("n", "1"), "");
        assertEquals("", jobs.register(WRITE, register(job(51), text)).body().Warnings());
        assertEquals(Optional.of(new JobSource("job", "hcl2", Map.of("n", "1"), "")), kept(intake));
        JobSubmission large = new JobSubmission("é".repeat(JobSource.MOST_BYTES / 2), "hcl2", Map.of(), "");
        String warning = jobs.register(WRITE, register(job(52), large)).body().Warnings();
        assertTrue(warning.contains("has 524292 bytes, and at most 524288 are kept"), warning);
        assertEquals(Optional.empty(), kept(intake));
        jobs.register(WRITE, register(job(53), null));
        assertEquals(Optional.empty(), kept(intake));
    }

    /** Of the same id, and otherwise another one for each priority. */
    private static Job job(int priority) throws Refused {
        ObjectNode job = (ObjectNode)
                Recording.of("28-register-job").request().get("body").get("Job");
        return Json.fromTree(job.put("Priority", priority), Job.class);
    }

    /** With the newest version of the job. */
    private static Optional<JobSource> kept(Intake intake) {
        JobRow web = intake.state().job(new JobId("default", "web")).orElseThrow();
        return Optional.ofNullable(intake.state().versionsOf(web).getLast().source());
    }

    @Test
    void whatWasWrittenForAJobIsShownByVersion() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        JobRow web = sample.state().job(new JobId("default", "web")).orElseThrow();
        JobSource source = new JobSource("job", "hcl2", Map.of("n", "1"), "");
        sample.apply(new Change.JobPut(new JobRow(web.spec(), 1, false, SampleCluster.AT, 0, 0, 0), source));
        JobVersions jobs = sample.cluster().jobVersions();
        JobSubmission shown = new JobSubmission("job", "hcl2", Map.of("n", "1"), "");
        assertEquals(
                Optional.of(shown),
                jobs.submission(NOW, "web", OptionalLong.empty()).body());
        assertEquals(
                Optional.of(shown),
                jobs.submission(NOW, "web", OptionalLong.of(1)).body());
        assertEquals(
                Optional.empty(),
                jobs.submission(NOW, "web", OptionalLong.of(0)).body());
        assertEquals(
                Optional.empty(),
                jobs.submission(NOW, "other", OptionalLong.empty()).body());
    }
}
