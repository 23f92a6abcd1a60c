package io.cleat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.SystemTime;
import io.cleat.testkit.DoomedThreads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error in each vital thread of a server ends the process. */
final class VitalThreadsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit/decider",
                "server/reign",
                "duty/placement",
                "duty/heartbeat",
                "duty/attach",
                "duty/release",
                "duty/drain",
                "duty/deployment",
                "duty/operation",
                "duty/garbage",
                "duty/remainder",
                "duty/periodic"
            })
    void itsErrorEndsTheProcess(String name) throws Exception {
        DoomedThreads threads = new DoomedThreads(name);
        Server server = started(threads);
        assertEquals(Optional.of(name), threads.end());
        server.close();
    }

    /** Each that a server starts is one of those above, and has its row. */
    @Test
    void theseAreAll() throws Exception {
        DoomedThreads threads = new DoomedThreads("");
        Server server = started(threads);
        assertTrue(server.awaitReady(Deadline.in(new SystemTime(), Duration.ofSeconds(20))));
        server.close();
        Set<String> roles = new TreeSet<>();
        for (String name : threads.vital()) {
            if (!name.startsWith("log/")) {
                roles.add(name.startsWith("duty/") ? "duty/" : name.startsWith("server/") ? "server" : name);
            }
        }
        assertEquals(DoomedThreads.listed("io.cleat.server"), roles);
        assertEquals(
                11,
                threads.vital().stream()
                        .filter(name -> name.startsWith("duty/"))
                        .count());
    }

    private Server started(DoomedThreads threads) throws Exception {
        Server server = Server.of(
                new ServerSettings(directory, "m1", "global", "dc1"),
                new SystemTime(),
                Chance.system(),
                Ids.random(),
                threads,
                threads.faults());
        server.start();
        return server;
    }
}
