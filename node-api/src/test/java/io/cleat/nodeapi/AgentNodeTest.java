package io.cleat.nodeapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.alloc.AllocationDirectory;
import io.cleat.agent.alloc.CheckedAllocation;
import io.cleat.agent.alloc.OpenAllocation;
import io.cleat.agent.check.CheckKey;
import io.cleat.agent.check.CheckResult;
import io.cleat.agent.check.CheckResults;
import io.cleat.agent.check.CheckStatus;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TaskRunner;
import io.cleat.agent.volumes.VolumeUsage;
import io.cleat.api.AgentConfig;
import io.cleat.api.AgentHealth;
import io.cleat.api.AgentSelf;
import io.cleat.api.AllocCheck;
import io.cleat.api.AllocStats;
import io.cleat.api.Canonical;
import io.cleat.api.Job;
import io.cleat.api.JobConversion;
import io.cleat.api.Json;
import io.cleat.api.Metrics;
import io.cleat.api.NodeStats;
import io.cleat.api.VolumeUse;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.SystemTime;
import io.cleat.driver.DriverCapabilities;
import io.cleat.driver.ExecCommand;
import io.cleat.driver.ExitResult;
import io.cleat.driver.TaskConfig;
import io.cleat.driver.TaskDriver;
import io.cleat.driver.TaskHandle;
import io.cleat.driver.TaskStats;
import io.cleat.http.AgentLog;
import io.cleat.http.ExecFrames;
import io.cleat.http.ExecQuery;
import io.cleat.http.LogQuery;
import io.cleat.http.PieceReader;
import io.cleat.kernel.FileReads;
import io.cleat.model.DriverFacts;
import io.cleat.model.JobSpec;
import io.cleat.model.OnUpdate;
import io.cleat.model.Task;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskState;
import io.cleat.model.VolumeId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What the agent says of itself, its machine and its tasks. */
final class AgentNodeTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final String NODE = "c4c061ed-039e-d829-5462-6ef84844221c";
    private static final VolumeId VOLUME = new VolumeId("default", "v1");

    private static final VolumeUsage.Seen USAGE = new VolumeUsage.Seen(
            VOLUME, Optional.of(new VolumeUsage.Amount(6, 10, 4)), Optional.empty(), true, "a disk is slow", "");
    private static final VolumeUsage.Seen DARK =
            new VolumeUsage.Seen(VOLUME, Optional.empty(), Optional.empty(), false, "", "plugin hp is not there");

    @TempDir
    Path directory;

    private final Deque<TaskStats> measured = new ArrayDeque<>();
    private final List<OpenAllocation> open = new ArrayList<>();
    private final Echo echo = new Echo();
    private final List<CheckResults.Shown> checks = new ArrayList<>();

    @Test
    void itTellsItsVersionAndItsNode() throws Exception {
        AgentSelf self = agent(Map.of()).self();
        assertEquals("2.0.6", self.config().Version().Version());
        assertEquals(NODE, Json.toTree(self).at("/stats/client/node_id").asString());
        assertEquals("false", Json.toTree(self).at("/config/ACL/Enabled").asString());
    }

    @Test
    void sharesAreOfTheTimeSinceTheLastLook() throws Exception {
        measured.add(stats(START.plusSeconds(10), 4, 1, 7 << 20));
        measured.add(stats(START.plusSeconds(12), 5, 1, 8 << 20));
        AgentNode agent = agent(Map.of("t", running(), "dead", dead()));
        AllocStats first = agent.allocStats("a", "");
        assertEquals(List.of("t"), List.copyOf(first.Tasks().keySet()));
        assertEquals(50, first.ResourceUsage().CpuStats().Percent(), 0.01);
        assertEquals(40, first.ResourceUsage().CpuStats().UserMode(), 0.01);
        assertEquals(7 << 20, first.ResourceUsage().MemoryStats().RSS());
        AllocStats second = agent.allocStats("a", "t");
        assertEquals(50, second.ResourceUsage().CpuStats().Percent(), 0.01);
        assertEquals(50, second.ResourceUsage().CpuStats().UserMode(), 0.01);
        assertEquals(1000, second.ResourceUsage().CpuStats().TotalTicks(), 0.01);
    }

    @Test
    void aTaskThatEndedJustNowUsesNothing() throws Exception {
        AllocStats stats = agent(Map.of("t", running())).allocStats("a", "");
        assertEquals(
                recorded("39-alloc-stats").get("body").toString(),
                Json.toTree(stats).toString());
    }

    @Test
    void volumesAreAsTheirPluginsSay() throws Exception {
        Map<String, VolumeUse> uses = agent(Map.of("t", running())).volumes("a");
        assertEquals(
                "{\"Abnormal\":true,\"Bytes\":{\"Available\":6,\"Total\":10,\"Used\":4},"
                        + "\"Condition\":\"a disk is slow\",\"Inodes\":null,"
                        + "\"Namespace\":\"default\",\"Trouble\":\"\",\"VolumeID\":\"v1\"}",
                Json.text(uses.get("data")));
        assertEquals(
                "plugin hp is not there",
                Objects.requireNonNull(uses.get("dark")).Trouble());
        Refused refused = assertThrows(Refused.class, () -> agent(Map.of()).volumes("b"));
        assertEquals("Unknown allocation \"b\"", refused.refusal().message());
    }

    @Test
    void whatIsAskedOfAnAllocationInQuarantine_isRefusedWithTheReason() throws Exception {
        AgentNode agent = agent(Map.of("t", running()));
        for (Executable asked : List.<Executable>of(
                () -> agent.allocStats("q", ""),
                () -> agent.volumes("q"),
                () -> agent.logs(query("q", "t")),
                () -> agent.exec(new ExecQuery("q", "t", List.of("/bin/true"), false)),
                () -> agent.signal("q", "t", "SIGHUP"),
                () -> agent.restart("q", ""),
                () -> agent.restartAll("q"),
                () -> agent.files().list("q", "/"))) {
            Refused refused = assertThrows(Refused.class, asked);
            assertEquals("it is quarantined", refused.refusal().message());
        }
    }

    @Test
    void whatIsAskedInTheNameOfAnotherNamespace_findsNoAllocation() throws Exception {
        AgentNode agent = agent(Map.of("t", running()));
        for (String meant : List.of("", "*", "team")) {
            agent.requireNamespace("a", meant);
        }
        // What is not here is refused by whatever is asked of it.
        agent.requireNamespace("b", "default");
        for (String other : List.of("default", "Team", "tea", "team*", "te*")) {
            Refused refused = assertThrows(Refused.class, () -> agent.requireNamespace("a", other));
            assertEquals("alloc not found", refused.refusal().message());
            assertInstanceOf(Refusal.NotFound.class, refused.refusal());
        }
    }

    @Test
    void theMachineIsMeasured() throws Exception {
        AgentNode agent = agent(Map.of());
        NodeStats stats = agent.stats("");
        JsonNode shown = Json.toTree(stats);
        assertTrue(shown.at("/Memory/Total").asLong() > shown.at("/Memory/Free").asLong());
        assertEquals(Runtime.getRuntime().availableProcessors(), stats.CPU().size());
        assertTrue(stats.Uptime() > 0);
        assertTrue(shown.at("/AllocDirStats/Size").asLong() > 0);
        shown.at("/CPU").forEach(cpu -> assertTrue(cpu.get("TotalPercent").asDouble() < 100.01));
        Refused refused = assertThrows(Refused.class, () -> agent.stats("other"));
        assertEquals("No path to node", refused.refusal().message());
    }

    @Test
    void logsAreRefusedByName() throws Exception {
        AgentNode agent = agent(Map.of("t", running(), "new", TaskRecord.NEW));
        assertEquals(
                "log collection is disabled for task \"quiet\"",
                refusal(agent(Map.of("quiet", running())), "a", "quiet"));
        assertEquals("unknown task name \"x\"", refusal(agent, "a", "x"));
        assertEquals("task \"new\" not started yet. No logs available", refusal(agent, "a", "new"));
        assertEquals("Unknown allocation \"b\"", refusal(agent, "b", "t"));
    }

    @Test
    void aFollowedLogOfADeadTaskEnds() throws Exception {
        Files.createDirectories(directory.resolve("alloc/logs"));
        Files.writeString(directory.resolve("alloc/logs/dead.stdout.0"), "bye");
        try (PieceReader log = agent(Map.of("dead", dead())).logs(query("a", "dead"))) {
            assertInstanceOf(PieceReader.Piece.class, log.next(Duration.ofSeconds(1)));
            assertInstanceOf(PieceReader.End.class, log.next(Duration.ofSeconds(1)));
        }
    }

    @Test
    void framesOfADriverThatHasThemArePassedOnUnread() throws Exception {
        byte[] nonsense = {0, (byte) 0xff, '{'};
        ExecFrames frames = agent(Map.of("t", running())).exec(new ExecQuery("a", "", List.of("sh", "-i"), true));
        try (frames) {
            frames.send(nonsense);
            assertSame(nonsense, frames.next().orElseThrow());
            assertTrue(frames.next().isEmpty());
            assertEquals(new ExecCommand(List.of("sh", "-i"), true), echo.command);
            assertFalse(echo.isClosed);
        }
        assertTrue(echo.isClosed);
    }

    private static String refusal(AgentNode agent, String alloc, String task) {
        Refused refused = assertThrows(Refused.class, () -> agent.logs(query(alloc, task)));
        assertInstanceOf(Refusal.NotFound.class, refused.refusal());
        return refused.refusal().message();
    }

    private static LogQuery query(String alloc, String task) {
        return new LogQuery(alloc, task, LogQuery.Stream.STDOUT, 0, false, true);
    }

    private static TaskRecord running() {
        return record(TaskState.Phase.RUNNING);
    }

    private static TaskRecord dead() {
        return record(TaskState.Phase.DEAD);
    }

    private static TaskRecord record(TaskState.Phase phase) {
        return new TaskRecord(
                new TaskState(phase, false, 0, null, START, null, List.of()),
                "run",
                new TaskHandle("fake", "a/t/1", 1, ""),
                null);
    }

    private static TaskStats stats(Instant at, long user, long system, long memory) {
        return new TaskStats(
                at,
                Duration.ofSeconds(user).toNanos(),
                Duration.ofSeconds(system).toNanos(),
                memory,
                0,
                List.of(1L));
    }

    /** The job of the recordings. */
    private static JobSpec web() throws Exception {
        JsonNode job = recorded("28-register-job").get("request").get("body").get("Job");
        return JobConversion.toSpec(Canonical.stored(Json.fromTree(job, Job.class)));
    }

    private static JsonNode recorded(String name) throws IOException {
        try (InputStream in = AgentNodeTest.class.getResourceAsStream("/recorded/" + name + ".json")) {
            return new ObjectMapper().readTree(Objects.requireNonNull(in, name));
        }
    }

    private AgentNode agent(Map<String, TaskRecord> tasks) throws Exception {
        LocalNode local = new LocalNode() {
            @Override
            public void requireTakenOver(String allocId) throws Refused {
                if (allocId.equals("q")) {
                    throw new Refused(new Refusal.Conflict("it is quarantined"));
                }
            }

            @Override
            public Optional<CheckedAllocation> checks(String allocId) {
                return Optional.of(new CheckedAllocation("web.g[0]", checks));
            }

            @Override
            public Optional<AllocationDirectory> directory(String allocId) {
                return Optional.of(new AllocationDirectory(directory));
            }

            @Override
            public FileReads reads(String allocId) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean collectsLogs(String allocId, String task) {
                return !task.equals("quiet");
            }

            @Override
            public Optional<TaskRunner> runner(String allocId, String task) {
                return Optional.empty();
            }

            @Override
            public void restartAll(String allocId) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Optional<Map<String, TaskRecord>> tasks(String allocId) {
                return allocId.equals("a") ? Optional.of(tasks) : Optional.empty();
            }

            @Override
            public List<OpenAllocation> open() {
                return open;
            }

            @Override
            public Optional<String> namespace(String allocId) {
                return allocId.equals("a") ? Optional.of("team") : Optional.empty();
            }

            @Override
            public Map<String, VolumeUsage.Seen> volumes(String allocId) {
                return Map.of("data", USAGE, "dark", DARK);
            }
        };
        AgentConfig config = Json.fromTree(recorded("47-agent-self").get("body").get("config"), AgentConfig.class);
        return new AgentNode(
                new AgentNode.Setting(config, NODE, directory, 2000),
                UnaryOperator.identity(),
                local,
                Map.of("fake", new MeasuredDriver()),
                () -> new AgentHealth(new AgentHealth.Part("ok", true), null),
                () -> Map.of("cleat.faults.contained", 3.0, "nomad.runtime.alloc_bytes", 7.0),
                AgentLog.NONE,
                new SystemTime());
    }

    /** Says each frame once more. */
    private static final class Echo implements io.cleat.driver.ExecFrames {
        private final Deque<byte[]> frames = new ArrayDeque<>();
        private @Nullable ExecCommand command;
        private boolean isClosed;

        @Override
        public void send(byte[] frame) {
            frames.add(frame);
        }

        @Override
        public Optional<byte[]> next() {
            return Optional.ofNullable(frames.poll());
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    /** Knows what tasks use, and speaks frames. */
    private final class MeasuredDriver implements TaskDriver {
        @Override
        public String name() {
            return "fake";
        }

        @Override
        public DriverCapabilities capabilities() {
            throw new UnsupportedOperationException();
        }

        @Override
        public DriverFacts fingerprint() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<String> faults(Map<String, Object> config) {
            return List.of();
        }

        @Override
        public TaskHandle start(TaskConfig config) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<TaskHandle> find(TaskConfig config) {
            return Optional.empty();
        }

        @Override
        public Set<String> allocations() {
            return Set.of();
        }

        @Override
        public List<TaskHandle> live(String allocId) {
            return List.of();
        }

        @Override
        public ExitResult await(TaskHandle task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void stop(TaskHandle task, String signal, Duration timeout) {}

        @Override
        public void signal(TaskHandle task, String signal) {}

        @Override
        public Optional<io.cleat.driver.ExecFrames> execFrames(TaskHandle task, ExecCommand command) {
            echo.command = command;
            return Optional.of(echo);
        }

        @Override
        public TaskStats stats(TaskHandle task) throws DriverTrouble {
            @Nullable TaskStats next = measured.poll();
            if (next == null) {
                throw new DriverTrouble("it is gone", Effect.NONE, Retry.NEVER);
            }
            return next;
        }

        @Override
        public void destroy(TaskHandle task) {}
    }

    @Test
    void checksOfAnAllocationThatIsHere_areShownByTheirIds() throws Exception {
        AgentNode agent = agent(Map.of());
        assertEquals(Map.of(), agent.checks("a"));
        CheckKey key = new CheckKey("", "web", "http", "alive");
        checks.add(new CheckResults.Shown(
                key, OnUpdate.IGNORE, new CheckResult(CheckStatus.FAILURE, 503, "nomad: answered 503", START), START));
        Map<String, AllocCheck> shown = agent.checks("a");
        assertEquals(Set.of(key.id("a")), shown.keySet());
        assertEquals(
                new AllocCheck(
                        "alive",
                        "web.g[0]",
                        key.id("a"),
                        "readiness",
                        "nomad: answered 503",
                        "web",
                        "failure",
                        503,
                        "(group)",
                        START.getEpochSecond()),
                shown.get(key.id("a")));
        Refused refused = assertThrows(Refused.class, () -> agent.checks("b"));
        assertEquals("Unknown allocation \"b\"", refused.refusal().message());
        Refused elsewhere = assertThrows(Refused.class, () -> agent.giveUpAllFiles("other"));
        assertEquals("No path to node", elsewhere.refusal().message());
    }

    @Test
    void figuresOfTheProcessTheMachineAndItsTasks_haveTheLabelsOfDashboards() throws Exception {
        JobSpec web = web();
        TaskGroup group = web.groups().getFirst();
        Task task = group.tasks().getFirst();
        open.add(new OpenAllocation("a1", web.id(), group, Map.of(task.name(), running())));
        measured.add(stats(START.plusSeconds(10), 4, 1, 7 << 20));
        Map<String, Double> values = new TreeMap<>();
        Map<String, Map<String, String>> labels = new TreeMap<>();
        for (Metrics.Figure figure : agent(Map.of()).metrics().Gauges()) {
            values.put(figure.Name(), figure.Value());
            labels.put(figure.Name(), figure.Labels());
        }
        assertEquals(3, values.get("cleat.faults.contained"));
        assertEquals(Map.of(), labels.get("cleat.faults.contained"));
        assertEquals(Map.of("host", ""), labels.get("nomad.runtime.alloc_bytes"));
        assertEquals((double) task.resources().cpuMhz(), values.get("nomad.client.allocs.cpu.allocated"));
        assertEquals(task.resources().memoryMb() * 1024.0 * 1024, values.get("nomad.client.allocs.memory.allocated"));
        assertEquals(7 << 20, values.get("nomad.client.allocs.memory.rss"));
        assertEquals(50.0, Objects.requireNonNull(values.get("nomad.client.allocs.cpu.total_percent")), 0.01);
        assertEquals(
                Map.of(
                        "alloc_id", "a1",
                        "host", "",
                        "job", "web",
                        "namespace", "default",
                        "task", task.name(),
                        "task_group", group.name()),
                labels.get("nomad.client.allocs.memory.rss"));
        assertTrue(values.containsKey("nomad.client.host.cpu.total"), values::toString);
        assertTrue(Objects.requireNonNull(values.get("nomad.client.host.memory.total")) > 0, values::toString);
        assertEquals(
                NODE, Objects.requireNonNull(labels.get("nomad.client.uptime")).get("node_id"));
    }
}
