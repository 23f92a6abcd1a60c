package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LanesTest {
    private final BlockingQueue<String> faults = new LinkedBlockingQueue<>();
    private final Threads threads = Threads.virtual((where, fault) -> faults.add(where));

    @Test
    void workOfOneLaneRunsInOrder() throws InterruptedException {
        Lanes<String> lanes = Lanes.contained("test", threads);
        List<Integer> seen = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1000);
        for (int i = 0; i < 1000; i++) {
            int number = i;
            lanes.run("v", () -> {
                seen.add(number);
                done.countDown();
            });
        }
        assertTrue(done.await(10, TimeUnit.SECONDS));
        assertEquals(IntStream.range(0, 1000).boxed().toList(), seen);
    }

    @Test
    void aStuckLaneDelaysNoOther() throws InterruptedException {
        Lanes<String> lanes = Lanes.contained("test", threads);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch other = new CountDownLatch(1);
        lanes.run("stuck", release::await);
        lanes.run("free", other::countDown);
        assertTrue(other.await(10, TimeUnit.SECONDS));
        assertEquals(1, lanes.depth("stuck"));
        release.countDown();
    }

    @Test
    void aFaultEndsItsOwnPieceOnly() throws InterruptedException {
        Lanes<String> lanes = Lanes.contained("test", threads);
        CountDownLatch queued = new CountDownLatch(1);
        CountDownLatch after = new CountDownLatch(1);
        lanes.run("v", () -> {
            queued.await();
            throw new InvariantBroken("tests pass", "a fault");
        });
        lanes.run("v", after::countDown);
        queued.countDown();
        assertTrue(after.await(10, TimeUnit.SECONDS));
        assertEquals("test/v", faults.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void aContainedPieceSaysWhatBecomesOfWhatItWasFor() throws InterruptedException {
        Lanes<String> lanes = Lanes.contained("test", threads);
        CountDownLatch told = new CountDownLatch(1);
        lanes.run(
                "v",
                () -> {
                    throw new InvariantBroken("tests pass", "a fault");
                },
                fault -> told.countDown());
        assertTrue(told.await(10, TimeUnit.SECONDS));
    }
}
