package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import io.cleat.api.ServerAddress;
import io.cleat.base.Trouble;
import io.cleat.launch.DoomedAgent;
import io.cleat.testkit.ShimProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error in a vital thread of a real agent, and what becomes of what runs on it. */
@Timeout(300)
class VitalFaultTest {
    private static final String NODE = "only";

    private final Path shim;
    private final Workplace place;
    private final Path data;
    private final Path out;
    private final Path err;
    private final Path numbers;
    private final Api api;
    private final List<Process> started = new ArrayList<>();

    VitalFaultTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a node needs root, and the tests run as another user");
        shim = ShimProgram.built();
        place = new Workplace();
        data = place.root.resolve("data");
        out = place.root.resolve("out");
        err = place.root.resolve("err");
        numbers = place.root.resolve("numbers");
        api = new Api(new CleatClient(new ServerAddress.Unix(data.resolve("http.sock")), CleatClient.Options.NONE));
    }

    @AfterEach
    void clear() throws Exception {
        started.forEach(Process::destroyForcibly);
        for (Process process : started) {
            process.waitFor(30, TimeUnit.SECONDS);
        }
        place.clear();
    }

    private String counter(String job) {
        return """
        job "%1$s" {
          group "g" {
            ephemeral_disk {
              size = 10
            }
            task "count" {
              driver = "raw_exec"
              config {
                command = "/bin/sh"
                args    = ["-c", "while true; do echo $$ >>%2$s; sleep 0.1; done"]
              }
              logs {
                max_files     = 1
                max_file_size = 1
              }
              resources {
                cpu    = 20
                memory = 16
              }
            }
          }
        }
        """.formatted(job, numbers);
    }

    /** Starts an agent of this build and waits until it is ready. */
    private Process start(List<String> program) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-Xmx256m", "-Dcleat.shim=" + shim));
        arguments.addAll(program);
        arguments.add("-node=" + NODE);
        Process agent = new ProcessBuilder(TestJvm.agent(arguments))
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        started.add(agent);
        Api.await(
                () -> {
                    assertTrue(agent.isAlive(), this::words);
                    return TestJvm.text(out).lines().anyMatch("Ready."::equals);
                },
                "the agent is ready");
        return agent;
    }

    private String words() {
        return TestJvm.text(out) + TestJvm.text(err);
    }

    private List<String> counted() throws IOException {
        return Files.exists(numbers) ? Files.readAllLines(numbers) : List.of();
    }

    private void awaitCounting() throws Exception {
        int before = counted().size();
        Api.await(() -> counted().size() > before + 5, "it counts");
    }

    @Test
    void anErrorInTheDecider_endsTheAgentWith70AndOneLine_andItsTaskIsTakenOverByTheNext() throws Exception {
        Path sign = place.root.resolve("sign");
        Process doomed = start(List.of(DoomedAgent.class.getName(), sign.toString(), data.toString()));
        api.run(counter("counter"));
        AllocationStub before = api.awaitRunning("counter", NODE);
        awaitCounting();

        Files.createFile(sign);
        assertThrows(Trouble.class, () -> api.run(counter("undecided")));
        assertTrue(doomed.waitFor(60, TimeUnit.SECONDS), this::words);
        assertEquals(70, doomed.exitValue(), this::words);
        List<String> said = TestJvm.text(err)
                .lines()
                .filter(line -> line.startsWith("cleat: "))
                .toList();
        assertEquals(1, said.size(), this::words);
        String line = said.getFirst();
        assertTrue(line.contains("exit code 70, since a fault in commit/decider"), line);
        assertTrue(line.contains("planted by a test"), line);
        assertTrue(line.contains("start the agent again"), line);
        assertTrue(Files.readString(data.resolve("starts")).contains("commit/decider"));
        awaitCounting();

        start(List.of("io.cleat.launch.Main", "agent", "-data-dir=" + data));
        AllocationStub after = api.awaitRunning("counter", NODE);
        assertEquals(before.ID(), after.ID());
        assertEquals(1, api.client().jobs().list(Params.none()).body().size(), this::words);
        awaitCounting();
        assertEquals(1, counted().stream().distinct().count(), "one process counts all the time");
        assertFalse(words().contains("quarantined"), this::words);
        api.stop("counter");
        Api.await(() -> !isCounting(), "the next agent can stop what it took over");
    }

    private boolean isCounting() throws IOException {
        return ProcessHandle.of(Long.parseLong(counted().getLast()))
                .map(ProcessHandle::isAlive)
                .orElse(false);
    }
}
