package io.cleat.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real process that fetches. */
final class FetchProcessTest {
    @TempDir
    Path directory;

    @Test
    void outcomesAreInOrderAndOneThatFailsTakesNoOtherAlong() throws Exception {
        try (Fetches fetches = new Fetches(directory)) {
            byte[] tar = new Archives.Tar().file("in", 0644, "packed").gzipped();
            Path into = fetches.fresh();
            FetchProcess process = FetchProcess.start(
                    Optional.empty(),
                    into,
                    List.of(),
                    Fetches.LOOPBACK,
                    Fetches.LIMITS,
                    List.of(
                            Fetches.artifact(fetches.url("/absent")),
                            Fetches.artifact(fetches.serve("/a.tgz", tar)),
                            Fetches.artifact(fetches.serve("/plain", "x".getBytes(UTF_8)))),
                    Fetches.THREADS);
            List<Outcome> outcomes = process.await();
            assertEquals(new Outcome.Failed("127.0.0.1 answered 404 Not Found: look at the source"), outcomes.get(0));
            assertEquals(new Outcome.Fetched("1/tree", true), outcomes.get(1));
            assertEquals("packed", Files.readString(into.resolve("1/tree/in")));
            assertEquals(new Outcome.Fetched("2/file/plain", false), outcomes.get(2));
            assertEquals("x", Files.readString(into.resolve("2/file/plain")));
        }
    }

    @Test
    void whatIsNotWantedAnyMoreEndsAtOnce() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(1);
        try (Fetches fetches = new Fetches(directory)) {
            fetches.serve("/never", (HttpExchange exchange) -> {
                asked.countDown();
                try {
                    done.await();
                } catch (InterruptedException end) {
                    Thread.currentThread().interrupt();
                }
                exchange.close();
            });
            FetchProcess process = FetchProcess.start(
                    Optional.empty(),
                    fetches.fresh(),
                    List.of(),
                    Fetches.LOOPBACK,
                    Fetches.LIMITS,
                    List.of(Fetches.artifact(fetches.url("/never"))),
                    Fetches.THREADS);
            asked.await();
            process.cancel();
            Outcome outcome = process.await().getFirst();
            done.countDown();
            assertTrue(outcome.toString().contains("not wanted any more"), outcome.toString());
        }
    }
}
