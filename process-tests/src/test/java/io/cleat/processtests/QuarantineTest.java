package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import io.cleat.api.ServerAddress;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.launch.KilledInTakeover;
import io.cleat.testkit.ShimProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real agent that is killed again and again while it takes one allocation over. */
@Timeout(300)
class QuarantineTest {
    private static final String NODE = "only";

    private final Path shim;
    private final Workplace place;
    private final Path data;
    private final Path out;
    private final Path err;
    private final Api api;
    private final List<Process> started = new ArrayList<>();

    QuarantineTest() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: a node needs root, and the tests run as another user");
        shim = ShimProgram.built();
        place = new Workplace();
        data = place.root.resolve("data");
        out = place.root.resolve("out");
        err = place.root.resolve("err");
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
        """.formatted(job, numbers(job));
    }

    /** Where the job's task writes its process id, again and again. */
    private Path numbers(String job) {
        return place.root.resolve("numbers-" + job);
    }

    private Process process(String... program) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-Xmx256m", "-Dcleat.shim=" + shim));
        arguments.addAll(List.of(program));
        arguments.add("-node=" + NODE);
        Process agent = new ProcessBuilder(TestJvm.agent(arguments))
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        started.add(agent);
        return agent;
    }

    /** Starts an agent of this build and waits until it is ready. */
    private Process start() throws Exception {
        Process agent = process("io.cleat.launch.Main", "agent", "-data-dir=" + data);
        Api.await(
                () -> {
                    assertTrue(agent.isAlive(), this::words);
                    return TestJvm.text(out).lines().anyMatch("Ready."::equals);
                },
                "the agent is ready");
        return agent;
    }

    private static void end(Process agent, boolean inOrder) throws Exception {
        if (inOrder) {
            agent.destroy();
        } else {
            agent.destroyForcibly();
        }
        assertTrue(agent.waitFor(60, TimeUnit.SECONDS), "the agent ends");
    }

    private String words() {
        return TestJvm.text(out) + TestJvm.text(err);
    }

    private List<String> counted(String job) throws IOException {
        Path file = numbers(job);
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** It goes on counting, and one process has done so all the time. */
    private void awaitCounting(String job) throws Exception {
        int before = counted(job).size();
        Api.await(() -> counted(job).size() > before + 5, job + " counts");
        assertEquals(1, counted(job).stream().distinct().count());
    }

    private String description(String job) throws Exception {
        return api.client().jobs().allocations(job, true, Params.none()).body().stream()
                .map(one -> one.ClientStatus() + ": " + one.ClientDescription())
                .collect(Collectors.joining());
    }

    @Test
    void anAllocationAtWhoseTakeoverTheAgentEndedTwice_isLeftAlone_andTheOthersGoOn() throws Exception {
        Process first = start();
        api.run(counter("harmful"));
        api.run(counter("good"));
        String harmful = api.awaitRunning("harmful", NODE).ID();
        String good = api.awaitRunning("good", NODE).ID();
        awaitCounting("harmful");
        awaitCounting("good");
        end(first, false);
        for (int i = 0; i < 2; i++) {
            Process killed = process(KilledInTakeover.class.getName(), harmful, data.toString());
            assertTrue(killed.waitFor(120, TimeUnit.SECONDS), this::words);
            assertEquals(KilledInTakeover.KILLED, killed.exitValue(), this::words);
            assertFalse(words().contains("quarantined"), this::words);
        }

        Process third = start();
        assertTrue(TestJvm.text(err).contains("cleat: allocation " + harmful + " is quarantined"), this::words);
        Api.await(
                () -> description("harmful").startsWith("running: quarantined: this agent ended"),
                "the quarantine is told");
        awaitCounting("harmful");
        awaitCounting("good");
        UnexpectedAnswer refused = assertThrows(
                UnexpectedAnswer.class, () -> api.client().allocations().restart(harmful, "count"));
        assertTrue(refused.body().contains("quarantined"), refused.body());
        api.stop("good");
        api.run(counter("new"));
        api.awaitRunning("new", NODE);
        assertEquals(harmful, api.awaitRunning("harmful", NODE).ID());
        assertFalse(good.isEmpty());
        end(third, true);

        start();
        assertFalse(words().contains("quarantined"), this::words);
        Api.await(() -> description("harmful").equals("running: Tasks are running"), "it is taken over again");
        awaitCounting("harmful");
        api.stop("harmful");
        api.stop("new");
    }
}
