package io.cleat.agent.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.cleat.agent.TestTime;
import io.cleat.model.JobType;
import io.cleat.model.RestartPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestartsTest {
    private final TestTime time = new TestTime();

    private Restarts restarts(int attempts, RestartPolicy.Mode mode, JobType type) {
        return new Restarts(
                new RestartPolicy(
                        attempts, Duration.ofMinutes(30), Duration.ofSeconds(15), mode, false),
                type == JobType.BATCH,
                time,
                bound -> 0);
    }

    @Test
    void aBatchTaskThatEndedWellIsDone() {
        assertInstanceOf(
                Restarts.Decision.Done.class,
                restarts(3, RestartPolicy.Mode.FAIL, JobType.BATCH).after(true));
    }

    @Test
    void aServiceThatEndedWellIsStartedAgain() {
        assertEquals(
                new Restarts.Decision.Again(Duration.ofSeconds(15), "Restart within policy"),
                restarts(3, RestartPolicy.Mode.FAIL, JobType.SERVICE).after(true));
    }

    @Test
    void afterTheLastAttemptItFails() {
        Restarts restarts = restarts(2, RestartPolicy.Mode.FAIL, JobType.SERVICE);
        assertInstanceOf(Restarts.Decision.Again.class, restarts.after(false));
        assertInstanceOf(Restarts.Decision.Again.class, restarts.after(false));
        assertEquals(
                new Restarts.Decision.Never(
                        "Exceeded allowed attempts 2 in interval 30m0s and mode is \"fail\""),
                restarts.after(false));
    }

    @Test
    void aNewIntervalCountsAnew() {
        Restarts restarts = restarts(1, RestartPolicy.Mode.FAIL, JobType.SERVICE);
        assertInstanceOf(Restarts.Decision.Again.class, restarts.after(false));
        time.advance(Duration.ofMinutes(30));
        assertInstanceOf(Restarts.Decision.Again.class, restarts.after(false));
    }

    @Test
    void modeDelayWaitsForTheNextInterval() {
        Restarts restarts = restarts(1, RestartPolicy.Mode.DELAY, JobType.SERVICE);
        restarts.after(false);
        time.advance(Duration.ofMinutes(10));
        assertEquals(
                new Restarts.Decision.Again(
                        Duration.ofMinutes(20), "Exceeded allowed attempts, applying a delay"),
                restarts.after(false));
    }

    @Test
    void noAttemptsMeansNoRestarts() {
        assertEquals(
                new Restarts.Decision.Never("Policy allows no restarts"),
                restarts(0, RestartPolicy.Mode.FAIL, JobType.SYSTEM).after(false));
    }
}
