package io.cleat.state;

import io.cleat.model.VariableId;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A variable: named texts that jobs and people keep in the cluster.
 *
 * @param items names and values, encrypted as one; none of a variable that was only locked
 * @param lock null while nobody has locked it
 */
public record VariableRow(
        VariableId id,
        Encrypted items,
        @Nullable VariableLock lock,
        Instant createdAt,
        Instant modifiedAt,
        long createVersion,
        long modifyVersion)
        implements Row<VariableRow> {
    /** One that was not there before. */
    public static VariableRow of(VariableId id, Encrypted items, Instant now) {
        return new VariableRow(id, items, null, now, now, 0, 0);
    }

    /** The same with other items. */
    public VariableRow withItems(Encrypted newItems, Instant at) {
        return new VariableRow(id, newItems, lock, createdAt, at, createVersion, modifyVersion);
    }

    /** The same under a lock; null for under none. */
    public VariableRow withLock(@Nullable VariableLock newLock, Instant at) {
        return new VariableRow(id, items, newLock, createdAt, at, createVersion, modifyVersion);
    }

    /** The lock that somebody holds now. */
    public Optional<VariableLock> held() {
        return Optional.ofNullable(lock).filter(each -> !each.lapsed());
    }

    @Override
    public VariableRow stamped(long newCreate, long newModify) {
        return new VariableRow(id, items, lock, createdAt, modifiedAt, newCreate, newModify);
    }
}
