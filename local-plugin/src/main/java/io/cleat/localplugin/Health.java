package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.csi.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import io.cleat.csi.v1.StorageHealthErrorType;
import io.cleat.csi.v1.VolumeHealth;
import io.cleat.csi.v1.VolumeHealth.VolumeHealthEntry;
import io.cleat.csi.v1.VolumeHealthErrorType;
import io.cleat.kernel.FileSystems;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is wrong with a volume or with the pool, read anew at each question. */
final class Health {
    /** Of the pool's disk, below which it counts as full: one part in so many. */
    private static final int RESERVE = 100;

    private final Pool pool;
    private final FreeCapacity free;
    private final Mounting mounting;
    private final String node;

    Health(Pool pool, FreeCapacity free, Mounting mounting, String node) {
        this.pool = pool;
        this.free = free;
        this.mounting = mounting;
        this.node = node;
    }

    /** What the pool shows of a volume, wherever it is used. */
    VolumeHealth ofVolume(String id) throws CallRefused, DiskTrouble, KernelTrouble {
        try {
            return health(id, kept(pool.volumes().require(id)));
        } catch (RecordDamaged damaged) {
            return health(id, List.of(entry(damaged)));
        }
    }

    /** As {@link #ofVolume}, of one that was listed. */
    VolumeHealth ofEntry(PoolDirectory.Entry<Volume> listed) throws DiskTrouble, KernelTrouble {
        return health(
                listed.id(),
                listed.kept().isPresent()
                        ? kept(listed.kept().get())
                        : List.of(entry(listed.damage().orElseThrow())));
    }

    /** What the pool shows, and what this node shows of it. */
    VolumeHealth onNode(String id) throws CallRefused, DiskTrouble, KernelTrouble {
        try {
            Volume volume = pool.volumes().require(id);
            List<VolumeHealthEntry> entries = new ArrayList<>(kept(volume));
            if (entries.isEmpty()) {
                entries.addAll(used(volume));
            }
            return health(id, entries);
        } catch (RecordDamaged damaged) {
            return health(id, List.of(entry(damaged)));
        }
    }

    private static VolumeHealthEntry entry(RecordDamaged damaged) {
        return entry(VolumeHealthErrorType.INACCESSIBLE, "RecordDamaged", damaged.reason());
    }

    private static VolumeHealth health(String id, List<VolumeHealthEntry> entries) {
        return VolumeHealth.newBuilder()
                .setVolumeId(id)
                .addAllHealthStatuses(entries)
                .build();
    }

    private List<VolumeHealthEntry> kept(Volume volume) throws DiskTrouble, KernelTrouble {
        Path content = pool.volumes().content(volume);
        boolean whole;
        try {
            whole = Copying.isWhole(volume.type(), content, volume.bytes());
        } catch (IOException failed) {
            throw new DiskTrouble("looking at " + content + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
        if (!whole) {
            return List.of(entry(
                    VolumeHealthErrorType.DATA_LOSS,
                    "ContentMissing",
                    content + " is absent or shorter than the volume; restore it from a snapshot or a backup"));
        }
        return isFull(free.disk())
                ? List.of(entry(
                        VolumeHealthErrorType.DEGRADED,
                        "PoolFull",
                        "the disk of the pool " + pool.root() + " is full: writes into the volume may fail"))
                : List.of();
    }

    private static boolean isFull(FileSystems.Usage disk) {
        return disk.available() < disk.total() / RESERVE;
    }

    private List<VolumeHealthEntry> used(Volume volume) throws DiskTrouble, KernelTrouble {
        List<VolumeHealthEntry> entries = new ArrayList<>();
        Seen seen = mounting.look(volume);
        Optional<Uses.Staging> staging = volume.uses().stagingOn(node);
        if (staging.isPresent() && !seen.isStagedAt(Path.of(staging.get().path()), volume, node)) {
            entries.add(entry(
                    VolumeHealthErrorType.INACCESSIBLE,
                    "NotMounted",
                    "nothing of the volume is mounted at "
                            + staging.get().path()
                            + ", where it was staged; stage it again"));
        }
        if (!volume.type().isFileSystem()) {
            return entries;
        }
        Optional<Mount> shut = seen.mounts().stream()
                .filter(m -> m.superOptions().contains("ro"))
                .findFirst();
        if (shut.isPresent()) {
            entries.add(entry(
                    VolumeHealthErrorType.DEGRADED,
                    "FileSystemReadOnly",
                    "the file system became read-only, as after an error; unstage the volume, and check its image"));
        }
        if (volume.type() == VolumeType.EXT4 && seen.loop().isPresent()) {
            long errors = errors(seen.loop().get());
            if (errors > 0) {
                entries.add(entry(
                        VolumeHealthErrorType.DEGRADED,
                        "FileSystemErrors",
                        "the kernel counted "
                                + errors
                                + " errors in the file system; unstage the volume, and check its image with e2fsck"));
            }
        }
        return entries;
    }

    /** 0 also where the kernel does not count. */
    private static long errors(LoopDevice loop) {
        Path file = Path.of("/sys/fs/ext4", "loop" + loop.number(), "errors_count");
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException | NumberFormatException notCounted) {
            return 0;
        }
    }

    private static VolumeHealthEntry entry(VolumeHealthErrorType status, String reason, String message) {
        return VolumeHealthEntry.newBuilder()
                .setStatus(status)
                .setReason(reason)
                .setMessage(message)
                .build();
    }

    /** What is wrong with the pool; empty when nothing is. */
    List<StorageBackendHealth> ofPool() throws DiskTrouble, KernelTrouble {
        try {
            pool.requireThere();
        } catch (CallRefused gone) {
            return List.of(entry(StorageHealthErrorType.STORAGE_UNREACHABLE, "PoolGone", gone.sentence()));
        }
        List<StorageBackendHealth> found = new ArrayList<>();
        if (isFull(free.disk())) {
            found.add(entry(
                    StorageHealthErrorType.STORAGE_DEGRADED,
                    "PoolFull",
                    "the disk of the pool " + pool.root() + " is full"));
        }
        List<RecordDamaged> damages = pool.damages();
        if (!damages.isEmpty()) {
            found.add(entry(
                    StorageHealthErrorType.STORAGE_DEGRADED,
                    "RecordDamaged",
                    damages.size()
                            + " of the pool's files cannot be used; the first: "
                            + damages.getFirst().reason()));
        }
        return found;
    }

    private static StorageBackendHealth entry(StorageHealthErrorType status, String reason, String message) {
        return StorageBackendHealth.newBuilder()
                .setStatus(status)
                .setReason(reason)
                .setMessage(message)
                .build();
    }
}
