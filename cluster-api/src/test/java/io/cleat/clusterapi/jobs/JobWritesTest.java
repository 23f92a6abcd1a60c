package io.cleat.clusterapi.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Job;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.Json;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.Recording;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.state.JobRow;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs on their way in. */
final class JobWritesTest {
    private static final WriteQuery WRITE = new WriteQuery("default", "r-1");

    @Test
    void aFaultyJobIsRefusedWithAllItsFaults() throws Exception {
        Job job = Json.read("{\"ID\":\"x y\",\"Type\":\"odd\"}", Job.class);
        Refused refused = assertThrows(
                Refused.class, () -> SampleCluster.start().cluster().jobWrites().register(WRITE, register(job)));
        String text = refused.refusal().message();
        assertTrue(text.startsWith("3 errors occurred:\n\t* "), text);
        assertTrue(text.contains("Job ID contains a space"), text);
    }

    @Test
    void aJobIsRegisteredInItsNamespaceUnderTheRequestsId() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        Job job = Json.fromTree(
                Recording.of("28-register-job").request().get("body").get("Job"), Job.class);
        try (Intake intake = Intake.over(sample.state())) {
            var answer =
                    intake.cluster().jobWrites().register(WRITE, register(job)).body();
            JobRow web = intake.state().job(new JobId("default", "web")).orElseThrow();
            assertEquals(
                    web.id(),
                    intake.state()
                            .evaluations()
                            .get(answer.EvalID())
                            .orElseThrow()
                            .job());
            assertEquals(intake.state().version(), answer.Index());
            assertEquals(web.jobModifyVersion(), answer.JobModifyIndex());
            assertTrue(intake.state().requests().get("r-1").isPresent());
            var again =
                    intake.cluster().jobWrites().register(WRITE, register(job)).body();
            assertEquals(answer.EvalID(), again.EvalID(), "done twice");
            var other = new JobRegisterRequest(true, 99, job, 0, "", false, false, false, "", null);
            assertThrows(
                    Refused.class, () -> intake.cluster().jobWrites().register(new WriteQuery("default", ""), other));
        }
    }

    @Test
    void anUnreadableJobFileIsMalformedWithItsPlace() throws Exception {
        Refused refused = assertThrows(
                Refused.class,
                () -> SampleCluster.start().cluster().jobDrafts().parse(new JobParseRequest(false, "job \"x\" {", "")));
        assertTrue(refused.refusal() instanceof Refusal.Malformed);
        assertTrue(
                refused.refusal().message().startsWith("Failed to parse job: input.hcl:1,"),
                refused.refusal().message());
    }

    @Test
    void anUnchangedJobPlansNothing() throws Exception {
        JsonNode shown;
        try (Intake intake = Intake.over(SampleCluster.whole().state())) {
            JobPlanRequest request =
                    Json.fromTree(Recording.of("27-plan").request().get("body"), JobPlanRequest.class);
            shown = Json.toTree(
                    intake.cluster().jobDrafts().plan(WRITE, "web", request).body());
        }
        assertEquals("None", shown.at("/Diff/Type").asString());
        assertEquals(1, shown.at("/Annotations/DesiredTGUpdates/g/Ignore").asInt());
        assertEquals(0, shown.at("/Annotations/DesiredTGUpdates/g/Place").asInt());
    }

    private static JobRegisterRequest register(Job job) {
        return new JobRegisterRequest(false, 0, job, 0, "", false, false, false, "", null);
    }
}
