package io.cleat.processtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CleatClient;
import io.cleat.api.ServerAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** {@code ./cleat agent} on a data directory of its own: the same command at each start. */
final class AgentProcess implements AutoCloseable {
    static final Path LAUNCHER =
            Path.of(System.getProperty("cleat.root", "..")).toAbsolutePath().resolve("cleat");

    private static final String READY = "Ready.";

    private final Path data;
    private final List<String> command;
    private final boolean isChild;
    private final int launcherAt;
    private Optional<Process> process = Optional.empty();

    /**
     * @param around what runs the launcher as its child, such as {@code nsenter}; empty for nothing
     * @param flags but for the data directory
     */
    AgentProcess(Path data, List<String> around, String... flags) {
        this.data = data;
        isChild = !around.isEmpty();
        command = new ArrayList<>(around);
        launcherAt = around.size();
        command.addAll(List.of(LAUNCHER.toString(), "agent", "-data-dir=" + data));
        command.addAll(List.of(flags));
    }

    /** Builds what the launcher runs; tests that start several processes do it once. */
    static void build() throws Exception {
        Path output = Files.createTempFile("cleat-build", ".log");
        Process build = new ProcessBuilder(LAUNCHER.toString(), "agent", "-h")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertTrue(build.waitFor(15, TimeUnit.MINUTES), "the build hangs");
        assertEquals(0, build.exitValue(), Files.readString(output));
        Files.delete(output);
    }

    /** From its next start on it is the program that this launches, such as an earlier release. */
    void replaceBy(Path launcher) {
        command.set(launcherAt, launcher.toString());
    }

    Path data() {
        return data;
    }

    Path log() {
        return data.resolveSibling(data.getFileName() + ".log");
    }

    /** Starts it, and waits until it says that it is ready. */
    void start() throws Exception {
        Process started = launch();
        Api.await(
                () -> {
                    assertTrue(started.isAlive(), this::words);
                    return words().lines().anyMatch(READY::equals);
                },
                data.getFileName() + " is ready");
    }

    /** Starts it, and waits for nothing. */
    Process launch() throws IOException {
        Files.deleteIfExists(log());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLEAT_BUILD", "never");
        builder.redirectErrorStream(true);
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectOutput(log().toFile());
        Process started = builder.start();
        process = Optional.of(started);
        return started;
    }

    boolean isRunning() {
        return process.filter(Process::isAlive).isPresent();
    }

    /** SIGKILL. The launcher has become the Java process: it is that one which dies. */
    void kill() throws InterruptedException {
        handle().destroyForcibly();
        assertTrue(process.orElseThrow().waitFor(30, TimeUnit.SECONDS));
    }

    long pid() {
        return handle().pid();
    }

    /** Waits for somebody else to kill it. */
    void awaitDeath() throws InterruptedException {
        assertTrue(process.orElseThrow().waitFor(60, TimeUnit.SECONDS), this::words);
    }

    /** The agent itself: what is around it ends with it, and as it did. */
    private ProcessHandle handle() {
        Process running = process.orElseThrow();
        return isChild ? running.children().findFirst().orElseThrow() : running.toHandle();
    }

    /** SIGTERM. */
    void signal() {
        handle().destroy();
    }

    /** SIGTERM, and the exit code with which it ends. */
    int terminate() throws InterruptedException {
        signal();
        Process running = process.orElseThrow();
        assertTrue(running.waitFor(90, TimeUnit.SECONDS), this::words);
        return running.exitValue();
    }

    /** SIGTERM, and its exit code: 128 + 15, as that of every Java program it ends. */
    void end() throws InterruptedException {
        assertEquals(143, terminate(), this::words);
        assertTrue(words().contains("What runs here goes on."), this::words);
        assertTrue(Files.notExists(data.resolve("agent.pid")), "it did not end in order");
    }

    CleatClient client() {
        return new CleatClient(new ServerAddress.Unix(data.resolve("http.sock")), CleatClient.Options.NONE);
    }

    Api api() {
        return new Api(client());
    }

    String words() {
        try {
            return Files.exists(log()) ? Files.readString(log()) : "";
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    @Override
    public void close() {
        process.ifPresent(running -> {
            if (isChild) {
                running.children().forEach(ProcessHandle::destroyForcibly);
            }
            running.destroyForcibly();
        });
    }
}
