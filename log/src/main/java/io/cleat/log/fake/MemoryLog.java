package io.cleat.log.fake;

import io.cleat.base.DiskTrouble;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Trouble;
import io.cleat.log.Completion;
import io.cleat.log.LogApplier;
import io.cleat.log.LogStatus;
import io.cleat.log.Outcome;
import io.cleat.log.ReplicatedLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A log that keeps nothing and applies at once, on the appending thread: what callers and decider can do when the log
 * costs nothing.
 */
public final class MemoryLog implements ReplicatedLog {
    private final AtomicLong index = new AtomicLong();
    private final LogApplier.@Nullable Image prepared;
    private @Nullable LogApplier applier;

    /** An empty one. */
    public MemoryLog() {
        this.prepared = null;
    }

    /**
     * One that begins with a snapshot.
     *
     * @param prepared what it holds
     */
    public MemoryLog(LogApplier.Image prepared) {
        this.prepared = prepared;
    }

    @Override
    public void start(LogApplier newApplier) throws Trouble {
        applier = newApplier;
        if (prepared != null) {
            ByteArrayOutputStream snapshot = new ByteArrayOutputStream();
            try {
                prepared.writeTo(snapshot);
                newApplier.readSnapshot(index.incrementAndGet(), new ByteArrayInputStream(snapshot.toByteArray()));
            } catch (IOException impossible) {
                throw new InvariantBroken("memory can be written and read", impossible);
            }
        }
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
        return new LogStatus(true, true, 1, index.get(), -1, 0, Path.of("memory"), Optional.empty());
    }

    @Override
    public void close() {}
}
