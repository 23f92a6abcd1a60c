package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.AgentConfig;
import io.cleat.api.AgentHealth;
import io.cleat.api.Json;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import io.cleat.base.Watched;
import io.cleat.http.AgentLocator;
import io.cleat.http.AgentLog;
import io.cleat.http.Dispatcher;
import io.cleat.http.Guard;
import io.cleat.http.Reply;
import io.cleat.http.Request;
import io.cleat.http.routes.Routes;
import io.cleat.nodeapi.AgentNode;
import io.cleat.nodeapi.LocalNode;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever asks for the agent's health is told what its watchdog has found stuck. */
@Timeout(60)
final class StuckHealthTest {
    private static final AgentHealth.Part WELL = new AgentHealth.Part("ok", true);

    @TempDir
    Path directory;

    private final Paces time = new Paces();
    private final ProcessFaults faults = new ProcessFaults(
            new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8), code -> {});
    private final Vitality vitality = new Vitality(
            Path.of("unused"), new Ports(time, Chance.system(), Ids.random(), Threads.virtual(faults), faults));
    private volatile Optional<Watched.Head> head = Optional.empty();

    /** A sleep ends when the test says so; then so much time has passed. */
    private static final class Paces implements Time {
        private final AtomicLong nanos = new AtomicLong();
        private final Semaphore slept = new Semaphore(0);
        private final Semaphore asleep = new Semaphore(0);

        /** Lets one sleep end, and waits for the next. */
        void pass() throws InterruptedException {
            slept.release();
            asleep.acquire();
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos.get());
        }

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            asleep.release();
            slept.acquire();
            nanos.addAndGet(duration.toNanos());
        }

        @Override
        public boolean await(Condition condition, Deadline deadline) {
            throw new AssertionError("a watchdog waits for nobody");
        }
    }

    @BeforeEach
    void watch() throws InterruptedException {
        vitality.watch(List.of(() -> head));
        time.asleep.acquire();
    }

    @AfterEach
    void end() throws InterruptedException {
        vitality.end();
    }

    private String asked(String query) throws Exception {
        AgentNode node = new AgentNode(
                new AgentNode.Setting(
                        Json.read("{}".getBytes(StandardCharsets.UTF_8), AgentConfig.class), "", directory, 0),
                UnaryOperator.identity(),
                LocalNode.NONE,
                Map.of(),
                () -> vitality.health(WELL, WELL),
                vitality::figures,
                AgentLog.NONE,
                time);
        Dispatcher dispatcher =
                new Dispatcher(Guard.anyHost(), Routes.of(node, AgentLocator.HERE), List::of, faults, Ids.random());
        Reply reply =
                dispatcher.answer(Request.of("GET", "/v1/agent/health" + query, Map.of(), new byte[0], Request.UNIX));
        return reply.status() + " " + Json.text(((Reply.Json) reply.body()).value());
    }

    @Test
    void whatIsStuckForTenSeconds_is500WithItsReason_untilItGoesOn() throws Exception {
        String well = "{\"message\":\"ok\",\"ok\":true}";
        assertEquals("200 {\"client\":" + well + ",\"server\":" + well + "}", asked(""));
        head = Optional.of(new Watched.Head(new Object(), "3 decisions wait"));
        time.pass();
        for (int i = 0; i < 10; i++) {
            assertEquals(200, Integer.parseInt(asked("").substring(0, 3)), "after " + i + " s");
            time.pass();
        }
        String bad = "{\"message\":\"3 decisions wait for 10 s\",\"ok\":false}";
        assertEquals("500 {\"client\":" + bad + ",\"server\":" + bad + "}", asked(""));
        assertEquals("500 {\"client\":" + bad + "}", asked("?type=client"));
        assertEquals("500 {\"server\":" + bad + "}", asked("?type=server"));
        head = Optional.empty();
        time.pass();
        assertEquals("200 {\"client\":" + well + ",\"server\":" + well + "}", asked(""));
    }
}
