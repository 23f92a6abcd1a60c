package io.cleat.clusterapi.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Answer;
import io.cleat.api.JobOverview;
import io.cleat.api.JobStatusesRequest;
import io.cleat.api.Json;
import io.cleat.api.Rows;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.QueryParams;
import io.cleat.http.ReadQuery;
import io.cleat.model.JobId;
import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.PayloadRule;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.JobRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** How jobs are, in few words, last changed first or last. */
final class JobOverviewsTest {
    private static final ReadQuery READ = ReadQuery.now("default");

    private final SampleCluster sample = SampleCluster.whole();

    JobOverviewsTest() throws Exception {}

    private JobAnswers jobs() {
        return sample.cluster().jobs();
    }

    private static ListQuery page(int perPage, String token, boolean reverse) {
        return new ListQuery(READ, "", Filter.ALL, perPage, token, reverse);
    }

    private static List<String> ids(Answer<Rows<JobOverview>> answer) {
        List<String> ids = new ArrayList<>();
        answer.body().forEach(job -> ids.add(job.ID()));
        return ids;
    }

    private JobRow web() {
        return sample.state().job(new JobId("default", "web")).orElseThrow();
    }

    /** Copies of the recorded job, in the order of the alphabet and of their changes. */
    private void jobs(String... names) {
        for (String name : names) {
            JobSpec spec = web().spec();
            JobSpec copy = spec.child(name, 50, Map.of(), new JobLaunch.Child("", false, ""))
                    .withLaunch(null);
            sample.apply(new Change.JobPut(SampleCluster.jobRow(copy)));
        }
    }

    @Test
    void ofAJob_itsAllocationsAreSaid_andWhatTheyAreToBe() throws Exception {
        JobOverview web = jobs().statusesOf(READ, List.of(new JobStatusesRequest.Name("web", "")))
                .body()
                .first()
                .orElseThrow();
        assertEquals("web", web.ID());
        assertEquals("default", web.Namespace());
        assertEquals("running", web.Status());
        assertEquals(1, web.GroupCountSum());
        assertNull(web.ChildStatuses());
        JobOverview.Alloc alloc = web.Allocs().getFirst();
        assertEquals(SampleCluster.WEB_ALLOC, alloc.ID());
        assertEquals("running", alloc.ClientStatus());
        assertEquals(SampleCluster.NODE, alloc.NodeID());
        assertFalse(alloc.DeploymentStatus().Canary());
        assertEquals(web().modifyVersion(), web.ModifyIndex());
    }

    /**
     * No recording of this answer is at hand. Its names and types are those that its authors showed when they settled
     * it (github.com/hashicorp/nomad/issues/19339, comment of 2024-05-03), and those that their web pages read since:
     * {@code IsPack}, {@code Stop}, {@code Status}, {@code HasPausedTask}, and of a deployment {@code IsActive},
     * {@code AllAutoPromote} and {@code RequiresPromotion}.
     */
    @Test
    void theShape_isTheOneThatWasPublished() throws Exception {
        sample.apply(new Change.DeploymentPut(new DeploymentRow(
                "d-1",
                web().id(),
                web().number(),
                web().jobModifyVersion(),
                DeploymentStatus.RUNNING,
                "Deployment is running",
                Map.of("g", new DeploymentRow.Group(false, false, false, 1, 1, Duration.ZERO, null)),
                Instant.EPOCH,
                Instant.EPOCH,
                0,
                0)));
        JsonNode shown = Json.toTree((jobs().statusesOf(READ, List.of(new JobStatusesRequest.Name("web", "")))
                .body()
                .first()
                .orElseThrow()));
        assertEquals(
                List.of(
                        "Allocs array",
                        "ChildStatuses null",
                        "Datacenters array",
                        "GroupCountSum number",
                        "ID string",
                        "IsPack boolean",
                        "LatestDeployment object",
                        "ModifyIndex number",
                        "Name string",
                        "Namespace string",
                        "NodePool string",
                        "ParentID string",
                        "Priority number",
                        "Status string",
                        "Stop boolean",
                        "SubmitTime number",
                        "Type string",
                        "Version number"),
                shape(shown));
        assertEquals(
                List.of(
                        "ClientStatus string",
                        "DeploymentStatus object",
                        "FollowupEvalID string",
                        "Group string",
                        "HasPausedTask boolean",
                        "ID string",
                        "JobVersion number",
                        "NodeID string"),
                shape(shown.get("Allocs").get(0)));
        assertEquals(
                List.of("Canary boolean", "Healthy null"),
                shape(shown.get("Allocs").get(0).get("DeploymentStatus")));
        assertEquals(
                List.of(
                        "AllAutoPromote boolean",
                        "ID string",
                        "IsActive boolean",
                        "JobVersion number",
                        "RequiresPromotion boolean",
                        "Status string",
                        "StatusDescription string"),
                shape(shown.get("LatestDeployment")));
    }

