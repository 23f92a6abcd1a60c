package io.cleat.processtests;

import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Asks an agent again and again, beside all else, and notes the longest answer. It does so at the
 * priority of an agent: what is measured is how long that takes, not how long this JVM waits for a
 * processor to read it.
 */
final class AgentPulse {
    private static final long PAUSE_MILLIS = 50;

    /** That of {@code CLEAT_NICE}, where nothing is said. */
    private static final String PRIORITY = "-10";

    private final CountDownLatch over = new CountDownLatch(1);
    private final List<String> failures = new ArrayList<>();
    private final Thread thread;
    private final CleatClient client;
    private volatile Duration longest = Duration.ZERO;
    private volatile String longestOf = "";
    private final AtomicInteger answers = new AtomicInteger();

    AgentPulse(CleatClient client) {
        this.client = client;
        thread = Thread.ofPlatform().name("agent-pulse").start(this::run);
    }

    private void run() {
        try {
            raise();
            do {
                ask("health", () -> client.agent().health());
                ask("jobs", () -> client.jobs().list(Params.none()));
                ask("allocations", () -> client.allocations().list(Params.none()));
                ask("volumes", () -> client.volumes().list(Params.none()));
            } while (!over.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        } catch (IOException failed) {
            failures.add("its priority: " + failed);
        }
    }

    /** This thread alone; what begins others does not hand it on. */
    private static void raise() throws IOException, InterruptedException {
        String thread =
                Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
        Process renice =
                new ProcessBuilder("renice", "-n", PRIORITY, "-p", thread)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (renice.waitFor() != 0) {
            throw new IOException("renice ended with " + renice.exitValue());
        }
    }

    private void ask(String what, Api.Ask question) {
        long begin = System.nanoTime();
        try {
            question.ask();
            answers.incrementAndGet();
        } catch (Exception failed) {
            failures.add(what + ": " + failed);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        if (took.compareTo(longest) > 0) {
            longest = took;
            longestOf = what;
        }
    }

    Duration longest() {
        return longest;
    }

    /** What went wrong; to be asked once it has ended. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Asks no more; may be said again. */
    void end() throws InterruptedException {
        over.countDown();
        thread.join();
    }

    @Override
    public String toString() {
        return "%d answers of the agent, the longest after %d ms (%s)"
                .formatted(answers.get(), longest.toMillis(), longestOf);
    }
}
