package io.cleat.log.fake;

import io.cleat.base.Chance;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.FaultHandler;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refusal;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.log.Completion;
import io.cleat.log.LogApplier;
import io.cleat.log.LogStatus;
import io.cleat.log.Outcome;
import io.cleat.log.ReplicatedLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A log in memory, worse than Ratis. Nothing happens by itself: each {@link #step} does one thing that chance picks, so
 * that a seed repeats a run.
 *
 * <p>{@code step} is for one thread and makes all callbacks on it, except that an append or barrier may be told on its
 * caller's. State is guarded by {@code lock}, which is not held during callbacks.
 */
public final class FakeLog implements ReplicatedLog {
    private static final int WHOLE = 10_000;

    private final FakeDisk disk;
    private final FakeMix mix;
    private final Chance chance;
    private final LogApplier shadow;
    private final FaultHandler faults;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Submitted> pending = new ArrayList<>();
    private final List<Submitted> stalled = new ArrayList<>();
    private final Map<Long, Submitted> committed = new TreeMap<>();
    private final List<Submitted> barriers = new ArrayList<>();
    private final List<FakeDisk.Entry> unshadowed = new ArrayList<>();
    private @Nullable LogApplier applier;
    private boolean isAlive;
    private boolean isLeading;
    private boolean isHealthy;
    private boolean wantsSnapshot;
    private long lastApplied = -1;

    /**
     * @param shadow a second applier of the same kind, fresh; it applies everything in order, not before it has to, and
     *     its image is what a snapshot jump installs
     */
    public FakeLog(FakeDisk disk, FakeMix mix, Chance chance, LogApplier shadow, FaultHandler faults) {
        this.disk = disk;
        this.mix = mix;
        this.chance = chance;
        this.shadow = shadow;
        this.faults = faults;
    }

    @Override
    public void start(LogApplier newApplier) throws Trouble {
        try {
            if (disk.snapshotIndex >= 0) {
                disk.restore(newApplier);
                disk.restore(shadow);
                lastApplied = disk.snapshotIndex;
            }
            unshadowed.addAll(disk.entries);
        } catch (IOException impossible) {
            throw new LogTrouble("the snapshot cannot be read", Effect.NONE, Retry.NEVER, impossible);
        }
        lock.lock();
        try {
            applier = newApplier;
            isAlive = true;
        } finally {
            lock.unlock();
        }
    }

    /** Nothing goes wrong from now on. */
    public void calmDown() {
        lock.lock();
        try {
            isHealthy = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void append(byte[] entry, Completion completion) {
        Submitted submitted = new Submitted(entry, completion);
        Runnable telling;
        lock.lock();
        try {
            telling = accept(submitted);
        } finally {
            lock.unlock();
        }
        telling.run();
    }

    private Runnable accept(Submitted submitted) {
        if (!isAlive || (!isLeading && !happens(mix.stall()))) {
            return submitted.telling(new Outcome.NotAppended(noLeader()));
        }
        if (happens(mix.refuse())) {
            disk.lastIndex += chance.below(3);
            return submitted.telling(new Outcome.NotAppended(noLeader()));
        }
        if (happens(mix.full())) {
            return submitted.telling(
                    new Outcome.NotAppended(new Refusal.Exhausted("the fake disk", Duration.ofSeconds(1))));
        }
        if (!isLeading || happens(mix.stall())) {
            stalled.add(submitted);
        } else {
            pending.add(submitted);
        }
        return () -> {};
    }

    @Override
    public void barrier(Completion completion) {
        Submitted submitted = new Submitted(new byte[0], completion);
        Runnable telling = () -> {};
        lock.lock();
        try {
            if (isAlive && isLeading) {
                barriers.add(submitted);
            } else {
                telling = submitted.telling(new Outcome.NotAppended(noLeader()));
            }
        } finally {
            lock.unlock();
        }
        telling.run();
    }

    @Override
    public void takeSnapshot() {
        lock.lock();
        try {
            wantsSnapshot = true;
        } finally {
            lock.unlock();
        }
    }

    /** The shadow stands for another member. */
    @Override
    public int commonLevel() {
        lock.lock();
        try {
            LogApplier own = applier;
            return own == null ? 1 : Math.min(own.newestLevel(), shadow.newestLevel());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public LogStatus status() {
        lock.lock();
        try {
            return new LogStatus(
                    isAlive,
                    isLeading,
                    disk.term,
                    lastApplied,
                    disk.snapshotIndex,
                    disk.entries.size(),
                    Path.of("fake"),
                    Optional.empty());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        end(false);
    }

    /**
     * Does one thing, or lets what is stalled wait for a later step.
     *
     * @return false when there is nothing to do, or the log is closed
     */
    public boolean step() {
        List<Runnable> calls = new ArrayList<>();
        boolean died = false;
        lock.lock();
        try {
            LogApplier target = applier;
            if (!isAlive || target == null) {
                return false;
            }
            if (happens(mix.die())) {
                died = true;
            } else if (!misfortune(target, calls) && !progress(target, calls)) {
                return false;
            }
        } finally {
            lock.unlock();
        }
        if (died) {
            end(true);
            faults.fault("fake log", new LogTrouble("died", Effect.UNKNOWN, Retry.NEVER));
        }
        calls.forEach(Runnable::run);
        return true;
    }

    private boolean misfortune(LogApplier target, List<Runnable> calls) {
        if (isLeading && happens(mix.depose())) {
            depose(target, calls);
            return true;
        }
        if (!pending.isEmpty() && happens(mix.unknown())) {
            calls.add(oneOf(pending).telling(new Outcome.Unknown("the fake does not say")));
            return true;
        }
        if (!pending.isEmpty() && happens(mix.lose())) {
            Submitted lost = oneOf(pending);
            pending.remove(lost);
            calls.add(lost.telling(new Outcome.Unknown("the fake lost it")));
            return true;
        }
        if (!stalled.isEmpty() && (isHealthy || chance.below(8) == 0)) {
            Submitted late = oneOf(stalled);
            stalled.remove(late);
            if (isLeading && chance.below(3) > 0) {
                pending.add((int) chance.below(pending.size() + 1L), late);
            }
            calls.add(late.telling(new Outcome.Unknown("the fake stalled it")));
            return true;
        }
        return false;
    }

    private boolean progress(LogApplier target, List<Runnable> calls) {
        FakeDisk.Entry next = nextToApply();
        if (next != null) {
            if (!isLeading && happens(mix.jump())) {
                jump(target, next, calls);
            } else if (pending.isEmpty() || chance.below(2) == 0) {
                apply(target, next, calls);
            } else {
                commit();
            }
            return true;
        }
        if (!pending.isEmpty()) {
            commit();
            return true;
        }
        if (wantsSnapshot) {
            wantsSnapshot = false;
            disk.keep(lastApplied, target.image());
            return true;
        }
        if (!isLeading) {
            isLeading = true;
            disk.term++;
            disk.lastIndex++;
            long term = disk.term;
            calls.add(() -> target.leading(term));
            return true;
        }
        if (!barriers.isEmpty()) {
            calls.add(barriers.remove(0).telling(new Outcome.Applied(lastApplied)));
            return true;
        }
        return !stalled.isEmpty(); // each is told in one of the next steps
    }

    private FakeDisk.@Nullable Entry nextToApply() {
        for (FakeDisk.Entry entry : disk.entries) {
            if (entry.index() > lastApplied) {
                return entry;
            }
        }
        return null;
    }

    private void commit() {
        Submitted next = pending.remove(0);
        FakeDisk.Entry entry = disk.commit(next.bytes, chance.below(5) == 0 ? chance.below(4) : 0);
        committed.put(entry.index(), next);
        unshadowed.add(entry);
    }

    private void apply(LogApplier target, FakeDisk.Entry entry, List<Runnable> calls) {
        lastApplied = entry.index();
        Submitted submitted = committed.remove(entry.index());
        Completion completion = submitted == null ? outcome -> {} : submitted.take();
        calls.add(() -> {
            try {
                target.apply(entry.index(), entry.bytes());
                completion.told(new Outcome.Applied(entry.index()));
            } catch (DiskTrouble | RuntimeException fault) {
                completion.told(new Outcome.Unknown("applying has stopped"));
                end(false);
                faults.fault("fake log entry " + entry.index(), fault);
            }
        });
    }

    private void jump(LogApplier target, FakeDisk.Entry next, List<Runnable> calls) {
        long last = disk.entries.get(disk.entries.size() - 1).index();
        try {
            for (FakeDisk.Entry entry : unshadowed) {
                shadow.apply(entry.index(), entry.bytes());
            }
        } catch (DiskTrouble same) {
            // The real applier meets the same entry, and stops the log.
            apply(target, next, calls);
            return;
        }
        unshadowed.clear();
        disk.keep(last, shadow.image());
        lastApplied = last;
        // Whoever waits for one of these is told nothing of it, as on a member that was away.
        List<Runnable> tellings = committed.values().stream()
                .map(s -> s.telling(new Outcome.Unknown("overtaken by a snapshot")))
                .toList();
        committed.clear();
        calls.add(() -> {
            try {
                disk.restore(target);
            } catch (IOException | DiskTrouble fault) {
                end(false);
                faults.fault("fake log snapshot", fault);
            }
        });
        calls.addAll(tellings);
    }

    private void depose(LogApplier target, List<Runnable> calls) {
        isLeading = false;
        long term = disk.term;
        int kept = (int) chance.below(pending.size() + 1L);
        while (pending.size() > kept) {
            Submitted lost = pending.remove(pending.size() - 1);
            calls.add(lost.telling(new Outcome.Unknown("not leader")));
            if (chance.below(3) == 0) {
                stalled.add(lost);
            }
        }
        for (Submitted uncertain : pending) {
            calls.add(uncertain.telling(new Outcome.Unknown("not leader")));
        }
        for (Submitted barrier : barriers) {
            calls.add(barrier.telling(new Outcome.Unknown("not leader")));
        }
        barriers.clear();
        int place = (int) chance.below(calls.size() + 1L);
        calls.add(place, () -> target.following(term));
    }

    /** @param flushed a random part of what was not committed is found on disk at the next opening */
    private void end(boolean flushed) {
        List<Runnable> calls = new ArrayList<>();
        lock.lock();
        try {
            if (!isAlive) {
                return;
            }
            isAlive = false;
            if (isLeading) {
                isLeading = false;
                LogApplier target = applier;
                long term = disk.term;
                if (target != null) {
                    calls.add(() -> target.following(term));
                }
            }
            int kept = flushed ? (int) chance.below(pending.size() + 1L) : pending.size();
            for (Submitted survivor : pending.subList(0, kept)) {
                disk.commit(survivor.bytes, 0);
            }
            ArrayDeque<Submitted> all = new ArrayDeque<>(committed.values());
            all.addAll(pending);
            all.addAll(stalled);
            all.addAll(barriers);
            all.forEach(s -> calls.add(s.telling(new Outcome.Unknown("the log was closed"))));
            committed.clear();
            pending.clear();
            stalled.clear();
            barriers.clear();
        } finally {
            lock.unlock();
        }
        calls.forEach(Runnable::run);
    }

    private boolean happens(int often) {
        return !isHealthy && chance.below(WHOLE) < often;
    }

    private Submitted oneOf(List<Submitted> among) {
        return among.get((int) chance.below(among.size()));
    }

    private Refusal noLeader() {
        return new Refusal.NoLeader("the fake log does not lead");
    }
}
