package io.cleat.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExecSession;
import io.cleat.driver.ExitResult;
import io.cleat.driver.Starting;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskLost;
import io.cleat.model.DriverFacts;
import io.cleat.model.Resources;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An engine that is not well, as the driver {@code docker} meets it. */
@Timeout(60)
class DockerTroubleTest {
    private static final String ALLOCATION = "8c1b2d3e-0000-4000-8000-000000000001";
    private static final String RUN = ALLOCATION + "/web/00000001";
    private static final String IMAGE = "/images/registry.example/app:1/json";
    private static final String HAVE = "{\"Id\":\"sha256:1\"}";

    @TempDir
    Path root;

    private FakeEngine engine;
    private DockerGround ground;

    @BeforeEach
    void begin() throws Exception {
        engine = new FakeEngine(root.resolve("engine.sock"));
        ground = new DockerGround(root, DockerGround.settings(engine.socket()));
    }

    @AfterEach
    void end() throws IOException {
        ground.end();
        engine.close();
    }

    private TaskConfig config(String id) {
        return config(id, Map.of("image", "registry.example/app:1"));
    }

    private TaskConfig config(String id, Map<String, Object> block) {
        return ground.config(id, block, Resources.NONE, List.of(), true);
    }

    @Test
    void theFirstAnswerOfAnEngineThatWasWaitedForInVain_isTold() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        engine.on("GET", "/version", (request, out, in) -> {
            answers.await();
            FakeEngine.json(200, FakeEngine.VERSION).to(request, out, in);
        });
        ground.restart();
        int before = ground.told();
        assertFalse(ground.driver().fingerprint().healthy());
        answers.countDown();
        Eventually.holds(() -> ground.told() > before, "it is told that the engine answers");
        assertTrue(ground.driver().fingerprint().healthy());
    }

    /** Podman started several programs each time that it was asked who it is, every 15 seconds. */
    @Test
    void anEngineThatAnswers_isAskedWhoItIsOnce_andAgainWhenItIsAnother(@TempDir Path other) throws Exception {
        // Its pauses are over at once.
        DockerGround looking = new DockerGround(other, DockerGround.settings(engine.socket()), new FakeTime());
        try {
            Eventually.holds(() -> engine.count("GET /_ping") > 100, "it is pinged again and again");
            long asked = engine.count("GET /version");
            assertTrue(asked < engine.count("GET /_ping") / 10, asked + " times");
            engine.on("GET", "/version", FakeEngine.json(200, FakeEngine.VERSION.replace("1.43", "1.42")));
            engine.on("GET", "/_ping", FakeEngine.ping("Fake/2"));
            Eventually.holds(
                    () -> "1.42"
                            .equals(looking.driver().fingerprint().attributes().get("driver.docker.api")),
                    "the other engine is asked who it is");
        } finally {
            looking.end();
        }
    }

    private DriverTrouble refused() {
        return assertThrows(DriverTrouble.class, () -> ground.driver().start(config(RUN)));
    }

    private Set<String> marks() throws IOException {
        Path marks = root.resolve("docker/containers");
        if (!Files.isDirectory(marks)) {
            return Set.of();
        }
        try (var all = Files.list(marks)) {
            return Set.copyOf(all.map(path -> path.getFileName().toString()).toList());
        }
    }

    @Test
    void anImageThatIsAtNoRegistryIsToBeLoaded() {
        engine.on("POST", "/images/create", (request, out, in) -> stream(out, "{\"error\":\"connection refused\"}"));
        DriverTrouble trouble = assertThrows(
                DriverTrouble.class, () -> ground.driver().start(config(RUN, Map.of("image", "localhost/app:1"))));
        assertTrue(trouble.reason().contains("load it into the engine"), trouble.reason());
    }

    /** Asked as Docker is, it would look without a pause. */
    @Test
    void podmanIsAskedByItsOwnApiToWait() throws Exception {
        engine.on("GET", "/version", FakeEngine.json(200, """
                        {"ApiVersion":"1.41","MinAPIVersion":"1.24","Components":
                         [{"Name":"Podman Engine","Details":{"APIVersion":"4.3.1"}}]}"""));
        engine.on(
                "POST",
                "/v4.3.1/libpod/containers/[^/]+/wait\\?condition=stopped&condition=exited&interval=",
                (request, out, in) -> {
                    has(container("exited", 3, false));
                    FakeEngine.json(200, "3").to(request, out, in);
                });
        ground.restart();
        assertEquals("Podman Engine", ground.driver().fingerprint().attributes().get("driver.docker.engine"));
        letsStart();
        TaskHandle task = ground.driver().start(config(RUN));
        assertEquals(3, ground.driver().await(task).exitCode());
        assertEquals(0, engine.count("POST /containers/" + task.state() + "/wait"));
    }

    /** A container that is in that state. */
    private String container(String state, int code, boolean oom) {
        return """
               {"Id":"c1","Name":"/x","Image":"sha256:1",
                "State":{"Status":"%s","ExitCode":%d,"OOMKilled":%s,"Pid":0,
                         "StartedAt":"2026-01-01T00:00:00Z","FinishedAt":"2026-01-01T00:00:01Z"},
                "Config":{"Labels":{"io.cleat.node":"%s","io.cleat.run":"%s"}}}""".formatted(state, code, oom, ground.node(), RUN);
    }

    private void has(String container) {
        engine.on("GET", "/containers/[^/]+/json", FakeEngine.json(200, container));
    }

    private void letsStart() {
        engine.on("GET", IMAGE, FakeEngine.json(200, HAVE));
        engine.on("POST", "/containers/create", (request, out, in) -> {
            has(container("running", 0, false));
            FakeEngine.json(201, "{\"Id\":\"c1\"}").to(request, out, in);
        });
        engine.on("POST", "/containers/[^/]+/start", FakeEngine.json(204, ""));
        engine.on("DELETE", "/containers/", (request, out, in) -> {
            engine.on("GET", "/containers/[^/]+/json", FakeEngine.json(404, "{\"message\":\"gone\"}"));
            FakeEngine.json(204, "").to(request, out, in);
        });
    }

    private void pulls(String... lines) {
        engine.on("POST", "/images/create", (request, out, in) -> {
            engine.on("GET", IMAGE, FakeEngine.json(200, HAVE));
            stream(out, lines);
        });
    }

    private static void stream(OutputStream out, String... lines) throws IOException {
        out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(US_ASCII));
        for (String line : lines) {
            byte[] bytes = (line + "\r\n").getBytes(UTF_8);
            out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(US_ASCII));
            out.write(bytes);
            out.write("\r\n".getBytes(US_ASCII));
        }
        out.write("0\r\n\r\n".getBytes(US_ASCII));
    }

    @Test
    void anAbsentEngineIsSaidToBeAbsent_andNothingOfANodeWithoutContainersAsksIt() throws Exception {
        engine.close();
        ground.restart();
        DriverFacts facts = ground.driver().fingerprint();
        assertFalse(facts.detected());
        assertTrue(facts.healthDescription().contains("-docker-socket"), facts.toString());
        assertEquals(Set.of(), ground.driver().allocations());
        assertEquals(List.of(), ground.driver().live(ALLOCATION));
        DriverTrouble trouble = refused();
        assertEquals(Effect.NONE, trouble.effect());
        assertTrue(trouble.reason().contains("cannot be reached"), trouble.reason());
    }

    @Test
    void anEngineThatSpeaksOtherVersionsIsUnhealthyAndSaysWhich() {
        for (String theirs : List.of("\"1.60\",\"MinAPIVersion\":\"1.50\"", "\"1.20\"")) {
            engine.on("GET", "/version", FakeEngine.json(200, "{\"ApiVersion\":" + theirs + "}"));
            ground.restart();
            DriverFacts facts = ground.driver().fingerprint();
            assertFalse(facts.healthy());
            assertTrue(facts.healthDescription().contains("1.40 to 1.47"), facts.healthDescription());
        }
    }

    @Test
    void anEngineThatHangsKeepsNobodyWaitingWhoOnlyAsksHowItIs() {
        engine.on("GET", "/version", FakeEngine.silence());
        ground.restart();
        DriverFacts facts = ground.driver().fingerprint();
        assertFalse(facts.healthy());
        assertTrue(facts.healthDescription().contains("not answered yet"), facts.toString());
    }

    @Test
    void whatIsNoAnswerIsTold_andNothingIsBegun() throws Exception {
        for (String garbage : List.of(
                "hello\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{]}",
                "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 500 Oh\r\n\r\n<html>proxy</html>",
                "")) {
            engine.on("GET", IMAGE, FakeEngine.raw(garbage));
            DriverTrouble trouble = refused();
            assertEquals(Effect.NONE, trouble.effect(), garbage);
            assertTrue(trouble.reason().contains("engine"), trouble.reason());
            assertEquals(Set.of(), marks(), garbage);
        }
    }

    @Test
    void whatARegistryRefusesIsToldWithWhatToDo() throws Exception {
        Map<String, String> answers = Map.of(
                "unauthorized: authentication required", "auth block",
                "toomanyrequests: You have reached your pull rate limit", "tried again",
                "manifest for app:9 not found: manifest unknown", "name and tag");
        for (Map.Entry<String, String> each : answers.entrySet()) {
            String json = "{\"error\":\"" + each.getKey() + "\"}";
            engine.on("POST", "/images/create", (request, out, in) -> stream(out, json));
            DriverTrouble inStream = refused();
            assertTrue(inStream.reason().contains(each.getValue()), inStream.reason());
            assertEquals(Effect.NONE, inStream.effect());
            engine.on("POST", "/images/create", FakeEngine.json(500, "{\"message\":\"" + each.getKey() + "\"}"));
            assertTrue(refused().reason().contains(each.getValue()), inStream.reason());
        }
        engine.on("POST", "/images/create", FakeEngine.raw("HTTP/1.1 200 OK\r\n\r\n{\"sta"));
        assertTrue(refused().reason().contains("cannot be read"));
        assertEquals(Set.of(), marks());
    }

    @Test
    void aPullThatHangsEndsInTime_andOneThatNobodyWantsEndsAtOnce() throws Exception {
        engine.on("POST", "/images/create", FakeEngine.silence());
        Map<String, Object> short1 = Map.of("image", "registry.example/app:1", "image_pull_timeout", "1s");
        DriverTrouble late =
                assertThrows(DriverTrouble.class, () -> ground.driver().start(config(RUN, short1)));
        assertTrue(late.reason().contains("image_pull_timeout"), late.reason());
        AtomicBoolean isWanted = new AtomicBoolean(true);
        Starting starting = new Starting() {
            @Override
            public void told(String words) {
                isWanted.set(false);
            }

            @Override
            public boolean isWanted() {
                return isWanted.get();
            }
        };
        DriverTrouble unwanted =
                assertThrows(DriverTrouble.class, () -> ground.driver().start(config(RUN), starting));
        assertTrue(unwanted.reason().contains("not wanted"), unwanted.reason());
    }

    @Test
    void anImageIsPulledOnceForAllThatWaitForIt() throws Exception {
        letsStart();
        engine.on("GET", IMAGE, FakeEngine.json(404, "{\"message\":\"none\"}"));
        CountDownLatch all = new CountDownLatch(1);
        engine.on("POST", "/images/create", (request, out, in) -> {
            all.await();
            engine.on("GET", IMAGE, FakeEngine.json(200, HAVE));
            stream(out, "{\"status\":\"Pull complete\",\"id\":\"a\"}");
        });
        // Each is another container: the fake has one state for all of them.
        engine.on("POST", "/containers/create", FakeEngine.json(201, "{}"));
        Set<Integer> waiting = ConcurrentHashMap.newKeySet();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<TaskHandle>> starts = List.of(1, 2, 3, 4).stream()
                    .map(i -> threads.submit(
                            () -> ground.driver().start(config(ALLOCATION + "/web/0000000" + i), whoWaits(waiting, i))))
                    .toList();
            Eventually.holds(() -> waiting.size() == 4, "all wait for it");
            Eventually.holds(() -> engine.count("POST /images/create") > 0, "it is pulled");
            all.countDown();
            for (Future<TaskHandle> start : starts) {
                start.get();
            }
        }
        assertEquals(1, engine.count("POST /images/create"));
        assertEquals(4, marks().size());
    }

    /** A start that is wanted; asked whether it is, it waits for its image. */
    private static Starting whoWaits(Set<Integer> waiting, int start) {
        return new Starting() {
            @Override
            public void told(String words) {}

            @Override
            public boolean isWanted() {
                waiting.add(start);
                return true;
            }
        };
    }

    @Test
    void credentialsGoToTheEngineInTheFieldForThem_andIntoNoWords() throws Exception {
        pulls("{\"error\":\"denied\"}");
        Map<String, Object> block = Map.of(
                "image", "registry.example/app:1", "auth", List.of(Map.of("username", "ann", "password", "geheim")));
        DriverTrouble trouble =
                assertThrows(DriverTrouble.class, () -> ground.driver().start(config(RUN, block)));
        assertFalse(trouble.reason().contains("geheim"), trouble.reason());
        String head = engine.requests().stream()
                .filter(each -> each.target().startsWith("/images/create"))
                .findFirst()
                .orElseThrow()
                .head();
        String field = head.substring(head.indexOf("X-Registry-Auth: ") + 17)
                .lines()
                .findFirst()
                .orElseThrow();
        assertEquals(
                Set.of("ann", "geheim", ""),
                Set.copyOf(List.of(text(field, "username"), text(field, "password"), text(field, "serveraddress"))));
    }

    private static String text(String field, String name) {
        String json = new String(Base64.getUrlDecoder().decode(field), UTF_8);
        int at = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return json.substring(at, json.indexOf('"', at));
    }

    @Test
    void aStartThatFailsLeavesNothing() throws Exception {
        letsStart();
        has("{}");
        engine.on("GET", "/containers/[^/]+/json", FakeEngine.json(404, "{\"message\":\"no\"}"));
        engine.on("POST", "/containers/create", (request, out, in) -> {
            has(container("created", 0, false));
            FakeEngine.json(201, "{\"Id\":\"c1\"}").to(request, out, in);
        });
        engine.on(
                "POST",
                "/containers/[^/]+/start",
                FakeEngine.json(400, "{\"message\":\"exec: no-such-program: not found\"}"));
        DriverTrouble trouble = refused();
        assertEquals(Effect.NONE, trouble.effect());
        assertTrue(trouble.reason().contains("no-such-program"), trouble.reason());
        assertEquals(1, engine.count("DELETE /containers/"));
        assertEquals(Set.of(), marks());
    }

    @Test
    void aStartWhoseAnswerIsLostIsLookedAfter() throws Exception {
        letsStart();
        engine.on("POST", "/containers/[^/]+/start", (request, out, in) -> has(container("running", 0, false)));
        TaskHandle task = ground.driver().start(config(RUN));
        assertEquals(List.of(task), ground.driver().live(ALLOCATION));
        engine.on("POST", "/containers/[^/]+/start", (request, out, in) -> engine.die());
        ground.driver().destroy(task);
        DriverTrouble trouble = refused();
        assertEquals(Effect.UNKNOWN, trouble.effect(), trouble.reason());
        // What may run is not forgotten, and counts as running.
        assertEquals(1, marks().size());
        assertEquals(Set.of(ALLOCATION), ground.driver().allocations());
        assertThrows(DriverTrouble.class, () -> ground.driver().live(ALLOCATION));
    }

    /** As Docker does: it switches the connection first, starts the command then, and knows its process last. */
    @Test
    void aCommandIsEndedWhoseCallerGoesBeforeTheEngineKnowsItsProcess() throws Exception {
        letsStart();
        TaskHandle task = ground.driver().start(config(RUN));
        engine.on("POST", "/containers/[^/]+/exec", FakeEngine.json(201, "{\"Id\":\"e1\"}"));
        engine.on("POST", "/exec/e1/start", FakeEngine.raw("HTTP/1.1 101 UPGRADED\r\n\r\n"));
        Queue<String> states = new ArrayDeque<>(List.of(
                "{\"Running\":false,\"ExitCode\":null,\"Pid\":0}",
                "{\"Running\":true,\"ExitCode\":null,\"Pid\":0}",
                "{\"Running\":true,\"ExitCode\":null,\"Pid\":4194305}"));
        engine.on(
                "GET",
                "/exec/e1/json",
                (request, out, in) -> FakeEngine.json(200, states.remove()).to(request, out, in));
        ExecSession session = ground.driver().exec(task, new ExecCommand(List.of("sleep", "1000"), false));
        long before = engine.count("GET /containers/");
        session.close();
        assertEquals(3, engine.count("GET /exec/e1/json"));
        assertEquals(before + 1, engine.count("GET /containers/"), "whose process it is, is looked at");
    }

    @Test
    void anEngineThatDiesAndComesBackDoesNotDisturbWhoWaits() throws Exception {
        letsStart();
        TaskHandle task = ground.driver().start(config(RUN));
        engine.on("POST", "/containers/[^/]+/wait", FakeEngine.silence());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ExitResult> end = threads.submit(() -> ground.driver().await(task));
            Eventually.holds(() -> engine.count("POST /containers/") > 2, "it waits");
            engine.die();
            has(container("exited", 137, true));
            engine.restart();
            assertEquals(new ExitResult(137, 9, true), end.get());
        }
    }

    @Test
    void aContainerThatSomebodyRemovedIsLost_andOneOfAnotherNodeIsNotTouched() throws Exception {
        letsStart();
        TaskHandle task = ground.driver().start(config(RUN));
        has(container("running", 0, false).replace(ground.node(), "another-node"));
        TaskLost lost = assertThrows(TaskLost.class, () -> ground.driver().await(task));
        assertTrue(lost.reason().contains("removed"), lost.reason());
        ground.driver().destroy(task);
        assertEquals(0, engine.count("DELETE /containers/"));
    }

    /** A list with one container of that node. */
    private static String list(String node, String name, String state) {
        return """
               [{"Id":"c1","Names":["/%s"],"State":"%s","Created":1000,
                 "Labels":{"io.cleat.node":"%s","io.cleat.alloc":"%s",
                           "io.cleat.image":"registry.example/app:1"}}]""".formatted(name, state, node, ALLOCATION);
    }

    @ParameterizedTest
    @ValueSource(strings = {"running", "paused", "restarting", "stopping", "removing"})
    void aContainerCountsAsRunningUntilNothingOfItRuns(String state) throws Exception {
        letsStart();
        ground.driver().start(config(RUN));
        String name = marks().iterator().next();
        engine.on("GET", "/containers/json", FakeEngine.json(200, list(ground.node(), name, state)));
        assertEquals(Set.of(ALLOCATION), ground.driver().allocations());
    }

    @Test
    void whatNobodyKnowsIsRemoved_andNeverWhatIsAnothers() throws Exception {
        letsStart();
        has(container("running", 0, false));
        String stray = ALLOCATION + ".web.000000aa.x";
        for (String known : List.of(list("other", stray, "exited"), "[]")) {
            engine.on("GET", "/containers/json", FakeEngine.json(200, known));
            ground.driver().tidyNow(_ -> false);
        }
        engine.on("GET", "/containers/json", FakeEngine.json(200, list(ground.node(), stray, "running")));
        ground.driver().tidyNow(ALLOCATION::equals);
        assertEquals(0, engine.count("DELETE /containers/"));
        ground.driver().tidyNow(_ -> false);
        assertEquals(1, engine.count("DELETE /containers/"));
    }

    @Test
    void anImageThatWasPulledIsRemovedOnceNoTaskUsesIt_andOneThatWasThereStays() throws Exception {
        letsStart();
        engine.on("DELETE", "/images/", FakeEngine.json(200, "[]"));
        engine.on("GET", IMAGE, FakeEngine.json(200, HAVE));
        ground.driver().destroy(ground.driver().start(config(RUN)));
        engine.on("GET", "/containers/json", FakeEngine.json(200, "[]"));
        ground.driver().tidyNow(_ -> false);
        assertEquals(0, engine.count("DELETE /images/"));
        engine.on("GET", IMAGE, FakeEngine.json(404, "{}"));
        pulls("{\"status\":\"Pull complete\",\"id\":\"a\"}");
        TaskHandle task = ground.driver().start(config(RUN));
        String used = list(ground.node(), task.state(), "running");
        engine.on("GET", "/containers/json", FakeEngine.json(200, used));
        ground.driver().tidyNow(_ -> true);
        assertEquals(0, engine.count("DELETE /images/"));
        engine.on("GET", "/containers/json", FakeEngine.json(200, "[]"));
        ground.driver().destroy(task);
        ground.driver().tidyNow(_ -> true);
        assertEquals(1, engine.count("DELETE /images/registry.example/app:1"));
    }

    @Test
    void aLinkInATasksDirectoryIsNoSourceOfAMount() throws Exception {
        letsStart();
        Files.createSymbolicLink(root.resolve("task/local/out"), Path.of("/etc"));
        for (String source : List.of("local/out", "local/out/ssl")) {
            Map<String, Object> block = Map.of("image", "registry.example/app:1", "volumes", List.of(source + ":/x"));
            DriverTrouble trouble =
                    assertThrows(DriverTrouble.class, () -> ground.driver().start(config(RUN, block)));
            assertTrue(trouble.reason().contains("out"), trouble.reason());
        }
        assertEquals(0, engine.count("POST /containers/create"));
        assertEquals(Set.of(), marks());
    }

    @Test
    void theTimeToStopCountsFromWhenTheEngineAnswers() throws Exception {
        letsStart();
        TaskHandle task = ground.driver().start(config(RUN));
        FakeEngine.Answer busy = FakeEngine.json(500, "{\"message\":\"busy\"}");
        engine.on("GET", "/containers/[^/]+/json", busy);
        engine.on("POST", "/containers/[^/]+/stop", busy);
        engine.on("POST", "/containers/[^/]+/kill", FakeEngine.json(204, ""));
        long before = engine.count("GET /containers/");
        ground.driver().stop(task, "SIGTERM", Duration.ofMillis(50));
        Eventually.holds(() -> engine.count("GET /containers/") > before + 5, "it is asked again");
        assertEquals(0, kills());
        has(container("running", 0, false));
        Eventually.holds(() -> kills() == 1, "it is killed in its time");
        has(container("exited", 137, false));
    }

    private long kills() {
        return engine.requests().stream()
                .filter(each -> each.target().contains("/kill?signal=SIGKILL"))
                .count();
    }

    @Test
    void aStopIsRepeatedUntilTheEngineHasTakenIt() throws Exception {
        assertTrue(ground.driver().fingerprint().healthy(), "its version is known: an old one takes no signal");
        letsStart();
        TaskHandle task = ground.driver().start(config(RUN));
        engine.on("POST", "/containers/[^/]+/stop", FakeEngine.json(500, "{\"message\":\"busy\"}"));
        ground.driver().stop(task, "SIGTERM", Duration.ofSeconds(30));
        Eventually.holds(() -> engine.count("POST /containers/") > 3, "it is asked again");
        String stop = engine.requests().stream()
                .map(FakeEngine.Request::target)
                .filter(target -> target.contains("/stop"))
                .findFirst()
                .orElseThrow();
        assertTrue(stop.endsWith("/stop?t=30&signal=SIGTERM"), stop);
        has(container("exited", 0, false));
    }
}
