package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.file.Files;
import java.util.OptionalLong;

/**
 * How much can still be promised: what the pool's file system has free, and no more than {@code
 * --capacity} leaves after all volumes' sizes.
 *
 * <p>Images are sparse, so without {@code --capacity} their sizes together may exceed the disk.
 */
final class Room {
    private final Pool pool;
    private final OptionalLong capacity;

    Room(Pool pool, OptionalLong capacity) {
        this.pool = pool;
        this.capacity = capacity;
    }

    /** Bytes that a new volume can have, not below 0. */
    long available() throws DiskTrouble {
        long free;
        try {
            free = Files.getFileStore(pool.root()).getUsableSpace();
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "asking for the free space of " + pool.root() + " failed: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
        if (capacity.isEmpty()) {
            return free;
        }
        long promised = pool.list().stream().mapToLong(Volume::bytes).sum();
        return Math.max(0, Math.min(free, capacity.getAsLong() - promised));
    }

    /**
     * What a creation holds while it looks for room and takes it: where the promises are bounded,
     * creations go one by one.
     */
    String key(String name) {
        return capacity.isPresent() ? "room" : "room for " + name;
    }

    void require(long bytes) throws CallRefused, DiskTrouble {
        long available = available();
        if (bytes > available) {
            throw CallRefused.full(
                    "the pool "
                            + pool.root()
                            + " has room for "
                            + available
                            + " bytes, and "
                            + bytes
                            + " were asked for; delete volumes, or ask for less");
        }
    }
}
