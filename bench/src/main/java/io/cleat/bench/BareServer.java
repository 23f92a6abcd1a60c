package io.cleat.bench;

import io.cleat.base.FaultHandler;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.http.Admission;
import io.cleat.http.Dispatcher;
import io.cleat.http.Guard;
import io.cleat.http.HttpServer;
import io.cleat.http.Listener;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The limit of what is answered over HTTP: the agent's own HTTP server, in a process with its flags, with a handler
 * that has the bytes ready.
 */
final class BareServer implements AutoCloseable {
    private static final String SOCKET = "bare.sock";

    private final Process process;
    private final Path directory;

    private BareServer(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    /**
     * Starts one and waits until it listens.
     *
     * @param directory where its socket is, and what it answers
     * @param flags of the JVM that the agent has beside the usual ones
     */
    static BareServer start(Path directory, List<String> flags) throws IOException, InterruptedException {
        List<String> command = Jvm.server("256m");
        command.addAll(flags);
        command.addAll(List.of(BareServer.class.getName(), directory.toString()));
        Process process = new ProcessBuilder(command).inheritIO().start();
        Until.soon("the bare handler listens", () -> process.isAlive() && Files.exists(directory.resolve(SOCKET)));
        return new BareServer(process, directory);
    }

    long pid() {
        return process.pid();
    }

    ApiRequest.Endpoint endpoint() {
        return ApiRequest.Endpoint.unix(directory.resolve(SOCKET).toString());
    }

    /** A request that is answered with these bytes. */
    ApiRequest answering(String name, byte[] bytes) throws IOException {
        Files.write(directory.resolve(name), bytes);
        return ApiRequest.get("/bare/" + name);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** What the process runs. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        Map<String, byte[]> ready = new ConcurrentHashMap<>();
        FaultHandler faults = OwnProcess::endBy;
        Route bare = Route.get("/bare/:name", request -> reply(directory, ready, request));
        Dispatcher dispatcher =
                new Dispatcher(Guard.local(), List.of(bare), () -> List.of("global"), faults, Ids.random());
        SystemTime time = new SystemTime();
        HttpServer.Limits limits = HttpServer.Limits.DEFAULT;
        try (HttpServer _ = HttpServer.open(
                List.of(new Listener.Unix(directory.resolve(SOCKET))),
                dispatcher,
                Admission.ofHeap(() -> false, limits, time),
                limits,
                time)) {
            Thread.currentThread().join();
        }
    }

    private static Reply reply(Path directory, Map<String, byte[]> ready, Request request) {
        byte[] bytes = ready.computeIfAbsent(request.variable("name"), name -> {
            try {
                return Files.readAllBytes(directory.resolve(name));
            } catch (IOException absent) {
                throw new IllegalArgumentException(name, absent);
            }
        });
        return new Reply(200, Map.of(), new Reply.Bytes("application/json", bytes));
    }
}
