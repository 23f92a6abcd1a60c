package io.cleat.localplugin;

import io.cleat.base.BackOff;
import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Time;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.LoopDevices;
import io.cleat.kernel.Mount;
import io.cleat.kernel.Mounts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Mounts and unmounts of one volume; each step looks first, so that it can be repeated. */
final class Mounting {
    /** A process that has just ended may hold a mount for a moment yet. */
    private static final Duration BUSY = Duration.ofSeconds(2);

    private static final BackOff PAUSES = new BackOff(Duration.ofMillis(10), Duration.ofMillis(200));

    private final Pool pool;
    private final Mounts mounts;
    private final LoopDevices loops;
    private final Time time;
    private final Chance chance;

    Mounting(Pool pool, Mounts mounts, LoopDevices loops, Time time, Chance chance) {
        this.pool = pool;
        this.mounts = mounts;
        this.loops = loops;
        this.time = time;
        this.chance = chance;
    }

    Seen look(Volume volume) throws KernelTrouble {
        return Seen.of(pool, volume, mounts, loops);
    }

    /** Mounts the volume itself at {@code path}; a block volume's device is only attached. */
    void mount(Volume volume, Path path, List<String> flags) throws KernelTrouble, InterruptedException {
        Path content = pool.volumes().content(volume);
        switch (volume.type()) {
            case DIRECTORY -> mounts.bind(content, path);
            case BLOCK -> loops.attach(content, false);
            case EXT4, XFS, BTRFS -> {
                LoopDevice loop = loops.attach(content, false);
                mounts.mount(
                        loop.path().toString(),
                        path,
                        volume.type().word(),
                        kernelFlags(flags),
                        options(volume.type(), flags));
            }
        }
    }

    /**
     * The device of a block volume, refusing writes or not. A device node can be written to though its mount is
     * read-only, so the device itself is what refuses.
     */
    LoopDevice device(Volume volume, Seen seen, boolean readOnly)
            throws CallRefused, KernelTrouble, InterruptedException {
        Path content = pool.volumes().content(volume);
        if (seen.loop().isPresent() && seen.loop().get().readOnly() != readOnly) {
            if (!seen.mounts().isEmpty()) {
                throw CallRefused.tooSoon("volume "
                        + volume.id()
                        + " is published "
                        + (readOnly ? "read-write" : "read-only")
                        + " at "
                        + Seen.targets(seen.mounts())
                        + ", and its device is either; unpublish that first");
            }
            loops.detach(content);
        }
        return loops.attach(content, readOnly);
    }

    /** Makes the device of an image as big as the image is now. */
    void resize(Volume volume) throws KernelTrouble {
        loops.resize(pool.volumes().content(volume));
    }

    /** Shows what is mounted at {@code source} at {@code path} too. */
    void bind(Path source, Path path, boolean readOnly) throws KernelTrouble {
        mounts.bind(source, path);
        makeReadOnly(path, readOnly);
    }

    void makeReadOnly(Path path, boolean readOnly) throws KernelTrouble {
        if (readOnly) {
            mounts.remountReadOnly(path);
        }
    }

    /** Takes the volume's mounts at {@code path} away, a stack of them too. */
    void unmount(Volume volume, Path path) throws KernelTrouble, CallRefused, InterruptedException {
        Deadline deadline = Deadline.in(time, BUSY);
        int failures = 0;
        for (Seen seen = look(volume); seen.at(path).isPresent(); seen = look(volume)) {
            seen.requireOwnOrNone(path, volume);
            requireNothingBelow(seen, path);
            try {
                mounts.unmount(path);
            } catch (KernelTrouble busy) {
                if (deadline.isExpired()) {
                    throw busy;
                }
                time.sleep(PAUSES.wait(failures++, chance));
            }
        }
    }

    private static void requireNothingBelow(Seen seen, Path path) throws CallRefused {
        List<Mount> below = seen.table().atOrBelow(path).stream()
                .filter(mount -> !mount.target().equals(path.toString()))
                .toList();
        if (!below.isEmpty()) {
            throw CallRefused.tooSoon(
                    "below " + path + " something else is mounted: " + Seen.targets(below) + "; unmount that first");
        }
    }

    /** Detaches the loop device of a volume that is mounted nowhere. */
    void detach(Volume volume) throws KernelTrouble, InterruptedException {
        if (volume.type().isImage()) {
            loops.detach(pool.volumes().content(volume));
        }
    }

    private static Set<Mounts.Flag> kernelFlags(List<String> flags) {
        Set<Mounts.Flag> known = EnumSet.noneOf(Mounts.Flag.class);
        for (String flag : flags) {
            kernelFlag(flag).ifPresent(known::add);
        }
        return known;
    }

    private static Optional<Mounts.Flag> kernelFlag(String flag) {
        return switch (flag) {
            case "nosuid" -> Optional.of(Mounts.Flag.NO_SUID);
            case "nodev" -> Optional.of(Mounts.Flag.NO_DEVICES);
            case "noexec" -> Optional.of(Mounts.Flag.NO_EXEC);
            case "noatime" -> Optional.of(Mounts.Flag.NO_ACCESS_TIMES);
            default -> Optional.empty();
        };
    }

    /** The options of the file system itself. */
    private static String options(VolumeType type, List<String> flags) {
        List<String> own = new ArrayList<>(flags);
        own.removeIf(flag -> kernelFlag(flag).isPresent());
        if (type == VolumeType.XFS) {
            // A copy has the id of what it was copied from, and XFS mounts one of them only.
            own.add("nouuid");
        }
        return String.join(",", own);
    }
}
