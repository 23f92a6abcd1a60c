package io.cleat.image;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What archives were found to be, so that a task that is started again is not read again. The last hundred; guarded by
 * {@code lock}.
 */
final class KnownArchives {
    private static final int MOST = 100;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, ImageFacts> byIdentity = new LinkedHashMap<>();

    void put(String identity, ImageFacts facts) {
        lock.lock();
        try {
            byIdentity.remove(identity);
            byIdentity.put(identity, facts);
            if (byIdentity.size() > MOST) {
                byIdentity.remove(byIdentity.keySet().iterator().next());
            }
        } finally {
            lock.unlock();
        }
    }

    Optional<ImageFacts> get(String identity) {
        lock.lock();
        try {
            return Optional.ofNullable(byIdentity.get(identity));
        } finally {
            lock.unlock();
        }
    }
}
