package io.cleat.localplugin;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Sha256;
import io.cleat.base.Time;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;

/**
 * One call at a time per key, in this process and in others that serve the same pool (an update of the plugin overlaps
 * with its predecessor).
 *
 * <p>A key is one byte of one lock file, at a place given by its digest: nothing has to be cleaned up, the kernel lets
 * go when a process dies, and two keys that meet at one place only wait for each other. Locks belong to the process, so
 * the file stays open as long as the process lives: closing it would give up all of them.
 */
final class KeyLocks {
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final FileChannel file;
    private final Time time;

    KeyLocks(Path file, Time time) throws DiskTrouble {
        this.time = time;
        try {
            this.file = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException failed) {
            throw trouble(file.toString(), failed);
        }
    }

    /** A key that is held. */
    interface Held extends AutoCloseable {
        @Override
        void close() throws DiskTrouble;
    }

    /**
     * Waits for {@code key} until {@code deadline}.
     *
     * @throws CallRefused with ABORTED when it is still held by another call then
     */
    Held hold(String key, Deadline deadline) throws CallRefused, DiskTrouble, InterruptedException {
        for (Optional<Held> held = tryHold(key); ; held = tryHold(key)) {
            if (held.isPresent()) {
                return held.get();
            }
            if (deadline.isExpired()) {
                throw CallRefused.aborted(
                        "another call about '" + key + "' is still at work; repeat this call once it has ended");
            }
            time.sleep(PAUSE);
        }
    }

    /** The key, unless somebody holds it. */
    Optional<Held> tryHold(String key) throws DiskTrouble {
        try {
            FileLock lock = file.tryLock(place(key), 1, false);
            return Optional.ofNullable(lock).map(held -> () -> release(held, key));
        } catch (OverlappingFileLockException heldHere) {
            return Optional.empty();
        } catch (IOException failed) {
            throw trouble(key, failed);
        }
    }

    private static void release(FileLock lock, String key) throws DiskTrouble {
        try {
            lock.release();
        } catch (IOException failed) {
            throw trouble(key, failed);
        }
    }

    private static long place(String key) {
        byte[] digest = Sha256.of(key);
        long place = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            place = (place << 8) | (digest[i] & 0xff);
        }
        return place & (Long.MAX_VALUE >> 1);
    }

    private static DiskTrouble trouble(String what, IOException cause) {
        return new DiskTrouble("locking " + what + " failed: " + cause, Effect.NONE, Retry.SAME_CALL, cause);
    }
}
