package io.cleat.agent.task;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.cleat.agent.TestTime;
import io.cleat.model.JobType;
import io.cleat.model.RestartPolicy;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RestartsTest {
    private final TestTime time = new TestTime();
    private @Nullable RestartCount count;

    private Restarts restarts(int attempts, RestartPolicy.Mode mode, JobType type) {
        return new Restarts(
                new RestartPolicy(attempts, Duration.ofMinutes(30), Duration.ofSeconds(15), mode, false),
                type == JobType.BATCH,
                time,
                bound -> 0);
    }

    private Restarts.Decision fails(Restarts restarts) {
        Restarts.Decision decision = restarts.after(false, count);
        if (decision instanceof Restarts.Decision.Again again) {
            count = again.count();
        }
        return decision;
    }

    private void assertAgain(Duration wait, String reason, Restarts.Decision decision) {
        Restarts.Decision.Again again = assertInstanceOf(Restarts.Decision.Again.class, decision);
        assertEquals(wait, again.after());
        assertEquals(reason, again.reason());
        assertEquals(time.now().plus(wait), again.count().next());
    }

    @Test
    void aBatchTaskThatEndedWellIsDone() {
        assertInstanceOf(
                Restarts.Decision.Done.class,
                restarts(3, RestartPolicy.Mode.FAIL, JobType.BATCH).after(true, null));
    }

    @Test
    void aServiceThatEndedWellIsStartedAgain() {
        assertAgain(
                Duration.ofSeconds(15),
                "Restart within policy",
                restarts(3, RestartPolicy.Mode.FAIL, JobType.SERVICE).after(true, null));
    }

    @Test
    void afterTheLastAttemptItFails() {
        Restarts restarts = restarts(2, RestartPolicy.Mode.FAIL, JobType.SERVICE);
        assertInstanceOf(Restarts.Decision.Again.class, fails(restarts));
        assertInstanceOf(Restarts.Decision.Again.class, fails(restarts));
        assertEquals(
                new Restarts.Decision.Never("Exceeded allowed attempts 2 in interval 30m0s and mode is \"fail\""),
                fails(restarts));
    }

    @Test
    void aNewIntervalCountsAnew() {
        Restarts restarts = restarts(1, RestartPolicy.Mode.FAIL, JobType.SERVICE);
        assertInstanceOf(Restarts.Decision.Again.class, fails(restarts));
        time.advance(Duration.ofMinutes(30));
        assertInstanceOf(Restarts.Decision.Again.class, fails(restarts));
    }

    @Test
    void modeDelayWaitsForTheNextInterval() {
        Restarts restarts = restarts(1, RestartPolicy.Mode.DELAY, JobType.SERVICE);
        fails(restarts);
        time.advance(Duration.ofMinutes(10));
        assertAgain(Duration.ofMinutes(20), "Exceeded allowed attempts, applying a delay", fails(restarts));
        assertAgain(Duration.ofSeconds(15), "Restart within policy", fails(restarts));
    }

    @Test
    void noAttemptsMeansNoRestarts() {
        assertEquals(
                new Restarts.Decision.Never("Policy allows no restarts"),
                restarts(0, RestartPolicy.Mode.FAIL, JobType.SYSTEM).after(false, null));
    }

    @Test
    void whatIsLeftOfTheWaitIsKnownAfterwards() {
        Restarts restarts = restarts(1, RestartPolicy.Mode.FAIL, JobType.SERVICE);
        assertEquals(Duration.ZERO, restarts.left(null));
        fails(restarts);
        time.advance(Duration.ofSeconds(5));
        assertEquals(Duration.ofSeconds(10), restarts.left(count));
        assertEquals(Duration.ZERO, restarts.left(requireNonNull(count).withoutWait()));
    }

    @Test
    void aClockThatJumps_changesNoWaitAndNoInterval() {
        Restarts restarts = restarts(1, RestartPolicy.Mode.DELAY, JobType.SERVICE);
        fails(restarts);
        Duration left = Duration.ofSeconds(15);
        for (int hours : new int[] {1, -7, 6}) {
            time.jump(Duration.ofHours(hours));
            time.advance(Duration.ofSeconds(2));
            left = left.minusSeconds(2);
            assertEquals(left, restarts.left(count));
        }
        time.jump(Duration.ofHours(3));
        time.advance(Duration.ofMinutes(10).minusSeconds(6));
        assertAgain(Duration.ofMinutes(20), "Exceeded allowed attempts, applying a delay", fails(restarts));
    }

    @Test
    void aClockThatWasSetBackMakesNothingLonger() {
        Restarts restarts = restarts(2, RestartPolicy.Mode.DELAY, JobType.SERVICE);
        Instant tomorrow = time.now().plus(Duration.ofDays(1));
        count = new RestartCount(1, tomorrow, tomorrow);
        assertEquals(Duration.ofMinutes(30).plusSeconds(15), restarts.left(count));
        fails(restarts);
        assertEquals(new RestartCount(2, time.now(), time.now().plusSeconds(15)), count);
        time.advance(Duration.ofMinutes(30));
        fails(restarts);
        assertEquals(1, requireNonNull(count).count());
    }
}