    /** The names of an object's parts, each with its type. */
    private static List<String> shape(JsonNode object) {
        return object.propertyStream()
                .map(part -> part.getKey()
                        + " "
                        + part.getValue().getNodeType().name().toLowerCase(Locale.ROOT))
                .toList();
    }

    @Test
    void theLastChanged_isLast_orFirst() throws Exception {
        jobs("z", "m", "a");
        List<String> ids = ids(jobs().statuses(page(0, "", false), false));
        assertEquals(List.of("z", "m", "a"), ids.subList(ids.size() - 3, ids.size()));
        assertEquals(ids.reversed(), ids(jobs().statuses(page(0, "", true), false)));
    }

    @Test
    void pages_goOnWhereTheLastEnded_andAChangesNumberIsATokenToo() throws Exception {
        jobs("z", "m", "a");
        List<String> all = ids(jobs().statuses(page(0, "", true), false));
        Answer<Rows<JobOverview>> first = jobs().statuses(page(2, "", true), false);
        assertEquals(List.of("a", "m"), ids(first));
        String next = first.meta().nextToken();
        assertEquals(all.subList(2, all.size()), ids(jobs().statuses(page(0, next, true), false)));
        long change =
                sample.state().job(new JobId("default", "m")).orElseThrow().modifyVersion();
        String number = String.valueOf(change);
        assertEquals(all.subList(1, all.size()), ids(jobs().statuses(page(0, number, true), false)));
        assertEquals(List.of("m", "a"), ids(jobs().statuses(page(0, number, false), false)));
    }

    @Test
    void aFilterLooksAtTheWholeJob() throws Exception {
        jobs("z");
        Filter filter = QueryParams.filter("ID == \"z\"");
        assertEquals(List.of("z"), ids(jobs().statuses(new ListQuery(READ, "", filter, 0, "", false), false)));
    }

    @Test
    void copies_areShownWhereTheyAreAskedFor_andOfTheirParentHowTheyAre() throws Exception {
        JobSpec spec = web().spec();
        JobSpec parent = spec.child("p", 50, Map.of(), new JobLaunch.Child("", false, ""))
                .withLaunch(new JobLaunch.Parameterized(PayloadRule.OPTIONAL, List.of(), List.of()));
        JobSpec copy = parent.child("p/1", 50, Map.of(), new JobLaunch.Child("p", false, ""));
        sample.apply(new Change.JobPut(SampleCluster.jobRow(parent)), new Change.JobPut(SampleCluster.jobRow(copy)));
        assertFalse(ids(jobs().statuses(page(0, "", false), false)).contains("p/1"));
        assertTrue(ids(jobs().statuses(page(0, "", false), true)).contains("p/1"));
        JobOverview shown = jobs().statusesOf(READ, List.of(new JobStatusesRequest.Name("p", "default")))
                .body()
                .first()
                .orElseThrow();
        assertEquals(List.of("pending"), shown.ChildStatuses());
    }

    @Test
    void thoseThatAreNamed_areInThatOrder_andWhatIsNotThereIsLeftOut() throws Exception {
        assertEquals(
                List.of("web", "hostpath"),
                ids(jobs().statusesOf(
                                READ,
                                List.of(
                                        new JobStatusesRequest.Name("web", "default"),
                                        new JobStatusesRequest.Name("none", "default"),
                                        new JobStatusesRequest.Name("hostpath", "")))));
    }

    @Test
    void anAllocationThatChanges_isNews() throws Exception {
        long before = jobs().statuses(page(0, "", false), false).meta().index();
        ClusterState state = sample.state();
        sample.apply(new Change.AllocationPut(
                state.allocation(SampleCluster.WEB_ALLOC).orElseThrow()));
        assertTrue(jobs().statuses(page(0, "", false), false).meta().index() > before);
    }
}
