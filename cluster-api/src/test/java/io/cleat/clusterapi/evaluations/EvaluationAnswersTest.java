package io.cleat.clusterapi.evaluations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.EvalDeleteResponse;
import io.cleat.api.Evaluation;
import io.cleat.api.Json;
import io.cleat.api.VolumeWhy;
import io.cleat.base.Refused;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.QueryParams;
import io.cleat.http.ReadQuery;
import io.cleat.http.WriteQuery;
import io.cleat.model.JobId;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.Trigger;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Evaluations: shown, counted, deleted. */
final class EvaluationAnswersTest {
    private static final ReadQuery NOW = ReadQuery.now("default");

    private static final ListQuery ALL = ListQuery.all("default");

    private static final WriteQuery WRITE = new WriteQuery("default", "r-1");

    @Test
    void aBlockedEvaluationSaysOnWhomAndWhatNext() throws Exception {
        ServerCluster cluster = SampleCluster.whole().secondWriter().cluster();
        Evaluation blocked = cluster.evaluations()
                .list(ALL, "web2", "blocked")
                .body()
                .first()
                .orElseThrow();
        assertEquals(
                "created to place remaining allocations: since "
                        + SampleCluster.AT
                        + " it has waited for volume v1, held by allocation "
                        + SampleCluster.WEB_ALLOC
                        + " of job web on node vm since "
                        + SampleCluster.AT
                        + "; it is placed by itself once that claim is released",
                blocked.StatusDescription());
        assertEquals(List.of("csi-volume:default:v1"), blocked.MissingNonNodeResources());
        VolumeWhy why = cluster.volumes().why(NOW, "v1").body().orElseThrow();
        assertEquals("in use as single-node-writer by one allocation; one job waits for it", why.State());
        VolumeWhy.Waiting waiting = why.Waiting().getFirst();
        assertEquals("evaluation " + blocked.ID() + " of job web2", waiting.What());
        assertTrue(waiting.Holder().contains(SampleCluster.WEB_ALLOC), waiting.Holder());
        assertEquals(SampleCluster.AT, waiting.Since());
        assertEquals("published", why.Claims().getFirst().Step());
        assertEquals("web", why.Claims().getFirst().JobID());
        assertEquals("NodeStageVolume", why.Events().getFirst().Call());
    }

    @Test
    void relatedEvaluationsAreFoundThroughTheirLinks() throws Exception {
        ServerCluster cluster = SampleCluster.whole().secondWriter().cluster();
        Evaluation one = cluster.evaluations()
                .get(NOW, "aaaa0000-0000-0000-0000-000000000001", true)
                .body()
                .orElseThrow();
        JsonNode related = Json.toTree(one).get("RelatedEvals");
        assertEquals(1, related.size());
        assertEquals(
                "aaaa0000-0000-0000-0000-000000000002", related.get(0).get("ID").asString());
        assertNull(cluster.evaluations()
                .get(NOW, one.ID(), false)
                .body()
                .orElseThrow()
                .RelatedEvals());
    }

    @Test
    void evaluationsAreCountedAsTheyAreListed_andDeletedInPartsByAFilter() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        JobRow web = sample.state().job(new JobId("default", "web")).orElseThrow();
        for (int i = 0; i < 600; i++) {
            sample.apply(new Change.EvaluationPut(
                    EvaluationRow.pending("e%03d".formatted(i), web, 50, Trigger.JOB_REGISTER, "", SampleCluster.AT)
                            .status(EvaluationStatus.COMPLETE, "", SampleCluster.AT)));
        }
        try (Intake intake = Intake.over(sample.state())) {
            deletesEvaluations(intake, intake.cluster().evaluations());
        }
    }

    private static void deletesEvaluations(Intake intake, EvaluationAnswers evaluations) throws Exception {
        Filter filter = QueryParams.filter("JobID == \"web\"");
        long count = evaluations
                .count(new ListQuery(NOW, "", filter, 0, "", false), "", "")
                .body()
                .Count();
        assertEquals(601, count);
        assertEquals(
                0,
                evaluations
                        .deleteMatching(new WriteQuery("team", ""), filter)
                        .body()
                        .Count());
        Refused needed =
                assertThrows(Refused.class, () -> evaluations.delete(WRITE, List.of("e000", SampleCluster.WEB_EVAL)));
        assertTrue(needed.refusal().message().contains(SampleCluster.WEB_EVAL), needed.toString());
        long before = intake.state().version();
        assertEquals(
                new EvalDeleteResponse(1, before + 1, 0),
                evaluations.delete(WRITE, List.of("e000")).body());
        assertEquals(
                new EvalDeleteResponse(599, before + 3, 1),
                evaluations.deleteMatching(WRITE, filter).body(),
                "all others but the one that is needed, in two parts");
    }
}
