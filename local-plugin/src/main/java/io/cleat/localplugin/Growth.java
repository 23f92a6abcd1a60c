package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.v1.CapacityRange;
import java.nio.file.Path;

/**
 * Makes volumes bigger, in use or not. The controller lengthens the image, and notes that its file system is to follow;
 * the node where it is mounted, or is mounted next, lets it follow.
 */
final class Growth {
    private final Pool pool;
    private final FreeCapacity free;
    private final Mounting mounting;
    private final Images images;

    Growth(Pool pool, FreeCapacity free, Mounting mounting, Images images) {
        this.pool = pool;
        this.free = free;
        this.mounting = mounting;
        this.images = images;
    }

    /** ControllerExpandVolume; answers with the volume as it is then. */
    Volume expand(String id, CapacityRange range) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold(id)) {
            Volume volume = pool.volumes().require(id);
            long bytes = Sizes.atLeast(volume.bytes(), volume.type(), range);
            if (bytes == volume.bytes()) {
                return volume;
            }
            try (KeyLocks.Held _ = pool.hold(free.key(id))) {
                free.require(bytes - volume.bytes());
                if (volume.type().isImage()) {
                    images.resize(pool.volumes().content(volume), bytes);
                }
                boolean growing = volume.type().isFileSystem();
                Volume grown = volume.with(volume.shape().sized(bytes, growing));
                pool.volumes().save(grown);
                return grown;
            }
        }
    }

    /** Whether a node must be told of a growth; a volume that nobody uses grows when it is used. */
    static boolean isNodeNeeded(Volume volume) {
        return volume.type().isImage()
                && !(volume.uses().attachments().isEmpty()
                        && volume.uses().stagings().isEmpty());
    }

    /** Lets a file system follow that grows before it is mounted; it is mounted nowhere. */
    Volume prepare(Volume volume) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        if (!volume.shape().growing() || !Images.growsUnmounted(volume.type())) {
            return volume;
        }
        mounting.detach(volume);
        images.growUnmounted(pool.volumes().content(volume));
        return grown(volume);
    }

    /** Lets device and file system follow, at one of the volume's mounts; the caller holds it. */
    Volume follow(Volume volume, Path mountPoint) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        if (!volume.type().isImage()) {
            return volume;
        }
        mounting.resize(volume);
        if (!volume.shape().growing()) {
            return volume;
        }
        Seen seen = mounting.look(volume);
        if (seen.loop().isPresent()) {
            images.grow(volume.type(), seen.loop().get().path(), mountPoint);
        }
        return grown(volume);
    }

    private Volume grown(Volume volume) throws DiskTrouble {
        Volume grown = volume.with(volume.shape().sized(volume.bytes(), false));
        pool.volumes().save(grown);
        return grown;
    }
}
