package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AgentHealth;
import io.cleat.api.AnswerMeta;
import io.cleat.api.AutopilotConfiguration;
import io.cleat.api.AutopilotHealth;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.CsiVolumeResponse;
import io.cleat.api.DrainSpec;
import io.cleat.api.EvalDeleteResponse;
import io.cleat.api.ExternalVolumeResponse;
import io.cleat.api.FuzzySearchRequest;
import io.cleat.api.FuzzySearchResponse;
import io.cleat.api.JobRegisterResponse;
import io.cleat.api.JobStatusesRequest;
import io.cleat.api.JobSubmission;
import io.cleat.api.Json;
import io.cleat.api.Metrics;
import io.cleat.api.NodeDrainRequest;
import io.cleat.api.NodeEvaluateResponse;
import io.cleat.api.NodeQuarantineRequest;
import io.cleat.api.NodeUpdateResponse;
import io.cleat.api.Rows;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.http.routes.Routes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Every route without a socket: status, headers and body against the recorded answers. */
class RoutesTest {
    private static final ObjectMapper PLAIN = new ObjectMapper();

    private final TestBench bench = new TestBench();

    private static JsonNode recorded(String name) throws IOException {
        try (InputStream in = RoutesTest.class.getResourceAsStream("/recorded/" + name + ".json")) {
            assertNotNull(in, name);
            return PLAIN.readTree(in);
        }
    }

    private Encoded replay(JsonNode recording) throws Exception {
        JsonNode request = recording.get("request");
        JsonNode body = request.get("body");
        return bench.send(
                request.get("method").stringValue(),
                request.get("path").stringValue(),
                body.isNull() ? "" : PLAIN.writeValueAsString(body));
    }

    /**
     * Status, content type, vary and every header of ours are as recorded, and no other is there.
     */
    private static void assertHead(JsonNode recording, Encoded reply) {
        assertEquals(recording.get("status").intValue(), reply.status());
        Map<String, String> expected = new TreeMap<>();
        for (Map.Entry<String, JsonNode> header : recording.get("headers").properties()) {
            String name = header.getKey();
            if (name.startsWith("X-Nomad-") || name.equals("Content-Type") || name.equals("Vary")) {
                expected.put(name, header.getValue().stringValue());
            }
        }
        // What a node says may be read by pages of other origins with Nomad, and not here.
        expected.replace("Vary", "Origin", "Accept-Encoding");
        assertEquals(expected, reply.headers());
    }

    private static AnswerMeta meta(JsonNode recording) {
        JsonNode headers = recording.get("headers");
        return new AnswerMeta(
                headers.path("X-Nomad-Index").asLong(0),
                headers.path("X-Nomad-Lastcontact").asLong(0),
                headers.path("X-Nomad-Knownleader").asString("").equals("true"),
                "");
    }

    @ParameterizedTest
    @CsvSource({
        "01-volumes-empty, CsiVolumeStub",
        "04-plugins-empty, CsiPluginStub",
        "10-validate-plugin-job, JobValidateResponse",
        "11-plan-plugin-job, JobPlanResponse",
        "12-register-plugin-job, JobRegisterResponse",
        "13-plugins, CsiPluginStub",
        "14-plugin, CsiPlugin",
        "15-create, CsiVolumeResponse",
        "16-volumes, CsiVolumeStub",
        "17-volume, CsiVolume",
        "18-volumes-page, CsiVolumeStub",
        "20-expand, CsiVolumeResponse",
        "21-external, ExternalVolumeResponse",
        "24-parse, Job",
        "27-plan, JobPlanResponse",
        "28-register-job, JobRegisterResponse",
        "29-evaluation, Evaluation",
        "30-job-allocations, AllocationStub",
        "31-jobs, JobStub",
        "32-job, Job",
        "33-job-summary, JobSummary",
        "34-job-evaluations, Evaluation",
        "35-job-versions, JobVersionsResponse",
        "37-allocations, AllocationStub",
        "38-allocation, Allocation",
        "39-alloc-stats, AllocStats",
        "43-volume-claimed, CsiVolume",
        "44-volumes-claimed, CsiVolumeStub",
        "45-nodes, NodeStub",
        "46-agent-members, AgentMembers",
        "48-agent-health, AgentHealth",
        "52-namespaces, Namespace",
        "53-raft-configuration, RaftConfiguration",
        "54-evaluations, Evaluation",
        "55-node, Node",
        "56-node-allocations, Allocation",
        "57-search, SearchResponse",
        "59-second-writer-plan, JobPlanResponse",
        "60-stop-job, JobDeregisterResponse",
        "61-volume-released, CsiVolume",
        "66-stop-unknown-job, JobDeregisterResponse",
    })
    void aRecordedRequestGetsTheRecordedAnswer(String name, String record) throws Exception {
        JsonNode recording = recorded(name);
        bench.answerWith(decoded(recording.get("body"), record), meta(recording));
        Encoded reply = replay(recording);
        assertHead(recording, reply);
        assertEquals(
                recording.get("body").toPrettyString(),
                PLAIN.readTree(reply.body()).toPrettyString());
    }

