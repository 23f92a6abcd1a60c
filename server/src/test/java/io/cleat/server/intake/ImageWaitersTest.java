package io.cleat.server.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import io.cleat.model.VariableId;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.RowId;
import io.cleat.state.VariableRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who is woken by which change. */
final class ImageWaitersTest {
    private static final VariableId OWN = new VariableId("default", "own");
    private static final VariableId OTHER = new VariableId("default", "other");
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int MANY = 50;

    private final Time time = new SystemTime();
    private final EarlyEnd early = new EarlyEnd();
    private final AtomicInteger looks = new AtomicInteger();
    private ClusterState state = ClusterState.empty();
    private long version;
    private ImageWaiters waiters = new ImageWaiters(state, time);

    private static Change put(VariableId id) {
        return new Change.VariablePut(VariableRow.of(id, new Encrypted("x"), Instant.EPOCH));
    }

    /** The image before anybody waits. */
    private void begin(Change... changes) {
        for (Change change : changes) {
            state = state.apply(List.of(change), ++version, Instant.EPOCH);
        }
        waiters = new ImageWaiters(state, time);
    }

    private void change(Change change) {
        ClusterState before = state;
        state = state.apply(List.of(change), ++version, Instant.EPOCH);
        waiters.changed(before, List.of(change), state);
    }

    /** Waits for a version of a variable that is newer than the image. */
    private FutureTask<ClusterState> waiting(VariableId id, Duration longest) {
        long index = version;
        Versions wanted =
                Versions.row(RowId.variable(id), image -> image.variables().find(id));
        return new FutureTask<>(() -> waiters.await(
                wanted.tables(),
                wanted.row(),
                image -> {
                    looks.incrementAndGet();
                    return wanted.of().applyAsLong(image) > index;
                },
                Deadline.in(time, longest),
                early));
    }

    private static Thread begun(FutureTask<?> task) {
        Thread thread = Thread.ofPlatform().start(task);
        awaitItWaits(thread);
        return thread;
    }

    private static void awaitItWaits(Thread thread) {
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
            Thread.onSpinWait();
        }
    }

    private static ClusterState end(FutureTask<ClusterState> task) throws Exception {
        return task.get(20, TimeUnit.SECONDS);
    }

    /** Ten thousand who wait for a row each were all woken by each change of their table. */
    @Test
    void whoWaitsForARow_isWokenByThatAlone() throws Exception {
        begin(put(OWN), put(OTHER));
        FutureTask<ClusterState> task = waiting(OWN, LONG);
        Thread thread = begun(task);
        for (int i = 0; i < MANY; i++) {
            change(put(OTHER));
            awaitItWaits(thread);
        }
        assertEquals(1, looks.get(), "it looks before it waits");
        change(put(OWN));
        assertSame(state, end(task));
        assertEquals(2, looks.get());
    }

    /** Nobody knows its key yet: the version of its table is what is told of it. */
    @Test
    void whoWaitsForARowThatIsNotThere_isWokenByItsTable() throws Exception {
        begin(put(OTHER));
        FutureTask<ClusterState> task = waiting(OWN, LONG);
        begun(task);
        change(put(OTHER));
        assertSame(state, end(task));
    }

    @Test
    void aRowThatIsTakenAway_wakesWhoWaitsForIt() throws Exception {
        begin(put(OWN));
        FutureTask<ClusterState> task = waiting(OWN, LONG);
        begun(task);
        change(new Change.VariableRemoved(OWN));
        assertSame(state, end(task));
    }

    @Test
    void aReplacedImage_anEarlyEndAndTheTime_endEachWait() throws Exception {
        begin(put(OWN));
        FutureTask<ClusterState> replaced = waiting(OWN, LONG);
        begun(replaced);
        waiters.replaced(state);
        assertSame(state, end(replaced));
        assertSame(state, end(run(waiting(OWN, Duration.ofMillis(20)))));
        FutureTask<ClusterState> ended = waiting(OWN, LONG);
        begun(ended);
        early.end();
        assertSame(state, end(ended));
        assertSame(state, end(run(waiting(OWN, LONG))), "it has ended before it began");
    }

    private static FutureTask<ClusterState> run(FutureTask<ClusterState> task) {
        task.run();
        return task;
    }
}
