package io.cleat.driver.docker;

import io.cleat.exchange.HttpReply;
import io.cleat.exchange.HttpRequest;
import io.cleat.exchange.TimedChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the engine listens; each request has a connection of its own. */
record EngineSocket(Path path) {
    private static final Duration CONNECT = Duration.ofSeconds(5);

    /** A request that could not be sent, so that it surely had no effect. */
    static final class NotSent extends IOException {
        private static final long serialVersionUID = 1;

        NotSent(IOException cause) {
            super(cause);
        }
    }

    /**
     * Asks, and reads the head of the reply; the caller closes it.
     *
     * @param idle how long each step may wait
     */
    HttpReply open(String method, String target, Map<String, String> fields, byte @Nullable [] body, Duration idle)
            throws IOException {
        TimedChannel channel;
        try {
            channel = TimedChannel.open(UnixDomainSocketAddress.of(path), CONNECT, idle);
        } catch (IOException absent) {
            throw new NotSent(absent);
        }
        try {
            return new HttpRequest(method, target, "docker", fields, body).over(channel);
        } catch (IOException | RuntimeException failed) {
            channel.close();
            throw failed;
        }
    }
}
