package io.cleat.bench;

import io.cleat.api.AllocationStub;
import io.cleat.api.CleatClient;
import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.Job;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.LocalToken;
import io.cleat.api.Params;
import io.cleat.api.ServerAddress;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import io.cleat.base.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A {@code ./cleat dev} of our own. */
final class DevProcess implements AutoCloseable {
    static final String PLUGIN = "local";
    private static final String LOG = "agent.log";
    private static final Duration ENDING = Duration.ofMinutes(2);

    private final Process process;
    private final Path scratch;
    private final HttpClient http = HttpClient.newHttpClient();
    private final int port;
    private final ServerAddress address;
    private final long begun;

    private DevProcess(Process process, Path scratch, int port, long begun) {
        this.process = process;
        this.scratch = scratch;
        this.port = port;
        this.address = new ServerAddress.Tcp("127.0.0.1", port);
        this.begun = begun;
    }

    /**
     * Starts one; it is not ready yet.
     *
     * @param scratch where its log goes
     * @param data a directory of its own that is to outlive it, with a short path for the sockets in it; empty for a
     *     temporary one
     */
    static DevProcess start(Path scratch, Optional<Path> data) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        ProcessBuilder builder = new ProcessBuilder(Launcher.path().toString(), "dev", "-http-port=" + port);
        data.ifPresent(directory -> builder.command().add("-data-dir=" + directory));
        builder.environment().put("CLEAT_BUILD", "never");
        builder.redirectErrorStream(true);
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(scratch.resolve(LOG).toFile()));
        long begun = System.nanoTime();
        return new DevProcess(builder.start(), scratch, port, begun);
    }

    /** {@link System#nanoTime} just before its start. */
    long begun() {
        return begun;
    }

    long pid() {
        return process.pid();
    }

    /** With the token that it wants, once it has left one. */
    CleatClient client() {
        return new CleatClient(address, new CleatClient.Options("", "", secret()));
    }

    private Secret secret() {
        return LocalToken.find(LocalToken.AGENTS, address).orElseGet(() -> new Secret(""));
    }

    /** Where it says that its data is. */
    Path data() throws IOException {
        for (String line : Files.readAllLines(scratch.resolve(LOG))) {
            if (line.startsWith("  data ")) {
                return Path.of(line.strip().split(" +", 3)[1]);
            }
        }
        throw new IOException("it has not said where its data is");
    }

    /** Waits until the API answers and there is a leader. */
    void awaitLeader() throws InterruptedException {
        Until.soon(
                "the agent leads", () -> isAlive() && !client().agent().leader().isEmpty());
    }

    /** Waits until a plugin can be used. */
    void awaitPlugin(String id) throws InterruptedException {
        Until.soon("plugin " + id + " is healthy", () -> {
            CsiPlugin plugin = client().plugins().get(id, Params.none()).body();
            return isAlive()
                    && plugin.NodesHealthy() > 0
                    && (!plugin.ControllerRequired() || plugin.ControllersHealthy() > 0);
        });
    }

    int port() {
        return port;
    }

    /** What its port wants to be told. */
    String token() {
        return secret().reveal();
    }

    /** The body of an answer. */
    byte[] get(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .header("X-Nomad-Token", token())
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200) {
            throw new IOException(path + " was answered " + answer.statusCode());
        }
        return answer.body();
    }

    private boolean isAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "the agent ended with exit code " + process.exitValue() + "; its log was " + scratch.resolve(LOG));
        }
        return true;
    }

    void create(CsiVolume volume) throws UnexpectedAnswer, LinkTrouble {
        client().volumes().create(new CsiVolumeRequest("default", false, "", List.of(volume)), Params.none());
    }

    void register(Job job) throws UnexpectedAnswer, LinkTrouble {
        client().jobs()
                .register(
                        new JobRegisterRequest(false, 0, job, 0, "default", false, false, false, "", null),
                        Params.none());
    }

    void stop(String jobId) throws UnexpectedAnswer, LinkTrouble {
        client().jobs().deregister(jobId, true, false, Params.none());
    }

    List<AllocationStub> allocations() throws UnexpectedAnswer, LinkTrouble {
        return client().allocations().list(Params.none()).body();
    }

    /** As a crash: tasks and mounts go on. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Ends it in order; with temporary data all that runs there ends too. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(ENDING.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
