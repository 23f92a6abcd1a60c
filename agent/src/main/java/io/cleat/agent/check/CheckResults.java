package io.cleat.agent.check;

import io.cleat.model.OnUpdate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** How the checks of one allocation are. Guarded by {@code lock}, under which nothing else is done. */
public final class CheckResults {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<CheckKey, Shown> shown = new LinkedHashMap<>();

    /**
     * A check and its last result.
     *
     * @param since when it began to be well enough, or not to be
     */
    public record Shown(CheckKey key, OnUpdate onUpdate, CheckResult last, Instant since) {
        boolean isWell() {
            return last.status().satisfies(onUpdate);
        }
    }

    /**
     * Whether all that count are well.
     *
     * @param since the last of them became well; the epoch where there is none
     * @param unwell one that is not; null if all are well
     */
    public record Health(Instant since, @Nullable Shown unwell) {}

    /** These are the allocation's checks now; a new one was not made yet. */
    public void keep(Map<CheckKey, OnUpdate> checks, Instant now) {
        lock.lock();
        try {
            shown.keySet().retainAll(checks.keySet());
            checks.forEach((key, onUpdate) -> {
                Shown before = shown.get(key);
                shown.put(
                        key,
                        before == null
                                ? new Shown(key, onUpdate, CheckResult.pending(now), now)
                                : new Shown(key, onUpdate, before.last, before.since));
            });
        } finally {
            lock.unlock();
        }
    }

    /**
     * What came of a check, if it is still one of the allocation's.
     *
     * @return whether that is something else than before
     */
    public boolean put(CheckKey key, CheckResult result) {
        lock.lock();
        try {
            Shown before = shown.get(key);
            if (before == null) {
                return false;
            }
            boolean isSame = before.isWell() == result.status().satisfies(before.onUpdate);
            shown.put(key, new Shown(key, before.onUpdate, result, isSame ? before.since : result.at()));
            return !before.last.isAs(result);
        } finally {
            lock.unlock();
        }
    }

    public List<Shown> all() {
        lock.lock();
        try {
            return List.copyOf(shown.values());
        } finally {
            lock.unlock();
        }
    }

    /** Of those that an allocation's health depends on. */
    public Health health(Collection<CheckKey> expected) {
        Map<CheckKey, Shown> known = new LinkedHashMap<>();
        all().forEach(each -> known.put(each.key(), each));
        Instant since = Instant.EPOCH;
        for (CheckKey key : new ArrayList<>(expected)) {
            Optional<Shown> found = Optional.ofNullable(known.get(key));
            if (found.isEmpty() || !found.get().isWell()) {
                return new Health(
                        since,
                        found.orElseGet(() -> new Shown(
                                key, OnUpdate.REQUIRE_HEALTHY, CheckResult.pending(Instant.EPOCH), Instant.EPOCH)));
            }
            since = found.get().since().isAfter(since) ? found.get().since() : since;
        }
        return new Health(since, null);
    }
}
