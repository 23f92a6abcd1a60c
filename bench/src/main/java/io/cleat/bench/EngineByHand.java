package io.cleat.bench;

import io.cleat.api.Json;
import io.cleat.exchange.HttpReply;
import io.cleat.exchange.HttpRequest;
import io.cleat.exchange.TimedChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Containers of an engine, asked for over its API and by nobody in between. */
record EngineByHand(Path socket) {
    private static final Duration WITHIN = Duration.ofMinutes(2);
    private static final long BYTES = 64L << 20;

    /**
     * Creates and starts one, with what the driver says of a task.
     *
     * @param binds as in {@code /usr:/usr:ro}
     */
    void start(String name, String image, List<String> command, List<String> binds) throws IOException {
        Map<String, Object> host = Map.of(
                "NetworkMode",
                "none",
                "Binds",
                binds,
                "RestartPolicy",
                Map.of("Name", "no"),
                "LogConfig",
                Map.of("Type", "json-file", "Config", Map.of("max-size", "2m", "max-file", "2")),
                "CpuShares",
                100,
                "Memory",
                BYTES,
                "MemorySwap",
                BYTES,
                "PidsLimit",
                4096,
                "CapDrop",
                List.of("ALL"));
        byte[] spec = Json.write(Map.of("Image", image, "Cmd", command, "HostConfig", host));
        ask("POST", "/containers/create?name=" + name, spec);
        ask("POST", "/containers/" + name + "/start", new byte[0]);
    }

    void remove(String name) throws IOException {
        ask("DELETE", "/containers/" + name + "?force=true", new byte[0]);
    }

    private void ask(String method, String target, byte[] body) throws IOException {
        try (TimedChannel channel = TimedChannel.open(UnixDomainSocketAddress.of(socket), WITHIN, WITHIN)) {
            HttpReply reply = new HttpRequest(
                            method, "/v1.41" + target, "docker", Map.of("Content-Type", "application/json"), body)
                    .over(channel);
            if (reply.status() >= 300) {
                throw new IOException(method + " " + target + ": " + reply.status() + " " + reply.text());
            }
        }
    }
}
