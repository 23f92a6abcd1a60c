package io.cleat.clusterapi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.alloc.AllocationDirectory;
import io.cleat.agent.task.TaskRecord;
import io.cleat.agent.task.TaskRunner;
import io.cleat.api.AgentConfig;
import io.cleat.api.AgentHealth;
import io.cleat.api.Json;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.base.VisibleText;
import io.cleat.driver.TaskHandle;
import io.cleat.http.AgentLocator;
import io.cleat.http.AgentLog;
import io.cleat.http.Dispatcher;
import io.cleat.http.Guard;
import io.cleat.http.HttpServer;
import io.cleat.http.Listener;
import io.cleat.http.NodeApi;
import io.cleat.http.ReadQuery;
import io.cleat.http.Route;
import io.cleat.kernel.FileReads;
import io.cleat.kernel.PathWorkers;
import io.cleat.model.TaskState;
import io.cleat.nodeapi.AgentNode;
import io.cleat.nodeapi.LocalNode;
import io.cleat.server.commit.Saved;
import io.cleat.server.intake.Images;
import io.cleat.server.intake.Versions;
import io.cleat.state.ClusterState;
import io.cleat.testkit.ShimProgram;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each parameter of the query of each route, with each of a list of hostile values, through a real server: every answer
 * is a success or a refusal in plain words, which shows nothing of the program or its machine; none is a fault, and
 * none waits for longer than the longest wait.
 */
final class HostileQueriesTest {
    private static final int AT_ONCE = 4;

    /** Of an answer that refuses; whatever was asked. */
    private static final int LONGEST_REFUSAL = 2_000;

    /** Where an answer without end is left. */
    private static final int ENOUGH = 512 * 1024;

    private static final Path ROOT = Path.of(System.getProperty("cleat.root", ".."));
    private static final List<Path> SOURCES = List.of(
            ROOT.resolve("http/src/main/java/io/cleat/http"),
            ROOT.resolve("cluster-api/src/main/java/io/cleat/clusterapi"));

    /** How a query parameter is read, in whatever words. */
    private static final Pattern PARAMETER =
            Pattern.compile("(?:\\.(?:text|texts|query)\\(|\\(\\s*request,\\s*)\"([a-z_]+)\"");

