package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.agent.task.StartPoint;
import io.cleat.agent.task.TestTasks;
import io.cleat.driver.shim.IdRange;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.wire.ToNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The points of a start: each durable write lies between two, and an agent may end at each. */
class StartPointTest extends AgentFixture {
    private final CountDownLatch reached = new CountDownLatch(1);

    private ToNode.Assignment plain() {
        return assignment(
                DesiredStatus.RUN, Map.of(), TestTasks.job(JobType.SERVICE, Map.of(), TestTasks.task("t", 0, null)));
    }

    /** Has the allocation have a user of its own, whose choice is one of the points. */
    private void isolate() throws Exception {
        Assumptions.assumeTrue(
                "root".equals(System.getProperty("user.name")),
                "reason: giving a directory to another user needs root");
        driver.isolate(true);
        binds.isolates = true;
        users = Optional.of(new IdRange(70_001, 70_002));
        restart();
    }

    private byte[] written() {
        try {
            Path file = dir.resolve("state/" + ID + ".allocation");
            return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private record Moment(StartPoint point, byte[] written) {}

    @Test
    void eachDurableWriteOfAStartLiesBetweenTwoPoints() throws Exception {
        List<Moment> moments = Collections.synchronizedList(new ArrayList<>());
        startPoints = point -> moments.add(new Moment(point, written()));
        isolate();
        allocations.assign(1, List.of(plain()));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        while (moments.size() < StartPoint.values().length) {
            news.poll(10, TimeUnit.MILLISECONDS);
        }
        assertEquals(
                List.of(StartPoint.values()),
                moments.stream().map(Moment::point).toList());
        for (int i = 0; i < moments.size(); i += 2) {
            Moment before = moments.get(i);
            Moment after = moments.get(i + 1);
            assertEquals(
                    before.point().name().replace("BEFORE_", "AFTER_"),
                    after.point().name());
            assertFalse(
                    Arrays.equals(before.written(), after.written()), "nothing was written after " + before.point());
            if (i > 0) {
                assertArrayEquals(
                        moments.get(i - 1).written(),
                        before.written(),
                        "something was written before " + before.point());
            }
        }
    }

    /** As its thread does when it is interrupted: no fault, which would be acted upon. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void throwAs(Throwable thrown) throws E {
        throw (E) thrown;
    }

    /** Whoever reaches the point goes on no more. */
    @ParameterizedTest
    @EnumSource(StartPoint.class)
    void anAgentThatEndsThere_leavesOneTaskThatIsSaidToRun(StartPoint end) throws Exception {
        startPoints = point -> {
            if (point == end && reached.getCount() > 0) {
                reached.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException dies) {
                    StartPointTest.<RuntimeException>throwAs(dies);
                }
            }
        };
        isolate();
        Thread server = Thread.ofVirtual().start(() -> {
            try {
                allocations.assign(1, List.of(plain()));
            } catch (InterruptedException dies) {
                Thread.currentThread().interrupt();
            }
        });
        assertTrue(reached.await(10, TimeUnit.SECONDS), end + " was not reached");
        int startsBefore = driver.starts();
        startPoints = StartPoint.Listener.NONE;
        restart();
        server.join();
        allocations.assign(1, List.of(plain()));
        awaitReport(r -> r.status() == ClientStatus.RUNNING);
        assertEquals(1, driver.mostAtOnce());
        assertEquals(1, driver.running().size());
        assertEquals(1, driver.starts());
        assertEquals(end.compareTo(StartPoint.BEFORE_STARTED) >= 0 ? 1 : 0, startsBefore);
    }
}
