package io.cleat.processtests;

import io.cleat.api.CleatClient;
import io.cleat.api.Params;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks an agent again and again, beside all else, and notes the longest answer. */
final class AgentPulse {
    private static final long PAUSE_MILLIS = 50;

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
            do {
                ask("health", () -> client.agent().health());
                ask("jobs", () -> client.jobs().list(Params.none()));
                ask("allocations", () -> client.allocations().list(Params.none()));
                ask("volumes", () -> client.volumes().list(Params.none()));
            } while (!over.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
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
