package io.cleat.bench;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.base.Threads;
import io.cleat.server.Server;
import io.cleat.server.ServerSettings;
import java.nio.file.Path;
import java.time.Duration;

/** A server with a log of its own, on which no other depends. */
final class LeadingServer {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private LeadingServer() {}

    /** Begins in this directory, or goes on with what is there; returns once it decides. */
    static Server in(Path directory, SystemTime time, Threads threads) throws Exception {
        Server server = Server.of(
                new ServerSettings(directory, "s1", "global", "dc1"),
                time,
                Chance.system(),
                Ids.random(),
                threads,
                OwnProcess::endBy);
        server.start();
        if (!server.awaitReady(Deadline.in(time, PATIENCE))) {
            throw new IllegalStateException("the server does not lead within " + PATIENCE);
        }
        return server;
    }
}
