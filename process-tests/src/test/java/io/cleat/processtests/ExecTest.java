package io.cleat.processtests;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationsClient;
import io.cleat.api.ExecInput;
import io.cleat.api.ExecOutput;
import io.cleat.api.ExecStream;
import io.cleat.api.TaskState;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Looking into a running task from outside: over the API and the command line, straight and through another agent, and
 * what is left when somebody dies. All tests use one server and one node, each with a job of its own; whoever a test
 * has killed is started for the next.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
class ExecTest {
    private static final String JOB = """
            job "%s" {
              group "g" {
                task "t" {
                  driver = "raw_exec"
                  config {
                    command = "/bin/sh"
                    args    = ["-c", "trap 'echo hup' HUP; echo started; while :; do sleep 0.1; done"]
                  }
                  env {
                    GREETING = "good day"
                  }
                  resources {
                    cpu    = 200
                    memory = 256
                  }
                }
                task "quiet" {
                  driver = "raw_exec"
                  config {
                    command = "/bin/sh"
                    args    = ["-c", "echo lost; exec sleep 100000"]
                  }
                  logs {
                    disabled = true
                  }
                  resources {
                    cpu    = 200
                    memory = 32
                  }
                }
              }
            }
            """;

    private final Workplace place;
    private final AgentProcess server;
    private final AgentProcess node;
    private final Api api;
    private final AllocationsClient allocations;
    private int jobs;

    /** The test's own; empty once it is stopped. */
    private String job = "";

    private String id = "";

    ExecTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a node needs root, and the tests run as another user");
        AgentProcess.build();
        place = new Workplace();
        Path servers = place.root.resolve("s");
        server = new AgentProcess(servers, List.of(), "-server");
        node = new AgentProcess(place.root.resolve("n"), List.of(), "-client", "-node=n", "-servers=" + servers);
        api = new Api(server.client());
        allocations = api.client().allocations();
    }

    @BeforeEach
    void start() throws Exception {
        for (AgentProcess agent : List.of(server, node)) {
            if (!agent.isRunning()) {
                agent.start();
            }
        }
        api.awaitNode("n", "ready");
        if (!job.isEmpty()) {
            stop();
        }
        job = "web" + ++jobs;
        api.run(JOB.formatted(job));
        id = api.awaitRunning(job, "n").ID();
        Api.await(() -> isRunning("t") && isRunning("quiet"), "both tasks run");
        Api.await(() -> printed().contains("started"), "the task has begun");
    }

    /** An allocation runs as soon as one of its tasks does. */
    private boolean isRunning(String task) throws Exception {
        return api.task(id, task).map(TaskState::State).equals(Optional.of("running"));
    }

    private void stop() throws Exception {
        api.stop(job);
        job = "";
    }

    @AfterAll
    void clear() throws Exception {
        Stream.of(server, node).forEach(AgentProcess::close);
        place.clear();
    }

    private String printed() throws Exception {
        try {
            return api.printed(id, "t");
        } catch (UnexpectedAnswer notStarted) {
            return "";
        }
    }

    /** Through the server's agent, which does not run the task. */
    private ExecStream exec(boolean terminal, String script) throws Exception {
        return allocations.exec(id, "t", terminal, List.of("sh", "-c", script));
    }

    private record Result(String out, String errors, int code) {}

    private static Result result(ExecStream exec) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int code = -1;
        try (exec) {
            for (Optional<ExecOutput> next = exec.next(); next.isPresent(); next = exec.next()) {
                ExecOutput output = next.get();
                if (output.stdout() != null) {
                    out.writeBytes(output.stdout().bytes());
                }
                if (output.stderr() != null) {
                    errors.writeBytes(output.stderr().bytes());
                }
                if (output.result() != null) {
                    code = output.result().exit_code();
                }
            }
        }
        return new Result(out.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8), code);
    }

    @Test
    void commandsRunWhereTheTaskIs() throws Exception {
        Path own = node.data().resolve("alloc").resolve(id).resolve("t");
        assertEquals(
                new Result("good day " + own + "\n", "oh\n", 7),
                result(exec(false, "echo $GREETING $(pwd); echo oh >&2; exit 7")));
        assertEquals(new Result("", "", 143), result(exec(false, "kill -TERM $$")));
        ExecStream terminal = exec(true, "tty -s; read x; stty size; echo $x");
        terminal.send(ExecInput.size(33, 99));
        terminal.send(ExecInput.of("hello\n".getBytes(StandardCharsets.UTF_8)));
        assertEquals(new Result("hello\r\n33 99\r\nhello\r\n", "", 0), result(terminal));
        // No command of its own: dash loses a Ctrl-C that comes while it starts one.
        ExecStream keys = exec(true, "echo ready; read forever");
        keys.next();
        keys.send(ExecInput.of(new byte[] {3}));
        assertEquals(130, result(keys).code());
    }

    @Test
    void whatCannotBeIsRefusedInWords() throws Exception {
        for (List<String> wrong : List.of(
                List.of("x", "404 unknown task name \"x\""),
                List.of("", "400 the allocation has several tasks: name one of them"))) {
            UnexpectedAnswer refused = assertThrows(
                    UnexpectedAnswer.class, () -> allocations.exec(id, wrong.getFirst(), false, List.of("true")));
            assertEquals(wrong.getLast(), refused.status() + " " + refused.body());
        }
        UnexpectedAnswer absent = assertThrows(
                UnexpectedAnswer.class, () -> allocations.exec(id, "t", false, List.of("no-such-program")));
        assertTrue(absent.body().contains("No such file or directory"), absent.body());
        UnexpectedAnswer disabled =
                assertThrows(UnexpectedAnswer.class, () -> allocations.logs(id, "quiet", "stdout", false, 0, "start"));
        assertEquals("404 log collection is disabled for task \"quiet\"", disabled.status() + " " + disabled.body());
        Path logs = node.data().resolve("alloc").resolve(id).resolve("alloc/logs");
        try (Stream<Path> files = Files.list(logs)) {
            assertTrue(files.noneMatch(file -> file.getFileName().toString().contains("quiet")));
        }
        stop();
        UnexpectedAnswer over =
                assertThrows(UnexpectedAnswer.class, () -> exec(false, "true").close());
        assertEquals(404, over.status());
    }

    @Test
    void aHundredMegabytesGoThroughBothWaysAndTwoHundredRunAtOnce() throws Exception {
        MessageDigest sent = MessageDigest.getInstance("SHA-256");
        MessageDigest came = MessageDigest.getInstance("SHA-256");
        try (ExecStream exec = exec(false, "exec cat");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> writing = threads.submit(() -> {
                Random random = new Random(11);
                byte[] some = new byte[1 << 16];
                for (int i = 0; i < 1600; i++) {
                    random.nextBytes(some);
                    sent.update(some);
                    exec.send(ExecInput.of(some));
                }
                exec.send(ExecInput.end());
                return null;
            });
            long got = 0;
            for (Optional<ExecOutput> next = exec.next(); next.isPresent(); next = exec.next()) {
                ExecOutput output = next.get();
                if (output.stdout() != null) {
                    byte[] bytes = output.stdout().bytes();
                    came.update(bytes);
                    got += bytes.length;
                }
            }
            writing.get();
            assertEquals(1600L << 16, got);
            assertArrayEquals(sent.digest(), came.digest());
        }
        List<Future<Result>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                String number = "number " + i;
                results.add(threads.submit(() -> {
                    ExecStream exec = exec(false, "read x; echo $x");
                    exec.send(ExecInput.of((number + "\n").getBytes(StandardCharsets.UTF_8)));
                    return result(exec);
                }));
            }
            for (int i = 0; i < 200; i++) {
                assertEquals(
                        new Result("number " + i + "\n", "", 0), results.get(i).get());
            }
        }
    }

    @Test
    void nothingIsLeftWhoeverDies() throws Exception {
        String mark = place.root + "/mark-" + job;
        String script = "trap '' HUP; (sleep 1000; : %1$s) & echo ready; sleep 1000; : %1$s";
        ExecStream left = exec(false, script.formatted(mark));
        left.next();
        assertTrue(runs(mark));
        left.close();
        Api.await(() -> !runs(mark), "the command ends with its client");
        ExecStream cut = exec(true, script.formatted(mark));
        cut.next();
        node.kill();
        assertThrows(LinkTrouble.class, () -> result(cut));
        Api.await(() -> !runs(mark), "the command ends with the agent");
        node.start();
        Api.await(
                () -> {
                    try {
                        return result(exec(false, "echo $GREETING")).out().equals("good day\n");
                    } catch (UnexpectedAnswer | LinkTrouble notYet) {
                        return false;
                    }
                },
                "the next agent runs commands in the task that went on");
        ExecStream ended = exec(false, "echo ready; sleep 1000; : " + mark);
        ended.next();
        stop();
        assertTrue(isCutOrKilled(ended), "a command outlives its task");
        assertTrue(!runs(mark));
    }

    /** Who ends a task may see its command end first, and tells that. */
    private static boolean isCutOrKilled(ExecStream command) throws Exception {
        try {
            return result(command).code() != 0;
        } catch (LinkTrouble cut) {
            return true;
        }
    }

    private boolean runs(String mark) throws Exception {
        return place.processes().stream().anyMatch(words -> words.contains(mark));
    }

    @Test
    void tasksAreSignaledAndRestarted() throws Exception {
        allocations.signal(id, "t", "SIGHUP");
        Api.await(() -> printed().contains("hup"), "the signal came");
        allocations.restart(id, "t");
        Api.await(() -> printed().split("started", -1).length == 3, "the task runs again");
        UnexpectedAnswer unknown =
                assertThrows(UnexpectedAnswer.class, () -> allocations.signal(id, "t", "SIGNONSENSE"));
        assertTrue(unknown.body().contains("unknown signal"), unknown.body());
    }

    @Test
    void theCommandLineIsAsIfTheCommandRanHere() throws Exception {
        byte[] input = new byte[3_000_000];
        new Random(2).nextBytes(input);
        Process cat = cleat("alloc", "exec", "-task=t", id, "sh", "-c", "cat; exit 9");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<byte[]> output = threads.submit(() -> cat.getInputStream().readAllBytes());
            try (OutputStream in = cat.getOutputStream()) {
                in.write(input);
            }
            assertArrayEquals(input, output.get());
        }
        assertTrue(cat.waitFor(60, TimeUnit.SECONDS));
        assertEquals(9, cat.exitValue());
        Process list = cleat("alloc", "fs", id, "alloc/logs");
        String files = new String(list.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(files.contains("t.stdout.0"), files);
        Process follower = cleat("alloc", "logs", "-f", "-task=t", id);
        try {
            assertEquals('s', follower.getInputStream().read());
            node.kill();
            node.start();
            Api.await(
                    () -> {
                        try {
                            allocations.signal(id, "t", "SIGHUP");
                            return true;
                        } catch (UnexpectedAnswer | LinkTrouble notYet) {
                            return false;
                        }
                    },
                    "the agent is back");
            byte[] rest = follower.getInputStream().readNBytes("tarted\nhup\n".length());
            assertEquals("tarted\nhup\n", new String(rest, StandardCharsets.UTF_8));
            allocations.restart(id, "t");
            byte[] again = follower.getInputStream().readNBytes("started\n".length());
            assertEquals("started\n", new String(again, StandardCharsets.UTF_8));
        } finally {
            follower.destroyForcibly();
        }
        onATerminal();
    }

    private boolean takesCommands(AllocationsClient client) throws Exception {
        try (var _ = client.exec(id, "t", false, List.of("true"))) {
            return true;
        } catch (UnexpectedAnswer notYet) {
            return false;
        }
    }

    /**
     * The command line on a terminal, which is that of a command in the task: three times, ended by a key, by a signal,
     * and by the death of the agent that it talks to.
     */
    private void onATerminal() throws Exception {
        String mark = place.root + "/mark-" + job;
        String inner = "trap \"stty size\" WINCH; trap \"echo caught; exit 4\" INT; echo ready; "
                + "while :; do sleep 0.05; done; : "
                + mark;
        String outer = """
                before=$(stty -g)
                for i in 1 2 3; do
                  CLEAT_BUILD=never CLEAT_ADDR=unix://%s %s alloc exec -task=t %s sh -c '%s'
                  echo "code $?"
                  test "$before" = "$(stty -g)" && echo restored
                done
                """.formatted(server.data().resolve("http.sock"), AgentProcess.LAUNCHER, id, inner);
        // Over the node's own agent: the other one dies.
        AllocationsClient direct = new Api(node.client()).client().allocations();
        // What a task prints may be read before its agent has heard that it was started.
        Api.await(() -> takesCommands(direct), "the task that was restarted takes commands");
        try (ExecStream terminal = direct.exec(id, "t", true, List.of("sh", "-c", outer))) {
            until(terminal, "ready");
            terminal.send(ExecInput.size(33, 99));
            until(terminal, "33 99");
            terminal.send(ExecInput.of(new byte[] {3}));
            assertTrue(until(terminal, "restored").contains("caught\r\ncode 4\r\n"));
            until(terminal, "ready");
            String commandLine = place.processes().stream()
                    .filter(one -> one.contains("io.cleat.launch.Main alloc exec"))
                    .findFirst()
                    .orElseThrow();
            long pid = Long.parseLong(commandLine.split(":", -1)[0]);
            assertTrue(ProcessHandle.of(pid).orElseThrow().destroy());
            assertTrue(until(terminal, "restored").contains("code 143\r\n"));
            until(terminal, "ready");
            server.kill();
            assertTrue(until(terminal, "restored").contains("code 1\r\n"));
        }
    }

    private static String until(ExecStream exec, String words) throws Exception {
        StringBuilder got = new StringBuilder();
        while (!got.toString().contains(words)) {
            ExecOutput.Stream next = requireNonNull(exec.next().orElseThrow().stdout());
            got.append(new String(next.bytes(), StandardCharsets.UTF_8));
        }
        return got.toString();
    }

    private Process cleat(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(AgentProcess.LAUNCHER.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLEAT_BUILD", "never");
        builder.environment().put("CLEAT_ADDR", "unix://" + server.data().resolve("http.sock"));
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