    private static Object decoded(JsonNode body, String record)
            throws Refused, ClassNotFoundException {
        Class<?> type = Class.forName("io.cleat.api." + record);
        if (!body.isArray()) {
            return Json.fromTree(body, type);
        }
        List<Object> items = new ArrayList<>();
        for (JsonNode item : body) {
            items.add(Json.fromTree(item, type));
        }
        return items;
    }

    @ParameterizedTest
    @CsvSource({
        "05-volume-missing",
        "06-plugin-missing",
        "07-job-missing",
        "08-alloc-missing",
    })
    void whatIsMissingIsNotFoundWithItsHeaders(String name) throws Exception {
        JsonNode recording = recorded(name);
        bench.answerWith(null, meta(recording));
        Encoded reply = replay(recording);
        assertHead(recording, reply);
        assertEquals(recording.get("body").stringValue(), TestBench.text(reply));
    }

    @ParameterizedTest
    @CsvSource({
        "09-create-unknown-plugin, invalid",
        "19-register-invalid, invalid",
        "26-parse-error, malformed",
        "58-deregister-in-use, conflict",
        "64-delete-missing, missing",
        "65-deregister-missing, missing",
    })
    void aRefusalIsABareMessage(String name, String kind) throws Exception {
        JsonNode recording = recorded(name);
        String message = recording.get("body").stringValue();
        bench.cluster.refusal =
                switch (kind) {
                    case "invalid" -> new Refusal.Invalid(message);
                    case "malformed" -> new Refusal.Malformed(message);
                    case "conflict" -> new Refusal.Conflict(message);
                    default -> new Refusal.NotFound(message);
                };
        Encoded reply = replay(recording);
        assertHead(recording, reply);
        assertEquals(message, TestBench.text(reply));
    }

    @ParameterizedTest
    @CsvSource({"02-volumes-host-empty", "03-volumes-no-type", "63-delete", "67-gc"})
    void answersWithoutMuchOfABodyAreAsRecorded(String name) throws Exception {
        JsonNode recording = recorded(name);
        bench.cluster.meta = meta(recording);
        bench.cluster.body = Rows.of(List.of());
        Encoded reply = replay(recording);
        assertHead(recording, reply);
        JsonNode body = recording.get("body");
        assertEquals(body.isString() ? body.stringValue() : body.toString(), TestBench.text(reply));
    }

    @ParameterizedTest
    @CsvSource({"49-status-leader", "50-status-peers", "51-regions"})
    void textsOfTheClusterAreAsRecorded(String name) throws Exception {
        JsonNode recording = recorded(name);
        JsonNode body = recording.get("body");
        bench.cluster.body =
                body.isString()
                        ? body.stringValue()
                        : body.valueStream().map(JsonNode::stringValue).toList();
        Encoded reply = replay(recording);
        assertHead(recording, reply);
        assertEquals(body.toString(), TestBench.text(reply));
    }

    @Test
    void aDeploymentIsNullAndTheListOfThemEmpty() throws Exception {
        bench.answerWith(Rows.of(List.of()), AnswerMeta.ofLeader(7));
        assertEquals("null", TestBench.text(bench.get("/v1/job/web/deployment")));
        Encoded list = bench.get("/v1/job/web/deployments");
        assertEquals("[]", TestBench.text(list));
        assertEquals("7", list.headers().get("X-Nomad-Index"));
    }

    @Test
    void anotherTypeOfPluginIsAnEmptyBody() throws Exception {
        Encoded reply = bench.get("/v1/plugins?type=other");
        assertEquals(200, reply.status());
        assertEquals(0, reply.body().length);
        assertEquals(Map.of("Vary", "Accept-Encoding"), reply.headers());
        assertEquals(404, bench.get("/v1/volumes?type=other").status());
    }

    @Test
    void postIsPut() throws Exception {
        bench.answerWith(Json.read("{}", CsiVolumeResponse.class), AnswerMeta.ofLeader(3));
        Encoded reply =
                bench.send("POST", "/v1/volume/csi/a/create", "{\"volumes\":[{\"ID\":\"v\"}]}");
        assertEquals(200, reply.status());
        assertEquals("volumes.create", bench.cluster.asked.getFirst());
    }

