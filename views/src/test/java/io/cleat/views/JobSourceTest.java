package io.cleat.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Job;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.JobSubmission;
import io.cleat.api.Json;
import io.cleat.http.JobsApi;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.state.Change;
import io.cleat.state.JobRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a person wrote for a job: kept, bounded, shown. */
class JobSourceTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final WriteQuery WRITE = new WriteQuery("default", "");

    private static JobRegisterRequest register(Job job, @Nullable JobSubmission text) {
        return new JobRegisterRequest(false, 0, job, 0, "", false, false, false, "", text);
    }

    @Test
    void whatWasWrittenForAJobIsKeptUnlessItIsTooLarge() throws Exception {
        Town town = Town.whole();
        FakeWrites writes = new FakeWrites(town.state());
        JobsApi jobs = Town.cluster(new FixedImages(town.state()), writes).jobs();
        Job job =
                Json.fromTree(
                        Recording.of("28-register-job").request().get("body").get("Job"),
                        Job.class);
        JobSubmission text = new JobSubmission("job", "hcl2", Map.of("n", "1"), "");
        assertEquals("", jobs.register(WRITE, register(job, text)).body().Warnings());
        JobSubmission large =
                new JobSubmission("é".repeat(JobSource.MOST_BYTES / 2), "hcl2", Map.of(), "");
        String warning = jobs.register(WRITE, register(job, large)).body().Warnings();
        assertTrue(warning.contains("has 524292 bytes, and at most 524288 are kept"), warning);
        jobs.register(WRITE, register(job, null));
        assertEquals(
                List.of(
                        Optional.of(new JobSource("job", "hcl2", Map.of("n", "1"), "")),
                        Optional.empty(),
                        Optional.empty()),
                writes.sources);
    }

    @Test
    void whatWasWrittenForAJobIsShownByVersion() throws Exception {
        Town town = Town.whole();
        JobRow web = town.state().job(new JobId("default", "web")).orElseThrow();
        JobSource source = new JobSource("job", "hcl2", Map.of("n", "1"), "");
        town.apply(new Change.JobPut(new JobRow(web.spec(), 1, false, Town.AT, 0, 0, 0), source));
        JobsApi jobs = town.cluster().jobs();
        JobSubmission shown = new JobSubmission("job", "hcl2", Map.of("n", "1"), "");
        assertEquals(Optional.of(shown), jobs.submission(NOW, "web", OptionalLong.empty()).body());
        assertEquals(Optional.of(shown), jobs.submission(NOW, "web", OptionalLong.of(1)).body());
        assertEquals(Optional.empty(), jobs.submission(NOW, "web", OptionalLong.of(0)).body());
        assertEquals(Optional.empty(), jobs.submission(NOW, "other", OptionalLong.empty()).body());
    }
}
