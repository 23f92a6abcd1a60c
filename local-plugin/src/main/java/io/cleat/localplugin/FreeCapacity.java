package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.kernel.FileSystems;
import java.util.OptionalLong;

/**
 * How much can still be promised: what the pool's file system has free, and no more than {@code --capacity} leaves
 * after all volumes' sizes.
 *
 * <p>Images are sparse, so without {@code --capacity} their sizes together may exceed the disk.
 */
final class FreeCapacity {
    private final Pool pool;
    private final OptionalLong capacity;
    private final FileSystems fileSystems;

    FreeCapacity(Pool pool, FileSystems fileSystems, OptionalLong capacity) {
        this.pool = pool;
        this.fileSystems = fileSystems;
        this.capacity = capacity;
    }

    /** Bytes that a new volume can have, not below 0. */
    long available() throws KernelTrouble, DiskTrouble {
        long free = disk().available();
        if (capacity.isEmpty()) {
            return free;
        }
        long promised =
                pool.volumes().entries().stream().mapToLong(this::promised).sum();
        return Math.max(0, Math.min(free, capacity.getAsLong() - promised));
    }

    /** Of a volume whose file cannot be used its image tells, which is no shorter than promised. */
    private long promised(PoolDirectory.Entry<Volume> entry) {
        return entry.kept().map(Volume::bytes).orElseGet(() -> pool.volumes().imageBytes(entry));
    }

    /**
     * What a creation holds while it looks for room and takes it: where the promises are bounded, creations go one by
     * one.
     */
    String key(String name) {
        return capacity.isPresent() ? "room" : "room for " + name;
    }

    /** The usage of the pool's file system. */
    FileSystems.Usage disk() throws KernelTrouble {
        return fileSystems.usage(pool.root());
    }

    /** Refuses what the pool's disk has not free at this moment. */
    void requireFree(long bytes) throws CallRefused, KernelTrouble {
        require(bytes, disk().available());
    }

    /** Refuses what cannot be promised. */
    void require(long bytes) throws CallRefused, KernelTrouble, DiskTrouble {
        require(bytes, available());
    }

    private void require(long bytes, long available) throws CallRefused {
        if (bytes > available) {
            throw CallRefused.full("the pool "
                    + pool.root()
                    + " has room for "
                    + available
                    + " bytes, and "
                    + bytes
                    + " were asked for; delete volumes, or ask for less");
        }
    }
}
