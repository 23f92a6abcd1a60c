package io.cleat.driver.docker;

import io.cleat.base.BackOff;
import io.cleat.base.Chance;
import io.cleat.base.DriverTrouble;
import io.cleat.base.Threads;
import io.cleat.base.Time;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends containers. The engine is asked to do it whole, signal and kill, so that it goes on though this agent dies; and
 * it is held to the time, since engines count in seconds. An engine that does not answer is asked until it does, and
 * the time counts from then.
 *
 * <p>Holds nothing; each stop has a thread of its own, which ends with the container.
 */
final class Stops {
    private static final Logger LOG = LoggerFactory.getLogger(Stops.class);
    private static final BackOff AGAIN = new BackOff(Duration.ofMillis(200), Duration.ofSeconds(10));
    private static final String KILL = "SIGKILL";
    private static final String TERMINATE = "SIGTERM";

    private final Engine engine;
    private final Containers containers;
    private final Threads threads;
    private final Time time;
    private final Chance chance;

    Stops(Engine engine, Containers containers, Threads threads, Time time, Chance chance) {
        this.engine = engine;
        this.containers = containers;
        this.threads = threads;
        this.time = time;
        this.chance = chance;
    }

    /**
     * Begins to end a container.
     *
     * @param signal empty for SIGTERM
     */
    void begin(String name, String signal, Duration timeout) {
        String first = signal.isEmpty() ? TERMINATE : signal;
        if (first.equals(KILL) || timeout.isZero()) {
            start(name, "kill", () -> containers.kill(name, KILL));
            return;
        }
        threads.contained(
                "docker/stop",
                () -> {
                    // A task whose engine was away has not had its time yet.
                    untilDone(name, () -> containers.find(name).isPresent());
                    time.sleep(timeout);
                    untilDone(name, () -> containers.kill(name, KILL));
                },
                Threads.OnFault.NOTHING_MORE);
        long seconds = Math.max(1, timeout.plusMillis(999).toSeconds());
        // An engine whose stop takes no signal sends its own beside the one that is wanted.
        boolean isWhole = first.equals(TERMINATE) || !engine.version().isBefore(ApiVersion.STOPS_BY_SIGNAL);
        String with = engine.version().isBefore(ApiVersion.STOPS_BY_SIGNAL) ? "" : first;
        start(name, "stop", isWhole ? () -> containers.stop(name, with, seconds) : () -> containers.kill(name, first));
    }

    @FunctionalInterface
    private interface Step {
        /** Returns false if there is nothing to end any more. */
        boolean take() throws DriverTrouble;
    }

    private void start(String name, String what, Step step) {
        threads.contained("docker/" + what, () -> untilDone(name, step), Threads.OnFault.NOTHING_MORE);
    }

    private void untilDone(String name, Step step) throws InterruptedException {
        for (int failures = 0; ; failures++) {
            try {
                boolean was = step.take();
                LOG.debug("{} {}", name, was ? "was asked to end" : "has ended");
                return;
            } catch (DriverTrouble trouble) {
                LOG.warn("{} could not be ended yet: {}", name, trouble.reason());
            }
            time.sleep(AGAIN.wait(failures, chance));
        }
    }
}
