package io.cleat.clusterapi;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.Json;
import io.cleat.http.AbsentPaths;
import io.cleat.http.Request;
import io.cleat.http.Route;
import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.NodeRow;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The cluster's routes over prepared images: how a request is read, and what it changes. */
final class RoutesTest {
    private static final String NODE = "/v1/node/" + SampleCluster.NODE;

    private SampleRoutes bench = bench(SampleCluster.start());

    private static SampleRoutes bench(SampleCluster sample) {
        try {
            return SampleRoutes.of(sample);
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void over(SampleRoutes other) throws Exception {
        bench.close();
        bench = other;
    }

    @AfterEach
    void close() throws Exception {
        bench.close();
    }

    private SampleRoutes.Answered replay(JsonNode request) throws Exception {
        JsonNode body = request.get("body");
        return bench.send(
                request.get("method").stringValue(),
                request.get("path").stringValue(),
                body.isNull() ? "" : Json.text(body));
    }

    /** The status and the names of our headers. */
    private static void assertHead(String name, SampleRoutes.Answered answered) {
        JsonNode recorded = Recording.of(name).whole();
        assertEquals(recorded.get("status").intValue(), answered.status(), answered::body);
        TreeSet<String> names = new TreeSet<>();
        for (String header : recorded.get("headers").propertyNames()) {
            if (header.startsWith("X-Nomad-")) {
                names.add(header);
            }
        }
        TreeSet<String> had = new TreeSet<>(answered.headers().keySet());
        had.removeIf(header -> !header.startsWith("X-Nomad-"));
        assertEquals(names, had);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "01-volumes-empty",
                "04-plugins-empty",
                "10-validate-plugin-job",
                "12-register-plugin-job",
                "24-parse",
                "52-namespaces",
                "53-raft-configuration",
                "57-search",
                "66-stop-unknown-job",
                "02-volumes-host-empty",
                "03-volumes-no-type",
                "49-status-leader",
                "50-status-peers",
                "51-regions",
                "67-gc",
                "05-volume-missing",
                "06-plugin-missing",
                "07-job-missing",
                "08-alloc-missing",
            })
    void aRecordedRequestToAnEmptyCluster_hasTheRecordedHead(String name) throws Exception {
        assertHead(name, replay(Recording.of(name).request()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "13-plugins",
                "14-plugin",
                "16-volumes",
                "17-volume",
                "18-volumes-page",
                "27-plan",
                "28-register-job",
                "29-evaluation",
                "30-job-allocations",
                "31-jobs",
                "32-job",
                "33-job-summary",
                "34-job-evaluations",
                "35-job-versions",
                "37-allocations",
                "38-allocation",
                "43-volume-claimed",
                "44-volumes-claimed",
                "45-nodes",
                "54-evaluations",
                "55-node",
                "56-node-allocations",
                "59-second-writer-plan",
                "60-stop-job",
            })
    void aRecordedRequest_hasTheRecordedHead(String name) throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        assertHead(name, replay(Recording.of(name).request()));
    }

    @Test
    void whatAsksThePlugin_hasTheRecordedHead() throws Exception {
        over(SampleRoutes.serving(SampleCluster.start().node().plugin()));
        for (String name : List.of("15-create", "20-expand", "21-external")) {
            assertHead(name, replay(Recording.of(name).request()));
        }
        assertTrue(bench.state().volume(SampleCluster.VOLUME).isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"09-create-unknown-plugin", "64-delete-missing", "65-deregister-missing"})
    void aRefusal_isTheRecordedMessage(String name) throws Exception {
        SampleRoutes.Answered answered = replay(Recording.of(name).request());
        assertHead(name, answered);
        assertEquals(Recording.of(name).body().stringValue(), answered.body());
    }

    @Test
    void aVolumeInUse_isNotDeregistered() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        SampleRoutes.Answered answered =
                replay(Recording.of("58-deregister-in-use").request());
        assertHead("58-deregister-in-use", answered);
        assertTrue(answered.body().startsWith("volume in use: v1"), answered.body());
    }

