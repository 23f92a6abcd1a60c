package io.cleat.agent.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.agent.task.TestTasks;
import io.cleat.base.DiskTrouble;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How many stored allocations are taken over side by side. */
class RestoringTest extends AgentFixture {
    private static final int ALL = 5;

    private final LinkedBlockingQueue<Takeover> begun = new LinkedBlockingQueue<>();

    /** The next that is begun. */
    private Takeover next() throws InterruptedException {
        // Less than one that hangs is waited for.
        return Objects.requireNonNull(begun.poll(5, TimeUnit.SECONDS), "another is begun");
    }

    @Test
    void soManyAreBegun_andTheNextOnceTheFirstIsThrough() throws Exception {
        AllocationStore store = new AllocationStore(dir.resolve("state"));
        for (int i = 0; i < ALL; i++) {
            store.put(KnownAllocation.of(plain("a-" + i, i, TestTasks.task("t", 0, null)), Instant.EPOCH));
        }
        notes.mostAtOnce = 2;
        Restoring restoring = new Restoring(store, parts(), new Quarantine(changed -> {}));
        Thread thread = Thread.ofPlatform().start(() -> run(restoring));
        Takeover first = next();
        for (int i = 1; i < ALL; i++) {
            Takeover second = next();
            awaitItWaits(thread);
            assertEquals(0, begun.size(), "two are begun, and no third");
            first.through();
            first = second;
        }
        thread.join();
    }

    private void run(Restoring restoring) {
        try {
            restoring.run((known, takeover) -> begun.add(takeover));
        } catch (DiskTrouble | InterruptedException end) {
            throw new AssertionError(end);
        }
    }

    /** For an allocation to be through; or it is over. */
    private static void awaitItWaits(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }
}
