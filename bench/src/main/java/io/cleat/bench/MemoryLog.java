package io.cleat.bench;

import io.cleat.base.DiskTrouble;
import io.cleat.base.InvariantBroken;
import io.cleat.log.Completion;
import io.cleat.log.LogApplier;
import io.cleat.log.LogStatus;
import io.cleat.log.Outcome;
import io.cleat.log.ReplicatedLog;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A log that keeps nothing and applies at once, on the appending thread: what callers and decider
 * can do when the log costs nothing.
 */
final class MemoryLog implements ReplicatedLog {
    private final AtomicLong index = new AtomicLong();
    private @Nullable LogApplier applier;

    @Override
    public void start(LogApplier newApplier) {
        applier = newApplier;
        newApplier.leading(1);
    }

    @Override
    public void append(byte[] entry, Completion completion) {
        LogApplier target = applier;
        if (target == null) {
            throw new InvariantBroken("a log is started before it is used", "append");
        }
        try {
            long place = index.incrementAndGet();
            target.apply(place, entry);
            completion.told(new Outcome.Applied(place));
        } catch (DiskTrouble unreadable) {
            throw new InvariantBroken("what was just encoded can be read", unreadable.reason());
        }
    }

    @Override
    public void barrier(Completion completion) {
        completion.told(new Outcome.Applied(index.get()));
    }

    @Override
    public void takeSnapshot() {}

    @Override
    public int commonLevel() {
        LogApplier own = applier;
        return own == null ? 1 : own.newestLevel();
    }

    @Override
    public LogStatus status() {
        return new LogStatus(
                true, true, 1, index.get(), -1, 0, Path.of("memory"), Optional.empty());
    }

    @Override
    public void close() {}
}
