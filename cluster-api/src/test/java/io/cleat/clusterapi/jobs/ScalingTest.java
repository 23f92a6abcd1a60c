package io.cleat.clusterapi.jobs;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.JobScaleStatus;
import io.cleat.api.Json;
import io.cleat.api.RawJson;
import io.cleat.api.ScalingEvent;
import io.cleat.api.ScalingPolicy;
import io.cleat.api.ScalingPolicyStub;
import io.cleat.api.ScalingRequest;
import io.cleat.base.Refused;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.state.Change;
import io.cleat.state.ScaleEvent;
import io.cleat.state.ScaleEventsId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScalingTest {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final WriteQuery WRITE = new WriteQuery("default", "");

    private static ScalingRequest request(Long count, String group) {
        return new ScalingRequest(count, false, "", null, false, Map.of("Group", group));
    }

    private static JobScaleStatus.Group group(JobScaleStatus status) {
        return Objects.requireNonNull(
                Objects.requireNonNull(status.TaskGroups()).get("g"));
    }

    private static String refused(String job, ScalingRequest request) {
        return assertThrows(
                        Refused.class,
                        () -> SampleCluster.whole().cluster().jobWrites().scale(WRITE, job, request))
                .refusal()
                .message();
    }

    @Test
    void whatAJobHasAndIsToHave() throws Exception {
        JobScaleStatus status = SampleCluster.whole()
                .cluster()
                .jobs()
                .scaleStatus(NOW, "web")
                .body()
                .orElseThrow();
        assertEquals("web", status.JobID());
        assertEquals(Map.of("g", new JobScaleStatus.Group(1, null, 0, 1, 1, 0)), status.TaskGroups());
        assertTrue(SampleCluster.whole()
                .cluster()
                .jobs()
                .scaleStatus(NOW, "no")
                .body()
                .isEmpty());
    }

    @Test
    void aCountIsStored() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        try (Intake intake = Intake.over(sample.state())) {
            JobAnswers jobs = intake.cluster().jobs();
            JobWrites writes = intake.cluster().jobWrites();
            long version = writes.scale(WRITE, "web", request(0L, "g")).body().JobModifyIndex();
            JobScaleStatus status = jobs.scaleStatus(NOW, "web").body().orElseThrow();
            assertEquals(version, status.JobModifyIndex());
            assertEquals(0, group(status).Desired());
        }
    }

    /** Each would write the same volume. */
    @Test
    void aCountThatItsVolumesDoNotAllow_isRefusedAsWhenItIsRegistered() {
        String refused = refused("web", request(2L, "g"));
        assertTrue(refused.contains("allows only one writer"), refused);
    }

    @Test
    void whatIsOnlySaid_isKeptWithoutACount() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        RawJson meta = Json.read("{\"tries\":3}", RawJson.class);
        try (Intake intake = Intake.over(sample.state())) {
            JobAnswers jobs = intake.cluster().jobs();
            JobWrites writes = intake.cluster().jobWrites();
            writes.scale(WRITE, "web", new ScalingRequest(null, true, "no metrics", meta, false, Map.of("Group", "g")));
            JobScaleStatus.Group group =
                    group(jobs.scaleStatus(NOW, "web").body().orElseThrow());
            assertEquals(1, group.Desired());
            ScalingEvent said = Objects.requireNonNull(group.Events()).getFirst();
            assertTrue(said.Error());
            assertEquals("no metrics", said.Message());
            assertEquals("{\"tries\":3}", Json.text(said.Meta()));
        }
    }

    @Test
    void whatIsSaidIsBounded_andIsNoFaultWithACount() {
        Map<String, String> g = Map.of("Group", "g");
        String both = refused("web", new ScalingRequest(1L, true, "m", null, false, g));
        assertTrue(both.contains("should not contain count if error is true"), both);
        String message = refused("web", new ScalingRequest(null, false, "x".repeat(1025), null, false, g));
        assertTrue(message.contains("at most 1024 are kept"), message);
        String meta = refused(
                "web",
                new ScalingRequest(null, false, "", new RawJson(Json.toTree(Map.of("a", "x".repeat(5000)))), false, g));
        assertTrue(meta.contains("at most 4096 are kept"), meta);
        String list =
                refused("web", new ScalingRequest(null, false, "", new RawJson(Json.toTree(List.of(1))), false, g));
        assertTrue(list.contains("Meta must be an object"), list);
    }

    private static SampleCluster bounded() throws Exception {
        SampleCluster sample = SampleCluster.start();
        JobSpec spec = SampleCluster.recordedJob("28-register-job");
        sample.apply(new Change.JobPut(SampleCluster.jobRow(spec.withGroups(List.of(
                spec.groups().getFirst().scaling(new io.cleat.model.Scaling(true, 1, 4, Map.of("cooldown", "1m"))))))));
        return sample;
    }

    @Test
    void policiesAreListed_byJobAndType_andShownWhole() throws Exception {
        ScalingAnswers scaling = bounded().cluster().scaling();
        List<ScalingPolicyStub> all = scaling.policies(NOW, "", "").body().toList();
        assertEquals(1, all.size());
        ScalingPolicyStub one = all.getFirst();
        assertEquals(Map.of("Namespace", "default", "Job", "web", "Group", "g"), one.Target());
        assertEquals("horizontal", one.Type());
        assertEquals(all, scaling.policies(NOW, "web", "horizontal").body().toList());
        assertEquals(List.of(), scaling.policies(NOW, "other", "").body().toList());
        assertEquals(List.of(), scaling.policies(NOW, "", "vertical").body().toList());
        ScalingPolicy whole = scaling.policy(NOW, one.ID()).body().orElseThrow();
        assertEquals(1, whole.Min());
        assertEquals(4, whole.Max());
        assertEquals("{\"cooldown\":\"1m\"}", Json.text(whole.Policy()));
        assertTrue(scaling.policy(NOW, "other").body().isEmpty());
    }

    @Test
    void aCountOutsideItsPolicy_isRefused() throws Exception {
        JobWrites jobs = bounded().cluster().jobWrites();
        for (long count : List.of(0L, 5L)) {
            String refused = assertThrows(Refused.class, () -> jobs.scale(WRITE, "web", request(count, "g")))
                    .refusal()
                    .message();
            assertTrue(
                    refused.contains(
                            count == 0
                                    ? "less than scaling policy minimum: 0 < 1"
                                    : "greater than scaling policy maximum: 5 > 4"),
                    refused);
        }
    }

    @Test
    void eventsAreShown_newestFirst() throws Exception {
        SampleCluster sample = bounded();
        ScaleEventsId id = new ScaleEventsId(new JobId("default", "web"), "g");
        Instant at = Instant.EPOCH.plusSeconds(7);
        sample.apply(new Change.ScaleEventAdded(id, new ScaleEvent(at, 2, 1, false, "more", Map.of(), "e1", 0)));
        sample.apply(new Change.ScaleEventAdded(id, new ScaleEvent(at, null, 2, true, "why", Map.of("a", 1L), "", 0)));
        JobScaleStatus status =
                sample.cluster().jobs().scaleStatus(NOW, "web").body().orElseThrow();
        List<ScalingEvent> events =
                requireNonNull(requireNonNull(status.TaskGroups().get("g")).Events());
        assertEquals(
                List.of("why", "more"),
                events.stream().map(ScalingEvent::Message).toList());
        assertEquals("{\"a\":1}", Json.text(events.getFirst().Meta()));
        assertEquals(2, events.getLast().Count());
        assertEquals("e1", events.getLast().EvalID());
        assertEquals(7_000_000_000L, events.getLast().Time());
    }

    @ParameterizedTest
    @CsvSource({
        "no, 1, g, job not found",
        "web, 1, '', missing task group name",
        "web, 1, other, 'task group \"other\" does not exist in job \"web\", which has \"g\"'",
        "web, -1, g, can't be -1",
        "hostpath, 1, p, a system job is not scaled",
    })
    void whatCannotBe_isSaid(String job, Long count, String group, String words) {
        String refused = refused(job, request(count, group));
        assertTrue(refused.contains(words), refused);
    }
}