    @Test
    void aDeploymentIsNullAndTheListOfThemEmpty() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        assertEquals("null", bench.get("/v1/job/web/deployment").body());
        SampleRoutes.Answered list = bench.get("/v1/job/web/deployments");
        assertEquals("[]", list.body());
        assertTrue(list.headers().containsKey("X-Nomad-Index"));
    }

    @Test
    void anotherTypeOfPluginIsAnEmptyBody() throws Exception {
        SampleRoutes.Answered other = bench.get("/v1/plugins?type=other");
        assertEquals(200, other.status());
        assertEquals("", other.body());
        assertEquals(Map.of(), other.headers());
        assertEquals(404, bench.get("/v1/volumes?type=other").status());
    }

    @Test
    void postIsPut() throws Exception {
        assertEquals(
                200, bench.send("POST", "/v1/namespace", "{\"Name\":\"team\"}").status());
        assertTrue(bench.state().namespace("team").isPresent());
    }

    @Test
    void anAllocationIsStoppedInTheNamespaceThatIsMeant() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        String stop = "/v1/allocation/" + SampleCluster.WEB_ALLOC + "/stop";
        assertEquals(404, bench.send("PUT", "/v1/allocation/x/stop", "").status());
        assertEquals(404, bench.send("PUT", stop + "?namespace=other", "").status());
        assertEquals(200, bench.send("PUT", stop + "?namespace=*", "").status());
        assertEquals(200, bench.send("PUT", stop, "").status());
        SampleRoutes.Answered short_ = bench.get("/v1/allocation/abc");
        assertEquals(500, short_.status());
        assertEquals("alloc lookup failed: index error: UUID must be 36 characters", short_.body());
    }

    @Test
    void aNodeIsDrainedAndMarked() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        SampleRoutes.Answered drained = bench.send(
                "PUT", NODE + "/drain", "{\"DrainSpec\":{\"Deadline\":-1000000000,\"IgnoreSystemJobs\":true}}");
        NodeRow node = bench.state().node(SampleCluster.NODE).orElseThrow();
        assertEquals(
                "{\"EvalCreateIndex\":0,\"EvalIDs\":null,\"Index\":%1$d,\"NodeModifyIndex\":%1$d}"
                        .formatted(node.modifyVersion()),
                drained.body());
        assertTrue(node.isDraining(), node::toString);
        assertEquals(
                200, bench.send("PUT", NODE + "/drain", "{\"DrainSpec\":null}").status());
        bench.send("POST", NODE + "/eligibility", "{\"Eligibility\":\"eligible\"}");
        assertTrue(bench.state().node(SampleCluster.NODE).orElseThrow().eligible());
        SampleRoutes.Answered odd = bench.send("PUT", NODE + "/eligibility", "{\"Eligibility\":\"maybe\"}");
        assertEquals(400, odd.status());
        assertEquals("invalid scheduling eligibility \"maybe\"; expected eligible or ineligible", odd.body());
    }

    @Test
    void placesOfAService_areChosenByNumberAndKey_orRefusedWithWhatIsExpected() throws Exception {
        assertEquals(
                "[]",
                bench.get("/v1/service/web?choose=2%7Cabc%7Cd&namespace=team").body());
        for (String bad : List.of("2", "0%7Ck", "x%7Ck", "2%7C", "9999999999%7Ck", "-1%7Ck")) {
            SampleRoutes.Answered refused = bench.get("/v1/service/web?choose=" + bad);
            assertEquals(400, refused.status(), bad);
            assertTrue(refused.body().startsWith("choose must be a number, a bar and a"));
        }
    }

    @Test
    void evaluationsAreDeletedByIdsOrByAnExpression_andNotByBothOrNeither() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        for (String body : List.of(
                "{}", "{\"EvalIDs\":[\"e\"],\"Filter\":\"Status == complete\"}", "", "{\"Filter\":\"Status ==\"}")) {
            assertEquals(400, bench.send("DELETE", "/v1/evaluations", body).status(), body);
        }
        assertEquals(
                500,
                bench.send("DELETE", "/v1/evaluations", "{\"EvalIDs\":[\"e1\"]}")
                        .status());
        SampleRoutes.Answered kept = bench.send("DELETE", "/v1/evaluations", "{\"Filter\":\"Status == complete\"}");
        assertTrue(kept.body().startsWith("{\"Count\":0,"), kept.body());
        assertTrue(kept.body().endsWith("\"Kept\":2}"), kept.body());
    }

    @Test
    void jobsAreToldOf_allInPages_orThoseThatAreNamed() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        SampleRoutes.Answered page = bench.get("/v1/jobs/statuses?per_page=1&reverse=true");
        assertTrue(page.headers().containsKey("X-Nomad-Nexttoken"), page.headers()::toString);
        String all = bench.send("POST", "/v1/jobs/statuses", "{\"include_children\":true,\"jobs\":[]}")
                .body();
        assertTrue(all.contains("\"web\"") && all.contains("\"hostpath\""), all);
        String named = bench.send(
                        "POST", "/v1/jobs/statuses", "{\"jobs\":[{\"id\":\"web\",\"namespace\":\"default\"}]}")
                .body();
        assertTrue(named.contains("\"web\"") && !named.contains("\"hostpath\""), named);
    }

    @Test
    void evaluatingANode_answersTheEvaluations() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        SampleRoutes.Answered reply = bench.send("POST", NODE + "/evaluate", "");
        JsonNode body = Json.tree(reply.body().getBytes(UTF_8));
        assertEquals(2, body.get("EvalIDs").size());
        assertEquals(body.get("Index").asString(), reply.headers().get("X-Nomad-Index"));
        assertEquals(body.get("Index"), body.get("EvalCreateIndex"));
        assertTrue(body.get("Servers").isNull());
    }

    @Test
    void serversAreThePeers_andAreNotSaidAnew() throws Exception {
        assertEquals("[\"127.0.0.1:4647\"]", bench.get("/v1/agent/servers").body());
        SampleRoutes.Answered refused = bench.send("PUT", "/v1/agent/servers?address=10.0.0.1:4647", "");
        assertEquals(400, refused.status());
        assertTrue(refused.body().startsWith("the servers of a node are those it was"), refused.body());
    }

    @Test
    void nothingIsDoneWithMembersUnasked_andNothingElseIsTaken() throws Exception {
        String path = "/v1/operator/autopilot/configuration";
        assertTrue(bench.get(path).body().startsWith("{\"CleanupDeadServers\":false,"));
        SampleRoutes.Answered refused = bench.send("PUT", path + "?cas=0", "{\"CleanupDeadServers\":true}");
        assertEquals(400, refused.status());
        assertTrue(refused.body().startsWith("there is no autopilot here"), refused.body());
        SampleRoutes.Answered health = bench.get("/v1/operator/autopilot/health");
        assertEquals(200, health.status());
        assertTrue(health.body().contains("\"Healthy\":true"), health.body());
    }

    @Test
    void aFuzzySearchIsOfTheBody() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        String found = bench.send("POST", "/v1/search/fuzzy?namespace=*", "{\"Text\":\"hp\",\"Context\":\"plugins\"}")
                .body();
        assertTrue(found.contains("\"Matches\":{\"plugins\":[{\"ID\":\"hp\"}]}"), found);
    }

    @Test
    void secretsOfADeletionComeInAHeader() throws Exception {
        over(SampleRoutes.serving(SampleCluster.whole()));
        String create = "{\"Volumes\":[{\"ID\":\"v[0]\",\"Name\":\"n\",\"PluginID\":\"hp\","
                + "\"RequestedCapabilities\":[{\"AccessMode\":\"single-node-writer\","
                + "\"AttachmentMode\":\"file-system\"}]}]}";
        // The body says which volume is meant; the path does not.
        assertEquals(
                200, bench.send("PUT", "/v1/volume/csi/other/create", create).status());
        VolumeId id = new VolumeId("default", "v[0]");
        assertTrue(bench.state().volume(id).isPresent());
        assertEquals(
                200,
                bench.send("DELETE", "/v1/volume/csi/v%5B0%5D/delete", "", Map.of("x-nomad-csi-secrets", "k=v,k2=a=b"))
                        .status());
        assertTrue(bench.state().volume(id).isEmpty());
    }

    @Test
    void detachingNeedsANode() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        assertEquals(
                "detach requires node ID",
                bench.send("DELETE", "/v1/volume/csi/v1/detach", "").body());
        assertEquals(
                200, bench.send("DELETE", "/v1/volume/csi/v1/detach?node=n", "").status());
        assertTrue(bench.state().claims().get(SampleCluster.CLAIM).isPresent(), "it is held on another node");
    }

    @Test
    void aJobIsNeeded_withAnIdThatMatchesThePath() throws Exception {
        assertEquals(
                "Job must be specified", bench.send("PUT", "/v1/jobs", "{}").body());
        assertEquals(
                "Job ID hasn't been provided",
                bench.send("PUT", "/v1/jobs", "{\"Job\":{}}").body());
        SampleRoutes.Answered other = bench.send("PUT", "/v1/job/a", "{\"Job\":{\"ID\":\"b\"}}");
        assertEquals(400, other.status());
        assertEquals("Job ID does not match name", other.body());
    }

    /** `volume register` of a file without an id was answered 404, without a word. */
    @ParameterizedTest
    @CsvSource({"PUT, /v1/volume/csi/", "DELETE, /v1/volume/csi/", "GET, /v1/job//summary", "GET, /v1/allocation/"})
    void aPathWithoutItsId_isRefusedInWords(String method, String path) throws Exception {
        SampleRoutes.Answered reply = bench.send(method, path, "{}");
        assertEquals(400, reply.status());
        assertEquals("the path has an empty \"id\": name what is meant", reply.body());
    }

    /** Clients took "not found" for an answer to what they had asked about. */
    @ParameterizedTest
    @CsvSource({
        "/v1/node/pool/gpu, none is made or removed",
        "/v1/operator/snapshot, a server that runs is not restored"
    })
    void whatIsNotServed_saysSoAndWhatToUse(String path, String words) throws Exception {
        SampleRoutes.Answered reply = bench.send("PUT", path, "");
        assertEquals(400, reply.status());
        assertTrue(reply.body().contains(words), reply.body());
    }

    @Test
    void aRequestIdIsPassedOn() throws Exception {
        bench.send("PUT", "/v1/var/a", "{\"Items\":{\"a\":\"b\"}}", Map.of("x-cleat-request-id", "r-1"));
        assertTrue(bench.state().requests().get("r-1").isPresent());
    }

    @Test
    void whatWasWrittenForAJobIsGivenByItsVersion() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        SampleRoutes.Answered none = bench.get("/v1/job/web/submission");
        assertEquals(404, none.status());
        assertEquals("job source not found", none.body());
        assertEquals(400, bench.get("/v1/job/web/submission?version=x").status());
    }

    @Test
    void anEmptyBodyOfEvaluate_isFine() throws Exception {
        over(SampleRoutes.of(SampleCluster.whole()));
        assertEquals(200, bench.send("PUT", "/v1/job/web/evaluate", "").status());
        assertEquals(
                1,
                bench.state().evaluations().ofJob(new JobId("default", "web")).stream()
                        .filter(row -> row.status() == EvaluationStatus.PENDING)
                        .count());
    }

    @Test
    void noPathThatIsServed_isSaidToBeAbsent() throws Exception {
        for (Route route : ClusterRoutes.of(SampleCluster.start().cluster())) {
            Request asked = Request.of("GET", route.pattern(), Map.of(), new byte[0], 4646);
            assertTrue(AbsentPaths.reply(asked).isEmpty(), route.pattern());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/var/nomad/jobs/web, nomad/jobs/web",
        "/v1/var/nomad%2Fjobs%2Fweb, nomad/jobs/web",
        "/v1/var/a, a",
    })
    void thePathOfAVariable_isAllThatFollows(String target, String path) throws Exception {
        assertEquals(400, bench.get("/v1/var/").status());
        assertEquals(404, bench.get("/v1/var").status());
        assertEquals("variable not found", bench.get(target).body());
        String body = "{\"Namespace\":\"default\",\"Path\":\"elsewhere\",\"Items\":{\"a\":\"b\"}}";
        assertEquals(200, bench.send("PUT", target + "?cas=0", body).status());
        SampleRoutes.Answered shown = bench.get(target);
        assertEquals(200, shown.status());
        assertTrue(shown.body().endsWith("\"Path\":\"" + path + "\"}"), shown.body());
        SampleRoutes.Answered conflict = bench.send("PUT", target + "?cas=0", body);
        assertEquals(409, conflict.status());
        assertEquals(shown.body(), conflict.body());
        assertEquals(409, bench.send("DELETE", target + "?cas=1", "").status());
        SampleRoutes.Answered gone = bench.send("DELETE", target, "");
        assertEquals("{\"Index\":" + bench.state().version() + "}", gone.body());
    }

    @Test
    void theNamespaceOfTheRequest_winsOverTheBodys() throws Exception {
        String body = "{\"Namespace\":\"team\",\"Items\":{\"a\":\"b\"}}";
        bench.send("PUT", "/v1/namespace", "{\"Name\":\"team\"}");
        bench.send("PUT", "/v1/namespace", "{\"Name\":\"other\"}");
        bench.send("PUT", "/v1/var/a", body);
        assertEquals(200, bench.get("/v1/var/a?namespace=team").status());
        bench.send("PUT", "/v1/var/b?namespace=other", body);
        assertEquals(200, bench.get("/v1/var/b?namespace=other").status());
        assertEquals(404, bench.get("/v1/var/b?namespace=team").status());
    }

    @Test
    void whatIsDoneWithALock_isAParameter() throws Exception {
        String body = "{\"Items\":{\"a\":\"b\"}}";
        SampleRoutes.Answered taken = bench.send("PUT", "/v1/var/a?lock-acquire", body);
        assertEquals(200, taken.status());
        assertEquals(409, bench.send("PUT", "/v1/var/a?lock-acquire=", body).status());
        String id = Json.tree(taken.body().getBytes(UTF_8)).at("/Lock/ID").asString();
        String held = "{\"Lock\":{\"ID\":\"" + id + "\"}}";
        assertEquals(200, bench.send("PUT", "/v1/var/a?lock-renew=true", held).status());
        assertEquals(200, bench.send("PUT", "/v1/var/a?lock-release", held).status());
        assertEquals(409, bench.send("PUT", "/v1/var/a?lock-renew", held).status());
    }

    @ParameterizedTest
    @CsvSource({
        "cas=-1, cas is the index",
        "cas=x, cas is the index",
        "cas=99999999999999999999, cas is the index",
        "lock-acquire&lock-renew, not several",
        "lock-renew&cas=3, exclude each other"
    })
    void whatMakesNoSenseOfAVariable_isRefused(String parameter, String words) throws Exception {
        SampleRoutes.Answered reply = bench.send("PUT", "/v1/var/a?" + parameter, "{\"Items\":{\"a\":\"b\"}}");
        assertEquals(400, reply.status());
        assertTrue(reply.body().contains(words), reply.body());
    }
}
