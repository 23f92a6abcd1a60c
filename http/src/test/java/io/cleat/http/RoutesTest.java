package io.cleat.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AgentHealth;
import io.cleat.api.AnswerMeta;
import io.cleat.api.Json;
import io.cleat.api.Metrics;
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
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What is alike for all routes, without a socket: how requests are read, and answers written. */
class RoutesTest {
    private static final ObjectMapper PLAIN = new ObjectMapper();

    private final TestBench bench = new TestBench();

    private static JsonNode recorded(String name) throws IOException {
        try (InputStream in = RoutesTest.class.getResourceAsStream("/recorded/" + name + ".json")) {
            assertNotNull(in, name);
            return PLAIN.readTree(in);
        }
    }

    private static Object decoded(JsonNode body, String record) throws Refused, ClassNotFoundException {
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
                "/v1/agent/monitor?log_level=loud | Unknown log level: \"loud\"; expected trace, debug, info, warn or "
                        + "error",
                "/v1/client/fs/logs/a?type=stdout | must provide task name",
                "/v1/client/fs/logs/a?task=t | must provide log type (stdout/stderr)",
                "/v1/client/fs/logs/a?task=t&type=stdout&origin=x | origin must be start or end",
                "/v1/nodes/%zz | the request's path is not percent-encoded: after each % come two"
                        + " digits from 0 to f",
                "/v1/nodes/% | the request's path is not percent-encoded: after each % come two digits from 0 to f",
                "/v1/nodes?a=%-1 | the request's query is not percent-encoded: after each % come two"
                        + " digits from 0 to f",
                "/v1/job/%ff | the request's path is not percent-encoded UTF-8",
                "/v1/job/%ed%a0%80 | the request's path is not percent-encoded UTF-8",
                "/v1/jobs?prefix=%c3%28 | the request's query is not percent-encoded UTF-8",
                "/v1/job/a%00b | the request's path holds a NUL character at position 1; remove it",
                "/v1/jobs?namespace=%00 | the request's query holds a NUL character at position 0; remove it",
                "* | the request is for no path; expected one that begins with a slash, such as /v1/jobs",
                "http://h/v1/jobs | the request is for no path; expected one that begins with a"
                        + " slash, such as /v1/jobs",
                "'' | the request is for no path; expected one that begins with a slash, such as /v1/jobs",
            })
    void whatCannotBeReadIsABadRequest(String path, String message) throws Exception {
        Encoded reply = bench.get(path);
        assertEquals(400, reply.status());
        assertEquals(message, TestBench.text(reply));
    }

    @Test
    void aPathOfAnyLanguageIsRead() throws Refused {
        Request request =
                Request.of("GET", "/v1/job/%E4%BD%A0+%2F\ud83d\ude00?prefix=a+%2B%C3%BC", Map.of(), new byte[0], 0);
        assertEquals(List.of("v1", "job", "\u4f60+/\ud83d\ude00"), request.segments());
        assertEquals("a +\u00fc", request.text("prefix"));
    }

    @Test
    void aFilterThatCannotBeReadSaysWhere() throws Exception {
        Encoded reply = bench.get("/v1/nodes?filter=ID+%3D%3D");
        assertEquals(400, reply.status());
        assertEquals(
                "failed to create result paginator: failed to read filter expression: 1:6: expected a value",
                TestBench.text(reply));
    }

    @Test
    void aBlockingQueryIsPassedOn() throws Exception {
        bench.answerWith(List.of(), AnswerMeta.ofLeader(9));
        bench.get("/v1/nodes?index=8&wait=5000ms&stale&namespace=*&prefix=ab&per_page=2&next_token=t&reverse=true");
        assertEquals(
                new ListQuery(
                        new ReadQuery("*", 8, Duration.ofSeconds(5), true, EarlyEnd.NEVER),
                        "ab",
                        Filter.ALL,
                        2,
                        "t",
                        true),
                bench.sample.asked.get(1));
    }

    @Test
    void theLongestWaitIsFiveMinutes() throws Exception {
        bench.answerWith(List.of(), AnswerMeta.ofLeader(9));
        bench.get("/v1/nodes?index=8&wait=1h1m");
        ListQuery query = (ListQuery) bench.sample.asked.get(1);
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
        assertEquals(400, bench.send("PUT", "/v1/jobs", "{\"Job\":").status());
    }

    @Test
    void severalFaultsAreListed() throws Exception {
        bench.sample.refusal = new Refusal.Invalid(List.of("a", "b"));
        assertEquals(
                "2 errors occurred:\n\t* a\n\t* b\n\n",
                TestBench.text(bench.send("PUT", "/v1/jobs", "{\"Job\":{\"ID\":\"b\"}}")));
    }

    @Test
    void filesOfWhatHasEnded_areGivenUpByEitherVerb_andChecksAreShown() throws Exception {
        for (String verb : List.of("GET", "POST")) {
            assertEquals(
                    200, bench.send(verb, "/v1/client/allocation/a1/gc", "").status());
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
        bench.figures = figures(ofServer);
        bench.node.metrics = figures(ofNode);
        assertEquals(
                "# TYPE n gauge\nn{host=\"vm\"} 2\n# TYPE s gauge\ns 1\n",
                TestBench.text(bench.get("/v1/metrics?format=prometheus")));
        Dispatcher alone = new Dispatcher(
                Guard.local(),
                Routes.of(bench.node, AgentLocator.HERE),
                List::of,
                (where, fault) -> bench.faults.add(where),
                () -> "1a2b3c4d-5e6f");
        Request request =
                Request.of("GET", "/v1/metrics?format=prometheus", Map.of("host", "127.0.0.1:4646"), new byte[0], 4646);
        assertEquals("# TYPE n gauge\nn{host=\"vm\"} 2\n", TestBench.text(Encoded.of(alone.answer(request), request)));
    }

    private static Metrics figures(Metrics.Figure one) {
        return new Metrics(List.of(), List.of(one), List.of(), List.of(), List.of(), "now");
    }

    @Test
    void aRequestIdIsPassedOn() throws Exception {
        bench.send("DELETE", "/v1/volume/csi/v", "", Map.of("x-cleat-request-id", "r-1"));
        assertEquals(new WriteQuery("default", "r-1"), bench.sample.asked.get(1));
        assertEquals(
                400,
                bench.send("DELETE", "/v1/volume/csi/v", "", Map.of("x-cleat-request-id", "a b"))
                        .status());
    }

    @Test
    void aSickPartIsAnErrorOfTheAgent() throws Exception {
        bench.node.body = new AgentHealth(new AgentHealth.Part("ok", true), new AgentHealth.Part("no leader", false));
        assertEquals(500, bench.get("/v1/agent/health").status());
        Encoded client = bench.get("/v1/agent/health?type=client");
        assertEquals(200, client.status());
        assertEquals("{\"client\":{\"message\":\"ok\",\"ok\":true}}", TestBench.text(client));
    }

    @Test
    void tasksAreRestartedByNameOrThoseThatRunOrAllFromTheFirst() throws Exception {
        String path = "/v1/client/allocation/a/restart";
        bench.send("PUT", path, "{\"TaskName\":\"t\"}");
        bench.send("PUT", path, "{\"AllTasks\":false}");
        bench.send("PUT", path, "{\"AllTasks\":true}");
        assertEquals(
                List.of("restart of t of a", "restart of  of a", "restart of all of a"), List.copyOf(bench.node.sent));
        assertEquals(
                400,
                bench.send("PUT", path, "{\"AllTasks\":true,\"TaskName\":\"t\"}")
                        .status());
    }

    /** Clients took "not found" for an answer to what they had asked about. */
    @ParameterizedTest
    @CsvSource({"GET, /v1/quotas, 501, quotas are not served here", "GET, /v1/acl/token/self, 400, ACL support disabled"
    })
    void whatIsNotServed_saysSoAndWhatToUse(String method, String path, int status, String words) throws Exception {
        Encoded reply = bench.send(method, path, "");
        assertEquals(status, reply.status());
        assertTrue(TestBench.text(reply).contains(words), TestBench.text(reply));
    }

    @Test
    void anEmptyBodyOfARestart_isFine() throws Exception {
        bench.send("PUT", "/v1/client/allocation/a/restart", "");
        assertEquals(List.of("restart of  of a"), List.copyOf(bench.node.sent));
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
        assertEquals("internal error; request id 1a2b3c4d: the agent's log says more of it", TestBench.text(reply));
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
    void onlyWhoMeansThisAgentIsLetIn(String host, String origin, String site, int status) throws Exception {
        Request request = Request.of(
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
        Encoded zipped = bench.send("GET", "/v1/volume/csi/v?pretty", "", Map.of("accept-encoding", "gzip, br"));
        assertEquals("gzip", zipped.headers().get("Content-Encoding"));
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped.body()))) {
            assertEquals(TestBench.text(plain), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        Encoded compact = bench.get("/v1/volume/csi/v?pretty=0");
        assertTrue(TestBench.text(compact).endsWith("}"));
    }

    private static Object decodedVolume() throws Exception {
        return decoded(recorded("43-volume-claimed").get("body"), "CsiVolume");
    }

    @Test
    void aPatternOfARest_takesNothingElse() {
        PathPattern pattern = PathPattern.of("/v1/var/*path");
        assertEquals(Optional.empty(), pattern.match(List.of("v1", "vars", "a")));
        assertEquals(Optional.empty(), pattern.match(List.of("v1", "var")));
        assertEquals(Optional.of(Map.of("path", "a/b")), pattern.match(List.of("v1", "var", "a", "b")));
    }
}