    @Test
    void anUnknownPathIsEmptyAndAnotherVerbSaysSo() throws Exception {
        Encoded unknown = bench.get("/v1/nothing");
        assertEquals(404, unknown.status());
        assertEquals(0, unknown.body().length);
        Encoded verb = bench.send("DELETE", "/v1/nodes", "");
        assertEquals(405, verb.status());
        assertEquals("Invalid method", TestBench.text(verb));
        Encoded root = bench.get("/");
        assertEquals(307, root.status());
        assertEquals("/ui/", root.headers().get("Location"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/v1/nodes?per_page=x | Expect a number for `per_page` query string parameter",
                "/v1/nodes?index=x | Invalid index",
                "/v1/nodes?wait=x | Invalid wait time",
                "/v1/nodes?wait=-5s | Invalid wait time",
                "/v1/nodes?stale=x | Expect `true` or `false` for `stale` query string parameter",
                "/v1/agent/monitor?log_level=loud | Unknown log level: \"loud\"; expected trace, debug, info, warn or error",
                "/v1/client/fs/logs/a?type=stdout | must provide task name",
                "/v1/client/fs/logs/a?task=t | must provide log type (stdout/stderr)",
                "/v1/client/fs/logs/a?task=t&type=stdout&origin=x | origin must be start or end",
                "/v1/nodes/%zz | the request's path is not percent-encoded: after each % come two"
                        + " digits from 0 to f",
                "/v1/nodes/% | the request's path is not percent-encoded: after each % come two"
                        + " digits from 0 to f",
                "/v1/nodes?a=%-1 | the request's query is not percent-encoded: after each % come two"
                        + " digits from 0 to f",
                "/v1/job/%ff | the request's path is not percent-encoded UTF-8",
                "/v1/job/%ed%a0%80 | the request's path is not percent-encoded UTF-8",
                "/v1/jobs?prefix=%c3%28 | the request's query is not percent-encoded UTF-8",
                "/v1/job/a%00b | the request's path holds a NUL character at position 1; remove it",
                "/v1/jobs?namespace=%00 | the request's query holds a NUL character at position 0;"
                        + " remove it",
                "* | the request is for no path; expected one that begins with a slash, such as"
                        + " /v1/jobs",
                "http://h/v1/jobs | the request is for no path; expected one that begins with a"
                        + " slash, such as /v1/jobs",
                "'' | the request is for no path; expected one that begins with a slash, such as"
                        + " /v1/jobs",
            })
    void whatCannotBeReadIsABadRequest(String path, String message) throws Exception {
        Encoded reply = bench.get(path);
        assertEquals(400, reply.status());
        assertEquals(message, TestBench.text(reply));
    }

    @Test
    void aPathOfAnyLanguageIsRead() throws Refused {
        Request request =
                Request.of(
                        "GET",
                        "/v1/job/%E4%BD%A0+%2F\ud83d\ude00?prefix=a+%2B%C3%BC",
                        Map.of(),
                        new byte[0],
                        0);
        assertEquals(List.of("v1", "job", "\u4f60+/\ud83d\ude00"), request.segments());
        assertEquals("a +\u00fc", request.text("prefix"));
    }

    @Test
    void aFilterThatCannotBeReadSaysWhere() throws Exception {
        Encoded reply = bench.get("/v1/nodes?filter=ID+%3D%3D");
        assertEquals(400, reply.status());
        assertEquals(
                "failed to create result paginator: failed to read filter expression: 1:6: expected"
                        + " a value",
                TestBench.text(reply));
    }

    @Test
    void aBlockingQueryIsPassedOn() throws Exception {
        bench.answerWith(List.of(), AnswerMeta.ofLeader(9));
        bench.get(
                "/v1/nodes?index=8&wait=5000ms&stale&namespace=*&prefix=ab&per_page=2&next_token=t&reverse=true");
        assertEquals(
                new ListQuery(
                        new ReadQuery("*", 8, Duration.ofSeconds(5), true, EarlyEnd.NEVER),
                        "ab",
                        Filter.ALL,
                        2,
                        "t",
                        true),
                bench.cluster.asked.get(1));
    }

    @Test
    void theLongestWaitIsFiveMinutes() throws Exception {
        bench.answerWith(List.of(), AnswerMeta.ofLeader(9));
        bench.get("/v1/nodes?index=8&wait=1h1m");
        ListQuery query = (ListQuery) bench.cluster.asked.get(1);
        assertEquals(ReadQuery.LONGEST_WAIT, query.read().longest());
    }

    @Test
    void anotherRegionHasNoPath() throws Exception {
        Encoded reply = bench.get("/v1/nodes?region=mars");
        assertEquals(500, reply.status());
        assertEquals("No path to region", TestBench.text(reply));
    }

    @Test
    void aBodyIsNeeded() throws Exception {
        assertEquals("Request body is empty", TestBench.text(bench.send("PUT", "/v1/jobs", "")));
        assertEquals("Job must be specified", TestBench.text(bench.send("PUT", "/v1/jobs", "{}")));
        assertEquals(
                "Job ID hasn't been provided",
                TestBench.text(bench.send("PUT", "/v1/jobs", "{\"Job\":{}}")));
        Encoded other = bench.send("PUT", "/v1/job/a", "{\"Job\":{\"ID\":\"b\"}}");
        assertEquals(400, other.status());
        assertEquals("Job ID does not match name", TestBench.text(other));
        assertEquals(400, bench.send("PUT", "/v1/jobs", "{\"Job\":").status());
    }

    @Test
    void severalFaultsAreListed() throws Exception {
        bench.cluster.refusal = new Refusal.Invalid(List.of("a", "b"));
        assertEquals(
                "2 errors occurred:\n\t* a\n\t* b\n\n",
                TestBench.text(bench.send("PUT", "/v1/jobs", "{\"Job\":{\"ID\":\"b\"}}")));
    }

    @Test
    void stoppingAnUnknownAllocationIsNotFound() throws Exception {
        bench.cluster.refusal = new Refusal.NotFound("alloc not found");
        assertEquals(404, bench.send("PUT", "/v1/allocation/x/stop", "").status());
    }

    @Test
    void aNodeIsDrainedAndMarked() throws Exception {
        bench.cluster.body = new NodeUpdateResponse(0, null, 7, 7);
        Encoded drained =
                bench.send(
                        "PUT",
                        "/v1/node/n1/drain",
                        "{\"DrainSpec\":{\"Deadline\":-1000000000,\"IgnoreSystemJobs\":true}}");
        assertEquals(
                "{\"EvalCreateIndex\":0,\"EvalIDs\":null,\"Index\":7,\"NodeModifyIndex\":7}",
                TestBench.text(drained));
        assertEquals("n1", bench.cluster.asked.get(2));
        assertEquals(
                new NodeDrainRequest(new DrainSpec(-1_000_000_000, true), false, null, ""),
                bench.cluster.asked.get(3));
        bench.send("POST", "/v1/node/n1/eligibility", "{\"Eligibility\":\"eligible\"}");
        assertEquals("nodes.eligibility", bench.cluster.asked.getFirst());
        assertEquals(true, bench.cluster.asked.get(3));
        Encoded odd = bench.send("PUT", "/v1/node/n1/eligibility", "{\"Eligibility\":\"maybe\"}");
        assertEquals(400, odd.status());
        assertEquals(
                "invalid scheduling eligibility \"maybe\"; expected eligible or ineligible",
                TestBench.text(odd));
    }

    @Test
    void placesOfAService_areChosenByNumberAndKey_orRefusedWithWhatIsExpected() throws Exception {
        bench.answerWith(Rows.of(List.of()), AnswerMeta.ofLeader(7));
        bench.get("/v1/service/web?choose=2%7Cabc%7Cd&namespace=team");
        assertEquals("services.get", bench.cluster.asked.getFirst());
        assertEquals("web", bench.cluster.asked.get(2));
        assertEquals(Optional.of(new ServicesApi.Choice(2, "abc|d")), bench.cluster.asked.get(3));
        bench.get("/v1/service/web");
        assertEquals(Optional.empty(), bench.cluster.asked.get(3));
        for (String bad : List.of("2", "0%7Ck", "x%7Ck", "2%7C", "9999999999%7Ck", "-1%7Ck")) {
            Encoded refused = bench.get("/v1/service/web?choose=" + bad);
            assertEquals(400, refused.status(), bad);
            assertTrue(TestBench.text(refused).startsWith("choose must be a number, a bar and a"));
        }
    }

    @Test
    void filesOfWhatHasEnded_areGivenUpByEitherVerb_andChecksAreShown() throws Exception {
        for (String verb : List.of("GET", "POST")) {
            assertEquals(200, bench.send(verb, "/v1/client/allocation/a1/gc", "").status());
            Encoded all = bench.send(verb, "/v1/client/gc?node_id=n1", "");
            assertEquals(200, all.status());
            assertEquals(0, all.body().length);
        }
        assertEquals(
                List.of("files of a1", "files of all of n1", "files of a1", "files of all of n1"),
                List.copyOf(bench.node.sent));
        bench.answerWith(Map.of(), AnswerMeta.ofLeader(1));
        assertEquals("{}", TestBench.text(bench.get("/v1/client/allocation/a1/checks")));
    }

    @Test
    void figuresOfServerAndNode_areTogether_andOfANodeAloneItsOwn() throws Exception {
        Metrics.Figure ofServer = new Metrics.Figure(Map.of(), "s", 1);
        Metrics.Figure ofNode = new Metrics.Figure(Map.of("host", "vm"), "n", 2);
        bench.answerWith(figures(ofServer), AnswerMeta.ofLeader(1));
        bench.node.metrics = figures(ofNode);
        assertEquals(
                "# TYPE n gauge\nn{host=\"vm\"} 2\n# TYPE s gauge\ns 1\n",
                TestBench.text(bench.get("/v1/metrics?format=prometheus")));
        Dispatcher alone =
                new Dispatcher(
                        Guard.local(),
                        Routes.of(bench.node, Whereabouts.HERE),
                        List::of,
                        (where, fault) -> bench.faults.add(where),
                        () -> "1a2b3c4d-5e6f");
        Request request =
                Request.of(
                        "GET",
                        "/v1/metrics?format=prometheus",
                        Map.of("host", "127.0.0.1:4646"),
                        new byte[0],
                        4646);
        assertEquals(
                "# TYPE n gauge\nn{host=\"vm\"} 2\n",
                TestBench.text(Encoded.of(alone.answer(request), request)));
    }

    private static Metrics figures(Metrics.Figure one) {
        return new Metrics(List.of(), List.of(one), List.of(), List.of(), List.of(), "now");
    }

    @Test
    void evaluationsAreDeletedByIdsOrByAnExpression_andNotByBothOrNeither() throws Exception {
        bench.answerWith(new EvalDeleteResponse(2, 9, 0), AnswerMeta.ofLeader(9));
        Encoded done =
                bench.send(
                        "DELETE",
                        "/v1/evaluations",
                        "{\"EvalIDs\":[\"e1\",\"e2\"],\"Filter\":\"\"}");
        assertEquals(
                List.of("evaluations.delete", new WriteQuery("default", ""), List.of("e1", "e2")),
                bench.cluster.asked);
        assertEquals("{\"Count\":2,\"Index\":9,\"Kept\":0}", TestBench.text(done));
        bench.send("DELETE", "/v1/evaluations", "{\"Filter\":\"Status == complete\"}");
        assertEquals("evaluations.deleteMatching", bench.cluster.asked.getFirst());
        for (String body :
                List.of("{}", "{\"EvalIDs\":[\"e\"],\"Filter\":\"Status == complete\"}", "")) {
            assertEquals(400, bench.send("DELETE", "/v1/evaluations", body).status(), body);
        }
        assertEquals(
                400,
                bench.send("DELETE", "/v1/evaluations", "{\"Filter\":\"Status ==\"}").status());
    }

    @Test
    void jobsAreToldOf_allInPages_orThoseThatAreNamed() throws Exception {
        bench.answerWith(Rows.of(List.of()), AnswerMeta.ofLeader(3).withNextToken("5.default.a"));
        Encoded page = bench.get("/v1/jobs/statuses?per_page=2&reverse=true&include_children=true");
        assertEquals("5.default.a", page.headers().get("X-Nomad-Nexttoken"));
        assertEquals("jobs.statuses", bench.cluster.asked.getFirst());
        assertEquals(true, bench.cluster.asked.get(2));
        bench.send("POST", "/v1/jobs/statuses", "{\"include_children\":true,\"jobs\":[]}");
        assertEquals("jobs.statuses", bench.cluster.asked.getFirst());
        bench.send(
                "POST",
                "/v1/jobs/statuses",
                "{\"jobs\":[{\"id\":\"web\",\"namespace\":\"prod\"}]}");
        assertEquals("jobs.statusesOf", bench.cluster.asked.getFirst());
        assertEquals(
                List.of(new JobStatusesRequest.Name("web", "prod")), bench.cluster.asked.get(2));
    }

    @Test
    void evaluatingANode_answersTheEvaluations_andWhatOnlyNodesAreTold_empty() throws Exception {
        bench.answerWith(
                NodeEvaluateResponse.of(List.of("e1", "e2"), 9, 4), AnswerMeta.ofLeader(9));
        Encoded reply = bench.send("POST", "/v1/node/n1/evaluate", "");
        assertEquals(
                List.of("nodes.evaluate", new WriteQuery("default", ""), "n1"),
                bench.cluster.asked);
        assertEquals("9", reply.headers().get("X-Nomad-Index"));
        assertEquals(
                """
                {"EvalCreateIndex":9,"EvalIDs":["e1","e2"],"HeartbeatTTL":0,"Index":9,\
                "KnownLeader":false,"LastContact":0,"LeaderRPCAddr":"","NodeModifyIndex":4,\
                "NumNodes":0,"Servers":null}""",
                TestBench.text(reply));
        assertNull(NodeEvaluateResponse.of(List.of(), 9, 4).EvalIDs());
    }

    @Test
    void serversAreThePeers_andAreNotSaidAnew() throws Exception {
        bench.answerWith(List.of("127.0.0.1:4646"), AnswerMeta.ofLeader(1));
        assertEquals("[\"127.0.0.1:4646\"]", TestBench.text(bench.get("/v1/agent/servers")));
        Encoded refused = bench.send("PUT", "/v1/agent/servers?address=10.0.0.1:4647", "");
        assertEquals(400, refused.status());
        assertTrue(
                TestBench.text(refused).startsWith("the servers of a node are those it was"),
                TestBench.text(refused));
    }

    @ParameterizedTest
    @CsvSource({"true, 200", "false, 429"})
    void theHealthOfTheMembers_isInTheStatusToo(boolean isHealthy, int status) throws Exception {
        bench.answerWith(
                new AutopilotHealth(isHealthy, 0, List.of(), "m1", List.of("m1")),
                AnswerMeta.ofLeader(1));
        Encoded reply = bench.get("/v1/operator/autopilot/health");
        assertEquals(status, reply.status());
        assertEquals(
                "{\"FailureTolerance\":0,\"Healthy\":"
                        + isHealthy
                        + ",\"Leader\":\"m1\",\"Servers\":[],\"Voters\":[\"m1\"]}",
                TestBench.text(reply));
    }

    @Test
    void nothingIsDoneWithMembersUnasked_andNothingElseIsTaken() throws Exception {
        bench.answerWith(AutopilotConfiguration.NOTHING, AnswerMeta.ofLeader(1));
        String path = "/v1/operator/autopilot/configuration";
        assertEquals(
                """
                {"CleanupDeadServers":false,"CreateIndex":0,"DisableUpgradeMigration":false,\
                "EnableCustomUpgrades":false,"EnableRedundancyZones":false,\
                "LastContactThreshold":"0s","MaxTrailingLogs":0,"MinQuorum":0,"ModifyIndex":0,\
                "ServerStabilizationTime":"0s"}""",
                TestBench.text(bench.get(path)));
        Encoded refused = bench.send("PUT", path + "?cas=0", "{\"CleanupDeadServers\":true}");
        assertEquals(400, refused.status());
        assertTrue(TestBench.text(refused).startsWith("there is no autopilot here"));
    }

    @Test
    void aFuzzySearchIsOfTheBody() throws Exception {
        bench.answerWith(
                new FuzzySearchResponse(
                        7,
                        true,
                        0,
                        Map.of("plugins", List.of(new FuzzySearchResponse.Match("efs", List.of()))),
                        "",
                        Map.of("plugins", false)),
                AnswerMeta.ofLeader(7));
        Encoded reply =
                bench.send(
                        "POST",
                        "/v1/search/fuzzy?namespace=*",
                        "{\"Text\":\"fs\",\"Context\":\"plugins\"}");
        assertEquals("operator.fuzzySearch", bench.cluster.asked.getFirst());
        assertEquals(new FuzzySearchRequest("plugins", "fs"), bench.cluster.asked.get(2));
        assertTrue(TestBench.text(reply).contains("\"Matches\":{\"plugins\":[{\"ID\":\"efs\"}]}"));
    }

    @Test
    void aQuarantineIsEndedWithTheWordsOfTheBody() throws Exception {
        bench.send(
                "POST", "/v1/node/n1/quarantine", "{\"Accept\":true,\"MachineIsOff\":\"web-1\"}");
        assertEquals(
                List.of(
                        "nodes.quarantine",
                        new WriteQuery("default", ""),
                        "n1",
                        new NodeQuarantineRequest(true, "web-1", "")),
                bench.cluster.asked);
    }

    @Test
    void anAllocationsIdHasItsLength() throws Exception {
        Encoded reply = bench.get("/v1/allocation/abc");
        assertEquals(500, reply.status());
        assertEquals(
                "alloc lookup failed: index error: UUID must be 36 characters",
                TestBench.text(reply));
    }

    @Test
    void secretsOfADeletionComeInAHeader() throws Exception {
        bench.send(
                "DELETE",
                "/v1/volume/csi/v%5B0%5D/delete",
                "",
                Map.of("x-nomad-csi-secrets", "k=v,k2=a=b"));
        assertEquals("v[0]", bench.cluster.asked.get(2));
        assertEquals(Map.of("k", "v", "k2", "a=b"), bench.cluster.asked.get(3));
        bench.send("DELETE", "/v1/volume/csi/v[0]/delete", "", Map.of("x-nomad-csi-secrets", ""));
        assertEquals("v[0]", bench.cluster.asked.get(2));
        assertEquals(Map.of(), bench.cluster.asked.get(3));
    }

    @Test
    void detachingNeedsANode() throws Exception {
        assertEquals(
                "detach requires node ID",
                TestBench.text(bench.send("DELETE", "/v1/volume/csi/v/detach", "")));
        bench.send("DELETE", "/v1/volume/csi/v/detach?node=n&abandon=true", "");
        assertEquals(
                List.of("volumes.detach", new WriteQuery("default", ""), "v", "n", true, ""),
                bench.cluster.asked);
        bench.send("DELETE", "/v1/volume/csi/v/detach?node=n&abandon=true&machine_is_off=m", "");
        assertEquals(
                List.of("volumes.detach", new WriteQuery("default", ""), "v", "n", true, "m"),
                bench.cluster.asked);
    }

    @Test
    void aRequestIdIsPassedOn() throws Exception {
        bench.send("DELETE", "/v1/volume/csi/v", "", Map.of("x-cleat-request-id", "r-1"));
        assertEquals(new WriteQuery("default", "r-1"), bench.cluster.asked.get(1));
        assertEquals(
                400,
                bench.send("DELETE", "/v1/volume/csi/v", "", Map.of("x-cleat-request-id", "a b"))
                        .status());
    }

    @Test
    void aSickPartIsAnErrorOfTheAgent() throws Exception {
        bench.node.body =
                new AgentHealth(
                        new AgentHealth.Part("ok", true), new AgentHealth.Part("no leader", false));
        assertEquals(500, bench.get("/v1/agent/health").status());
        Encoded client = bench.get("/v1/agent/health?type=client");
        assertEquals(200, client.status());
        assertEquals("{\"client\":{\"message\":\"ok\",\"ok\":true}}", TestBench.text(client));
    }

    @Test
    void whatWasWrittenForAJobIsGivenByItsVersion() throws Exception {
        bench.answerWith(
                new JobSubmission("job \"web\" {}", "hcl2", Map.of(), ""), AnswerMeta.ofLeader(3));
        Encoded reply = bench.get("/v1/job/web/submission?version=2");
        assertEquals(
                "{\"Format\":\"hcl2\",\"Source\":\"job \\\"web\\\" {}\",\"VariableFlags\":{},"
                        + "\"Variables\":\"\"}",
                TestBench.text(reply));
        assertEquals("web", bench.cluster.asked.get(2));
        assertEquals(OptionalLong.of(2), bench.cluster.asked.get(3));
        bench.answerWith(null, AnswerMeta.ofLeader(3));
        Encoded none = bench.get("/v1/job/web/submission");
        assertEquals(404, none.status());
        assertEquals("job source not found", TestBench.text(none));
        assertEquals(400, bench.get("/v1/job/web/submission?version=x").status());
    }

    @Test
    void tasksAreRestartedByNameOrThoseThatRunOrAllFromTheFirst() throws Exception {
        String path = "/v1/client/allocation/a/restart";
        bench.send("PUT", path, "{\"TaskName\":\"t\"}");
        bench.send("PUT", path, "{\"AllTasks\":false}");
        bench.send("PUT", path, "{\"AllTasks\":true}");
        assertEquals(
                List.of("restart of t of a", "restart of  of a", "restart of all of a"),
                List.copyOf(bench.node.sent));
        assertEquals(
                400, bench.send("PUT", path, "{\"AllTasks\":true,\"TaskName\":\"t\"}").status());
    }

    /** Clients took "not found" for an answer to what they had asked about. */
    @ParameterizedTest
    @CsvSource({
        "PUT, /v1/node/pool/gpu, 400, none is made or removed",
        "GET, /v1/quotas, 501, quotas are not served here",
        "PUT, /v1/operator/snapshot, 400, a server that runs is not restored",
        "GET, /v1/acl/token/self, 400, ACL support disabled"
    })
    void whatIsNotServed_saysSoAndWhatToUse(String method, String path, int status, String words)
            throws Exception {
        Encoded reply = bench.send(method, path, "");
        assertEquals(status, reply.status());
        assertTrue(TestBench.text(reply).contains(words), TestBench.text(reply));
    }

    @Test
    void noPathThatIsServed_isSaidToBeAbsent() throws Exception {
        for (Route route : Routes.of(bench.cluster, bench.node, Whereabouts.HERE)) {
            Request asked = Request.of("GET", route.pattern(), Map.of(), new byte[0], 4646);
            assertTrue(AbsentPaths.reply(asked).isEmpty(), route.pattern());
        }
    }

    @Test
    void emptyBodiesOfEvaluateAndRestart_areFine() throws Exception {
        bench.send("PUT", "/v1/client/allocation/a/restart", "");
        assertEquals(List.of("restart of  of a"), List.copyOf(bench.node.sent));
        bench.answerWith(Json.read("{}", JobRegisterResponse.class), AnswerMeta.ofLeader(1));
        assertEquals(200, bench.send("PUT", "/v1/job/j/evaluate", "").status());
        assertEquals("jobs.evaluate", bench.cluster.asked.getFirst());
    }

    /** `volume register` of a file without an id was answered 404, without a word. */
    @ParameterizedTest
    @CsvSource({
        "PUT, /v1/volume/csi/",
        "DELETE, /v1/volume/csi/",
        "GET, /v1/job//summary",
        "GET, /v1/allocation/"
    })
    void aPathWithoutItsId_isRefusedInWords(String method, String path) throws Exception {
        Encoded reply = bench.send(method, path, "{}");
        assertEquals(400, reply.status());
        assertEquals("the path has an empty \"id\": name what is meant", TestBench.text(reply));
    }

    @Test
    void anUnknownTaskHasNoLogs() throws Exception {
        Encoded reply = bench.get("/v1/client/fs/logs/a?task=x&type=stdout");
        assertEquals(404, reply.status());
        assertEquals("unknown task name \"x\"", TestBench.text(reply));
    }

    @Test
    void aFaultOfOursIsReportedAndAnswered() throws Exception {
        Encoded reply = bench.get("/v1/status/leader");
        assertEquals(500, reply.status());
        assertEquals(
                "internal error; request id 1a2b3c4d: the agent's log says more of it",
                TestBench.text(reply));
        assertEquals("1a2b3c4d", reply.headers().get("X-Request-Id"));
        assertEquals(List.of("http GET /v1/status/leader, request 1a2b3c4d"), bench.faults);
    }

    @ParameterizedTest
    @CsvSource({
        "evil.example:4646, '', '', 403",
        "127.0.0.1:80, '', '', 403",
        "127.0.0.1, '', '', 403",
        "'', '', '', 403",
        "localhost:4646, http://evil.example, '', 403",
        "localhost:4646, null, '', 403",
        "localhost:4646, '', cross-site, 403",
        "localhost:4646, http://localhost:4646, same-origin, 200",
        "LOCALHOST:4646, '', '', 200",
        "[::1]:4646, '', '', 200",
        "127.0.0.1:4646, '', none, 200",
    })
    void onlyWhoMeansThisAgentIsLetIn(String host, String origin, String site, int status)
            throws Exception {
        Request request =
                Request.of(
                        "GET",
                        "/v1/regions",
                        Map.of("host", host, "origin", origin, "sec-fetch-site", site),
                        new byte[0],
                        4646);
        assertEquals(status, bench.dispatcher.answer(request).status());
    }

    @Test
    void aLargeBodyIsCompressedOnDemand() throws Exception {
        bench.answerWith(decodedVolume(), AnswerMeta.ofLeader(1));
        Encoded plain = bench.get("/v1/volume/csi/v?pretty");
        assertTrue(plain.body().length > 1400);
        assertTrue(TestBench.text(plain).endsWith("}\n"));
        Encoded zipped =
                bench.send(
                        "GET",
                        "/v1/volume/csi/v?pretty",
                        "",
                        Map.of("accept-encoding", "gzip, br"));
        assertEquals("gzip", zipped.headers().get("Content-Encoding"));
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped.body()))) {
            assertEquals(
                    TestBench.text(plain), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        Encoded compact = bench.get("/v1/volume/csi/v?pretty=0");
        assertTrue(TestBench.text(compact).endsWith("}"));
    }

    private static Object decodedVolume() throws Exception {
        return decoded(recorded("43-volume-claimed").get("body"), "CsiVolume");
    }

    @Test
    void anExternalListHasItsPluginsToken() throws Exception {
        bench.answerWith(
                Json.read("{\"NextToken\":\"x\"}", ExternalVolumeResponse.class),
                AnswerMeta.ofLeader(1));
        Encoded reply = bench.get("/v1/volumes/external?plugin_id=p&per_page=30&next_token=1");
        assertEquals(
                List.of("volumes.external", ReadQuery.now("default"), "p", 30, "1"),
                bench.cluster.asked);
        assertEquals(
                Optional.empty(), Optional.ofNullable(reply.headers().get("X-Nomad-Nexttoken")));
    }

    @Test
    void theVolumeOfAPathWithABodyIsTheBodys() throws Exception {
        bench.answerWith(Json.read("{}", CsiVolumeResponse.class), AnswerMeta.ofLeader(3));
        bench.send("PUT", "/v1/volume/csi/other", "{\"Volumes\":[{\"ID\":\"v\"}]}");
        CsiVolumeRequest request = (CsiVolumeRequest) bench.cluster.asked.get(2);
        assertNotNull(request.Volumes());
        CsiVolume volume = request.Volumes().getFirst();
        assertEquals("v", volume.ID());
    }
}
