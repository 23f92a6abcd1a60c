package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CleatClient;
import io.cleat.api.ServerAddress;
import io.cleat.testkit.ShimProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A server and its only node in one process after the other, on one data directory and without the bundled plugin: of
 * this build, or of a class that is such an agent but for what it breaks. Closing it takes away whatever is left of it.
 */
final class LoneAgent {
    static final String NODE = "only";

    final Workplace place;
    final Path data;
    final Api api;

    private final Path shim;
    private final Path out;
    private final Path err;
    private final List<Process> started = new ArrayList<>();

    /** Starts nothing; the test is skipped where a node cannot be. */
    LoneAgent() throws Exception {
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

    /**
     * Starts a process and waits for nothing.
     *
     * @param program a class, and what it is given
     */
    Process begin(String... program) throws Exception {
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

    /** Starts a process, and waits until its agent is ready. */
    Process startAs(String... program) throws Exception {
        Process agent = begin(program);
        Api.await(
                () -> {
                    assertTrue(agent.isAlive(), this::words);
                    return TestJvm.text(out).lines().anyMatch("Ready."::equals);
                },
                "the agent is ready");
        return agent;
    }

    /** Starts an agent of this build, and waits until it is ready. */
    Process start() throws Exception {
        return startAs("io.cleat.launch.Main", "agent", "-data-dir=" + data);
    }

    /** What the newest process has printed. */
    String words() {
        return TestJvm.text(out) + errors();
    }

    String errors() {
        return TestJvm.text(err);
    }

    void close() throws Exception {
        started.forEach(Process::destroyForcibly);
        for (Process process : started) {
            process.waitFor(30, TimeUnit.SECONDS);
        }
        place.clear();
    }
}
