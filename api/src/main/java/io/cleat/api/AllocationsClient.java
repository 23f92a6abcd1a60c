package io.cleat.api;

import io.cleat.base.LinkTrouble;
import io.cleat.exchange.HttpReply;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;

/** Allocations over HTTP, and what their node says of them. */
public final class AllocationsClient {
    static final TypeReference<List<AllocationStub>> STUBS = new TypeReference<>() {};
    private static final TypeReference<Map<String, AllocCheck>> CHECKS = new TypeReference<>() {};
    private static final TypeReference<Map<String, VolumeUse>> VOLUMES = new TypeReference<>() {};

    private static final TypeReference<List<FileEntry>> FILES = new TypeReference<>() {};

    private final CleatClient client;

    AllocationsClient(CleatClient client) {
        this.client = client;
    }

    public Answer<List<AllocationStub>> list(Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/allocations", params, STUBS);
    }

    public Answer<Allocation> get(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(path(id), params, Allocation.class);
    }

    public Answer<AllocStopResponse> stop(String id, boolean noShutdownDelay, Params params)
            throws UnexpectedAnswer, LinkTrouble {
        return client.put(
                path(id) + "/stop", params.with("no_shutdown_delay", noShutdownDelay), null, AllocStopResponse.class);
    }

    public AllocStats stats(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/client/allocation/" + Params.escape(id) + "/stats", params, AllocStats.class)
                .body();
    }

    /** How full the volumes of an allocation are, by alias. */
    public Map<String, VolumeUse> volumes(String id, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get("/v1/client/allocation/" + Params.escape(id) + "/volumes", params, VOLUMES)
                .body();
    }

    /**
     * A task's output as it comes. The caller closes it.
     *
     * @param type {@code stdout} or {@code stderr}
     * @param follow whether to wait for more at the end
     * @param offset in bytes from {@code origin}
     * @param origin {@code start} or {@code end}
     */
    public LogStream logs(String id, String task, String type, boolean follow, long offset, String origin)
            throws UnexpectedAnswer, LinkTrouble {
        Params params = Params.none()
                .with("task", task)
                .with("type", type)
                .with("follow", follow)
                .with("offset", String.valueOf(offset))
                .with("origin", origin);
        return new LogStream(client.stream("/v1/client/fs/logs/" + Params.escape(id), params));
    }

    /**
     * Sends a signal to tasks.
     *
     * @param task empty for all
     */
    public void signal(String id, String task, String signal) throws UnexpectedAnswer, LinkTrouble {
        client.put(client("signal", id), Params.none(), new AllocSignalRequest(signal, task), RawJson.class);
    }

    /**
     * Ends tasks and starts them again.
     *
     * @param task empty for all that run
     */
    public void restart(String id, String task) throws UnexpectedAnswer, LinkTrouble {
        client.put(client("restart", id), Params.none(), new AllocRestartRequest(false, task), RawJson.class);
    }

    /** Ends all tasks, in order, and starts them again from the first, also those that have ended. */
    public void restartAll(String id) throws UnexpectedAnswer, LinkTrouble {
        client.put(client("restart", id), Params.none(), new AllocRestartRequest(true, ""), RawJson.class);
    }

    /** Has an allocation that has ended give up its files, which it does soon. */
    public void collect(String id) throws UnexpectedAnswer, LinkTrouble {
        client.send("PUT", client("gc", id), Params.none(), Map.of());
    }

    /** How the checks of an allocation's services are, by id. */
    public Map<String, AllocCheck> checks(String id) throws UnexpectedAnswer, LinkTrouble {
        return client.get(client("checks", id), Params.none(), CHECKS).body();
    }

    private static String client(String what, String id) {
        return "/v1/client/allocation/" + Params.escape(id) + "/" + what;
    }

    /**
     * Runs a command in a running task. The caller closes it.
     *
     * @param task empty for the only one
     * @param terminal whether the command gets a terminal
     */
    public ExecStream exec(String id, String task, boolean terminal, List<String> command)
            throws UnexpectedAnswer, LinkTrouble {
        Params params = Params.none()
                .with("task", task)
                .with("tty", String.valueOf(terminal))
                .with("command", Json.text(command));
        return new ExecStream(client.socket(client("exec", id), params));
    }

    /** What is in a directory of an allocation. */
    public List<FileEntry> files(String id, String path, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(files("ls", id), params.with("path", path), FILES).body();
    }

    /** What a path of an allocation is. */
    public FileEntry file(String id, String path, Params params) throws UnexpectedAnswer, LinkTrouble {
        return client.get(files("stat", id), params.with("path", path), FileEntry.class)
                .body();
    }

    /** A whole file of an allocation, as it comes. The caller closes it. */
    public InputStream cat(String id, String path) throws UnexpectedAnswer, LinkTrouble {
        HttpReply reply = client.stream(files("cat", id), Params.none().with("path", path));
        return new FilterInputStream(reply.body()) {
            @Override
            public void close() throws IOException {
                reply.close();
            }
        };
    }

    /**
     * A file of an allocation as it grows. The caller closes it.
     *
     * @param offset in bytes from {@code origin}, which is {@code start} or {@code end}
     */
    public LogStream follow(String id, String path, boolean follow, long offset, String origin)
            throws UnexpectedAnswer, LinkTrouble {
        Params params = Params.none()
                .with("path", path)
                .with("follow", String.valueOf(follow))
                .with("offset", String.valueOf(offset))
                .with("origin", origin);
        return new LogStream(client.stream(files("stream", id), params));
    }

    private static String files(String what, String id) {
        return "/v1/client/fs/" + what + "/" + Params.escape(id);
    }

    private static String path(String id) {
        return "/v1/allocation/" + Params.escape(id);
    }
}