    private static final Pattern OF_THE_PROGRAM = Pattern.compile(
            "\\b(?:java|jdk|javax|sun|io\\.cleat|org\\.eclipse|tools\\.jackson)\\.[a-z]"
                    + "|Exception|\\bat [a-z.]+\\(|<html|internal error",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");

    @TempDir
    Path temporary;

    private final ConcurrentLinkedQueue<Throwable> faults = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Duration> waits = new ConcurrentLinkedQueue<>();
    private final SystemTime time = new SystemTime();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> routes = new ArrayList<>();
    private Path socket = Path.of("unset");

    @BeforeEach
    void listen() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        ServingSample serving = new ServingSample(sample);
        open.add(serving);
        List<Route> all = ClusterRoutes.of(serving.cluster(new Waits(sample.state())), node(), AgentLocator.HERE);
        all.forEach(route -> routes.add(route.method() + " " + route.pattern()));
        socket = temporary.resolve("http.sock");
        open.add(HttpServer.open(
                List.of(new Listener.Unix(socket)),
                new Dispatcher(
                        Guard.anyHost(),
                        all,
                        () -> List.of("global"),
                        (where, fault) -> faults.add(fault),
                        Ids.random()),
                HttpServer.Limits.DEFAULT,
                time));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    /** The images of a server at which each wait is over at once, and noted. */
    private final class Waits implements Images {
        private final ClusterState state;

        Waits(ClusterState state) {
            this.state = state;
        }

        @Override
        public ClusterState read(boolean stale) {
            return state;
        }

        @Override
        public ClusterState readNewer(boolean stale, Versions wanted, long index, Duration longest, EarlyEnd early) {
            waits.add(longest);
            return state;
        }

        @Override
        public Saved<ClusterState> save() {
            return new FixedImages(state).save();
        }
    }

    /** An agent with the allocation {@code a}, which has a file, and a task {@code t} that ended. */
    private NodeApi node() throws Exception {
        Path root = Files.createDirectories(temporary.toRealPath().resolve("a"));
        Files.createDirectories(root.resolve("alloc/data"));
        Files.createDirectories(root.resolve("alloc/logs"));
        Files.writeString(root.resolve("alloc/data/f"), "0123456789");
        Files.writeString(root.resolve("alloc/logs/t.stdout.0"), "said");
        PathWorkers workers =
                new PathWorkers(ShimProgram.built(), Threads.virtual((where, fault) -> faults.add(fault)), time);
        open.add(workers);
        AgentConfig config = Json.fromTree(Recording.of("47-agent-self").body().get("config"), AgentConfig.class);
        return new AgentNode(
                new AgentNode.Setting(config, SampleCluster.NODE, root, 2000),
                UnaryOperator.identity(),
                new OneAllocation(root, workers.reads("files")),
                Map.of(),
                () -> new AgentHealth(new AgentHealth.Part("ok", true), null),
                () -> Map.of("cleat.faults.contained", 3.0, "nomad.runtime.alloc_bytes", 7.0),
                AgentLog.NONE,
                time);
    }

    private record OneAllocation(Path root, FileReads files) implements LocalNode {
        @Override
        public Optional<AllocationDirectory> directory(String allocId) {
            return allocId.equals("a") ? Optional.of(new AllocationDirectory(root)) : Optional.empty();
        }

        @Override
        public FileReads reads(String allocId) {
            return files;
        }

        @Override
        public boolean collectsLogs(String allocId, String task) {
            return true;
        }

        @Override
        public Optional<TaskRunner> runner(String allocId, String task) {
            return Optional.empty();
        }

        @Override
        public void restartAll(String allocId) {
            // What has ended stays so.
        }

        @Override
        public Optional<Map<String, TaskRecord>> tasks(String allocId) {
            TaskState dead = new TaskState(TaskState.Phase.DEAD, false, 0, null, Instant.EPOCH, null, List.of());
            TaskHandle handle = new TaskHandle("fake", "a/t/1", 1, "");
            return allocId.equals("a")
                    ? Optional.of(Map.of("t", new TaskRecord(dead, "run", handle, null)))
                    : Optional.empty();
        }
    }

    @Test
    void theTableHasEachParameterThatIsRead() throws IOException {
        Set<String> read = new TreeSet<>();
        for (Path sources : SOURCES) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        files.filter(one -> one.toString().endsWith(".java")).toList()) {
                    Matcher matcher = PARAMETER.matcher(Files.readString(file));
                    while (matcher.find()) {
                        read.add(matcher.group(1));
                    }
                }
            }
        }
        assertTrue(read.contains("per_page"), "the sources were not read: " + read);
        read.removeAll(QueryTable.SHARED);
        QueryTable.READ.values().forEach(read::removeAll);
        assertEquals(Set.of(), read, "add them to QueryTable.READ");
        Set<String> unknown = new TreeSet<>(QueryTable.READ.keySet());
        routes.forEach(unknown::remove);
        assertEquals(Set.of(), unknown, "no such routes");
    }

    /**
     * Those of a route beside each other: one after the other, each waits for its turn several times on a busy machine.
     */
    @Test
    @Timeout(600)
    void aHostileValueOfAnyParameterIsAnsweredOrRefusedInPlainWords() throws Exception {
        TreeSet<String> wrong = new TreeSet<>();
        int asked = 0;
        try (ExecutorService askers = Executors.newFixedThreadPool(AT_ONCE)) {
            for (int i = 0; i < routes.size(); i++) {
                String route = routes.get(i);
                List<Map.Entry<String, Future<String>>> answers = new ArrayList<>();
                for (String query : QueryTable.queries(route, i)) {
                    answers.add(Map.entry(query, askers.submit(() -> ask(route, query))));
                    asked++;
                }
                for (Map.Entry<String, Future<String>> each : answers) {
                    fault(each.getValue().get()).ifPresent(fault -> wrong.add(said(route, each.getKey(), fault)));
                }
                faults.forEach(fault -> wrong.add(said(route, "one of its queries", fault.toString())));
                faults.clear();
            }
        }
        assertTrue(asked > 8_000, asked + " requests");
        assertEquals(List.of(), wrong.stream().limit(40).toList(), wrong.size() + " wrong answers");
        assertTrue(waits.size() > asked / 10, waits.size() + " reads");
        for (Duration wait : waits) {
            assertTrue(wait.isPositive(), "a query waits for " + wait);
            assertTrue(wait.compareTo(ReadQuery.LONGEST_WAIT) <= 0, "a query waits for " + wait);
        }
    }

    /** What is wrong with an answer; empty if nothing is. */
    private Optional<String> fault(String answer) {
        int end = answer.indexOf("\r\n\r\n");
        if (end < 0 || !answer.startsWith("HTTP/1.1 ")) {
            return Optional.of("no answer: " + VisibleText.cut(answer, 200));
        }
        String status = answer.substring(9, 12);
        String body = answer.substring(end + 4);
        if (status.compareTo("400") < 0) {
            return Optional.empty();
        }
        if (status.compareTo("500") > 0) {
            return Optional.of("the status is " + status);
        }
        if (body.length() > LONGEST_REFUSAL) {
            return Optional.of(status + " in " + body.length() + " characters");
        }
        if (!VisibleText.lines(body).equals(body)) {
            return Optional.of(status + " with invisible characters: " + VisibleText.line(body));
        }
        if (OF_THE_PROGRAM.matcher(body).find() || body.contains(temporary.toString())) {
            return Optional.of(status + " with words of the program: " + VisibleText.line(body));
        }
        return Optional.empty();
    }

    private static String said(String route, String query, String fault) {
        return route + " with " + VisibleText.cut(query, 60) + ": " + VisibleText.cut(fault, 300);
    }

    /** The whole answer, head and body; of one without end its beginning. */
    private String ask(String route, String query) throws IOException {
        String method = route.substring(0, route.indexOf(' '));
        String body = method.equals("PUT") ? HostileFieldsTest.BODIES.getOrDefault(QueryTable.path(route), "{}") : "";
        List<String> lines = new ArrayList<>();
        lines.add(method + " " + QueryTable.path(route) + "?" + query + " HTTP/1.1");
        lines.add("Host: x");
        lines.add("Content-Length: " + body.getBytes(UTF_8).length);
        if (route.endsWith("/exec")) {
            lines.add("Upgrade: websocket");
            lines.add("Connection: Upgrade");
            lines.add("Sec-WebSocket-Version: 13");
            lines.add("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
        } else {
            lines.add("Connection: close");
        }
        // As Latin-1: what is beyond ASCII comes raw, and is no UTF-8.
        byte[] request = (String.join("\r\n", lines) + "\r\n\r\n" + body).getBytes(ISO_8859_1);
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            send(channel, request);
            return answer(channel, QueryTable.ENDLESS.contains(route));
        }
    }

    /** A server that has refused the head already need not take the rest of it. */
    private static void send(SocketChannel channel, byte[] request) {
        ByteBuffer rest = ByteBuffer.wrap(request);
        try {
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        } catch (IOException answered) {
            assertTrue(request.length > QueryTable.LONG, answered::toString);
        }
    }

    private static String answer(SocketChannel channel, boolean isEndless) throws IOException {
        byte[] bytes = new byte[ENOUGH];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        String got = "";
        while (buffer.hasRemaining() && !isWhole(got, isEndless)) {
            if (channel.read(buffer) < 0) {
                break;
            }
            got = new String(bytes, 0, buffer.position(), UTF_8);
        }
        return got;
    }

    private static boolean isWhole(String got, boolean isEndless) {
        int end = got.indexOf("\r\n\r\n");
        if (end < 0) {
            return false;
        }
        Matcher length = LENGTH.matcher(got);
        return length.find() ? got.getBytes(UTF_8).length >= end + 4 + Integer.parseInt(length.group(1)) : isEndless;
    }
}
