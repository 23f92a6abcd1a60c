package io.cleat.state;

import io.cleat.base.Ordered;
import io.cleat.model.WireNamed;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a node is, or was last, emptied.
 *
 * @param deadline how long tasks may take to move by themselves; zero for as long as it takes, negative for not at all
 * @param ignoresSystem whether allocations of system jobs stay
 * @param forceAt from when on nothing is waited for before tasks are stopped; null for never
 * @param endedAt null while it goes on
 * @param meta what its operator said about it
 */
public record NodeDrain(
        Status status,
        Duration deadline,
        boolean ignoresSystem,
        Instant startedAt,
        @Nullable Instant forceAt,
        @Nullable Instant endedAt,
        Map<String, String> meta) {
    /** How far a drain is. */
    public enum Status implements WireNamed {
        DRAINING("draining"),
        COMPLETE("complete"),
        CANCELED("canceled");

        private final String wire;

        Status(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    public NodeDrain {
        meta = Ordered.copyOf(meta);
    }

    /** When its status last changed. */
    public Instant updatedAt() {
        return endedAt == null ? startedAt : endedAt;
    }

    /** Whether tasks are stopped without waiting for anything. */
    public boolean isForced(Instant now) {
        return forceAt != null && !now.isBefore(forceAt);
    }

    public NodeDrain ended(Status how, Instant at) {
        return new NodeDrain(how, deadline, ignoresSystem, startedAt, forceAt, at, meta);
    }
}
