package io.cleat.model;

import io.cleat.base.Since;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a task is, and its last events, oldest first.
 *
 * @param restarts how often the node started it again
 * @param network where its driver has put it, while it runs; null where that is not asked, or the driver says nothing
 *     of it
 */
public record TaskState(
        Phase phase,
        boolean failed,
        int restarts,
        @Nullable Instant lastRestart,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        List<TaskEvent> events,
        @Since(20) @Nullable DriverNetwork network) {
    /** How many events are kept. */
    public static final int EVENTS_KEPT = 10;

    public static final TaskState PENDING = new TaskState(Phase.PENDING, false, 0, null, null, null, List.of());

    public TaskState {
        events = List.copyOf(events);
    }

    /** Of a task of whose driver's network nothing is known. */
    public TaskState(
            Phase phase,
            boolean failed,
            int restarts,
            @Nullable Instant lastRestart,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            List<TaskEvent> events) {
        this(phase, failed, restarts, lastRestart, startedAt, finishedAt, events, null);
    }

    /** The same, put there by its driver. */
    public TaskState at(@Nullable DriverNetwork place) {
        return new TaskState(phase, failed, restarts, lastRestart, startedAt, finishedAt, events, place);
    }

    /** As if it had been started then. */
    public TaskState withStartAt(Instant at) {
        return new TaskState(phase, failed, restarts, lastRestart, at, finishedAt, events, network);
    }

    /** The three phases of a task's life. */
    public enum Phase implements WireNamed {
        PENDING("pending"),
        RUNNING("running"),
        DEAD("dead");

        private final String wire;

        Phase(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }
}
