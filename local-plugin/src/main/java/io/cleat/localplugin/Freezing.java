package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.FileSystems;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.Mount;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Holds the writers of volumes while these are copied. A mounted file system is frozen; that it is goes on file before,
 * so that a process that dies meanwhile has its file systems thawed at the next start. The caller holds the volumes.
 */
final class Freezing {
    private final Pool pool;
    private final Mounting mounting;
    private final FileSystems fileSystems;
    private final String node;

    /** @param node this node, empty for a controller's process */
    Freezing(Pool pool, Mounting mounting, FileSystems fileSystems, String node) {
        this.pool = pool;
        this.mounting = mounting;
        this.fileSystems = fileSystems;
        this.node = node;
    }

    /** What is done while writers are held; {@code footings} are those of the volumes, in order. */
    @FunctionalInterface
    interface Body {
        void run(List<Copying.Footing> footings) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException;
    }

    /** Runs {@code body} while nobody writes to {@code volumes}, as far as that can be had. */
    void during(List<Volume> volumes, Body body) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        Copying.Footing[] footings = new Copying.Footing[volumes.size()];
        try {
            for (int i = 0; i < footings.length; i++) {
                footings[i] = hold(volumes.get(i));
            }
            body.run(List.of(footings));
        } finally {
            releaseAll(volumes);
        }
    }

    /** One that cannot be thawed must not keep the others frozen. */
    private void releaseAll(List<Volume> volumes) throws DiskTrouble, KernelTrouble {
        try {
            if (!volumes.isEmpty()) {
                release(volumes.getFirst().id());
            }
        } finally {
            if (volumes.size() > 1) {
                releaseAll(volumes.subList(1, volumes.size()));
            }
        }
    }

    private Copying.Footing hold(Volume volume) throws CallRefused, DiskTrouble, KernelTrouble {
        Seen seen = mounting.look(volume);
        return switch (volume.type()) {
            case DIRECTORY -> {
                requireNoWriter(volume, seen);
                yield Copying.Footing.STILL;
            }
            case BLOCK -> {
                if (seen.loop().isPresent()) {
                    flush(seen.loop().get());
                }
                yield isAway(volume) || seen.loop().filter(l -> !l.readOnly()).isPresent()
                        ? Copying.Footing.MOVING
                        : Copying.Footing.STILL;
            }
            case EXT4, XFS, BTRFS -> {
                if (seen.mounts().isEmpty()) {
                    yield isAway(volume) || seen.loop().isPresent() ? Copying.Footing.MOVING : Copying.Footing.STILL;
                }
                freeze(volume, seen.mounts().getFirst());
                yield Copying.Footing.STILL;
            }
        };
    }

    private boolean isAway(Volume volume) {
        return volume.uses().stagings().stream().anyMatch(s -> !s.node().equals(node));
    }

    /** A tree is copied file by file, which is of one moment only when nobody writes. */
    private void requireNoWriter(Volume volume, Seen seen) throws CallRefused {
        Path staging = volume.uses().stagingOn(node).map(s -> Path.of(s.path())).orElse(Path.of(""));
        Optional<String> here = seen.usesBeside(staging).stream()
                .filter(mount -> !mount.isReadOnly())
                .filter(mount -> !isStaging(volume, mount))
                .map(Mount::target)
                .findFirst();
        Optional<String> away = volume.uses().publications().stream()
                .filter(p -> !p.node().equals(node) && !p.readOnly())
                .map(p -> p.path() + " on node " + p.node())
                .findFirst();
        Optional<String> writer = here.isPresent() ? here : away;
        if (writer.isPresent()) {
            throw CallRefused.tooSoon("volume "
                    + volume.id()
                    + " is a directory, which is copied file by file, and it is published read-write at "
                    + writer.get()
                    + "; unpublish it first, or use a type with a file system of its own, which is copied "
                    + "while in use");
        }
    }

    private static boolean isStaging(Volume volume, Mount mount) {
        return volume.uses().stagings().stream().anyMatch(s -> s.path().equals(mount.target()));
    }

    private static void flush(LoopDevice loop) throws DiskTrouble {
        try (FileChannel device = FileChannel.open(loop.path(), StandardOpenOption.READ)) {
            device.force(true);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "writing back what " + loop + " holds failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    private void freeze(Volume volume, Mount mount) throws DiskTrouble, KernelTrouble {
        Volume.Frozen frozen = new Volume.Frozen(node, mount.target());
        pool.volumes().save(volume.with(volume.shape().frozen(Optional.of(frozen))));
        fileSystems.freeze(Path.of(mount.target()));
    }

    /** Thaws a volume that this node froze; nothing happens for any other. */
    private void release(String id) throws DiskTrouble, KernelTrouble {
        Optional<Volume> found = pool.volumes().find(id);
        Optional<Volume.Frozen> frozen = found.flatMap(volume -> volume.shape().frozen())
                .filter(f -> f.node().equals(node));
        if (frozen.isEmpty()) {
            return;
        }
        Volume volume = found.orElseThrow();
        Path path = Path.of(frozen.get().path());
        if (mounting.look(volume).at(path).isPresent()) {
            fileSystems.thaw(path);
        }
        try {
            pool.volumes().save(volume.with(volume.shape().frozen(Optional.empty())));
        } catch (DiskTrouble stays) {
            // A full disk: the line is void, and thawing again at the next start does no harm.
            System.getLogger(Freezing.class.getName())
                    .log(System.Logger.Level.WARNING, "an ended freeze stays on file: {0}", stays.reason());
        }
    }

    /** Thaws what a killed process of this node left frozen, unless a living one is at work. */
    void releaseLeftovers() throws DiskTrouble, KernelTrouble {
        for (Volume volume : pool.volumes().list()) {
            if (volume.shape().frozen().filter(f -> f.node().equals(node)).isEmpty()) {
                continue;
            }
            Optional<KeyLocks.Held> held = pool.locks().tryHold(volume.id());
            if (held.isPresent()) {
                try (KeyLocks.Held _ = held.get()) {
                    release(volume.id());
                } catch (DiskTrouble | KernelTrouble stays) {
                    // One volume must not keep the plugin from serving the others.
                    System.getLogger(Freezing.class.getName())
                            .log(
                                    System.Logger.Level.WARNING,
                                    "volume {0} may be frozen at {1}, as it was for a copy: {2};"
                                            + " thaw it with fsfreeze -u, or start the plugin anew",
                                    volume.id(),
                                    volume.shape().frozen().orElseThrow().path(),
                                    stays.reason());
                }
            }
        }
    }
}
