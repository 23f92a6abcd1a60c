package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.BlockDevice;
import io.cleat.kernel.Mount;
import io.cleat.kernel.PathStat;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is where a use is published: a mount, or a device. Of a device the file itself counts, since a plugin may bind
 * it there or make it there (CSI, NodePublishVolume: "the SP SHALL place the block device at target_path").
 */
final class Targets {
    private final VolumeParts parts;
    private final Directories directories;
    private final VisibleMounts mounts;

    Targets(VolumeParts parts) {
        this.parts = parts;
        this.directories = new Directories(parts);
        this.mounts = new VisibleMounts(parts.mounts());
    }

    /** Whether the volume is published there; what is surely no volume is not. */
    boolean isThere(VolumeKey key, Use use) throws KernelTrouble, InterruptedException {
        return use.isDevice()
                ? device(key.pluginId(), use).isPresent()
                : mounts.isMounted(use.host()) && noVolume(key, use).isEmpty();
    }

    /**
     * Why what is mounted there is no volume, whoever says so; empty if nothing speaks against it, or if nothing is
     * mounted.
     */
    Optional<String> noVolume(VolumeKey key, Use use) throws KernelTrouble {
        if (use.isDevice()) {
            return Optional.empty();
        }
        if (mounts.showsDirectoryOf(parts.root(), use.host())) {
            return Optional.of(use.hostPath()
                    + " shows a directory of this machine's own disk at which nothing is"
                    + " mounted: what is written there is in no volume");
        }
        Staging staging = parts.journal().volume(key).staging();
        Optional<Mount> below = mounts.holding(parts.root());
        Optional<Mount> shown = mounts.at(use.host());
        // A plugin may keep volumes in directories of that disk; then it stages no other one.
        if (staging == null
                || !staging.hasMountedIn(parts.boot())
                || below.isEmpty()
                || shown.isEmpty()
                || staging.isOn(below.get().device())
                || !shown.get().device().equals(below.get().device())) {
            return Optional.empty();
        }
        return Optional.of(use.hostPath()
                + " shows "
                + shown.get().root()
                + " of this machine's own disk ("
                + shown.get().device()
                + "), and what is staged is "
                + staging.mounted()
                + ": what is written there is in no volume");
    }

    /** What is there before anything was sent and must not be; empty if there is room. */
    Optional<String> inTheWay(String pluginId, Use use) throws KernelTrouble, InterruptedException {
        Optional<Mount> mount = mounts.at(use.host());
        if (mount.isPresent()) {
            return Optional.of("something that this agent did not mount is mounted at "
                    + use.hostPath()
                    + ": "
                    + mount.get().source()
                    + " ("
                    + mount.get().fsType()
                    + ")");
        }
        return use.isDevice()
                ? directories
                        .look(pluginId, use.host())
                        .filter(found -> !Directories.isEmptyFile(found))
                        .map(found ->
                                use.hostPath() + ", where a device is to be shown, is " + Directories.words(found))
                : Optional.empty();
    }

    /** Why what is there after a plugin's OK is not the volume; empty if nothing speaks against. */
    Optional<String> fault(VolumeKey key, Use use) throws KernelTrouble, InterruptedException {
        if (!use.isDevice()) {
            if (!mounts.isMounted(use.host())) {
                return Optional.of("nothing is mounted at " + use.hostPath());
            }
            Optional<String> other = noVolume(key, use);
            return other.isPresent() ? other : noDirectory(key.pluginId(), use.host());
        }
        Optional<PathStat> found = directories.look(key.pluginId(), use.host());
        if (found.isEmpty()) {
            return Optional.of("nothing is at " + use.hostPath());
        }
        if (found.get().type() != PathStat.Type.BLOCK) {
            return Optional.of(use.hostPath() + " is " + Directories.words(found.get()) + ", expected a block device");
        }
        Mount.Device number = found.get().represents();
        Optional<BlockDevice> behind = parts.devices().find(number);
        if (behind.isEmpty() || behind.get().bytes() == 0) {
            return Optional.of(use.hostPath()
                    + " is device "
                    + number
                    + (behind.isEmpty() ? ", which this machine does not have" : ", with nothing behind it"));
        }
        return shownElsewhere(key, use, number);
    }

    /** Why what is there is not one to mount on or at; empty if it is. */
    Optional<String> noDirectory(String pluginId, Path path) throws KernelTrouble, InterruptedException {
        Optional<PathStat> found = directories.look(pluginId, path);
        return found.filter(PathStat::isDirectory).isPresent()
                ? Optional.empty()
                : Optional.of(
                        path + " is " + found.map(Directories::words).orElse("not there") + ", expected a directory");
    }

    /** One device is not two volumes: where it seems so, one would write into the other. */
    private Optional<String> shownElsewhere(VolumeKey key, Use use, Mount.Device number)
            throws KernelTrouble, InterruptedException {
        for (VolumeRecord other : parts.journal().volumes()) {
            for (Use others : other.uses()) {
                if (!other.key().equals(key)
                        && others.isDevice()
                        && device(other.pluginId(), others).equals(Optional.of(number))) {
                    return Optional.of(use.hostPath()
                            + " is device "
                            + number
                            + ", which is also volume \""
                            + others.volume().id()
                            + "\" at "
                            + others.hostPath());
                }
            }
        }
        return Optional.empty();
    }

    /** Whether writing is refused; by the device itself, as its file can be written to anyhow. */
    boolean isReadOnly(String pluginId, Use use) throws KernelTrouble, InterruptedException {
        if (!use.isDevice()) {
            return mounts.at(use.host()).filter(Mount::isReadOnly).isPresent();
        }
        Optional<Mount.Device> number = device(pluginId, use);
        return number.isPresent()
                && parts.devices()
                        .find(number.get())
                        .filter(BlockDevice::readOnly)
                        .isPresent();
    }

    /** How large the device is; empty if it is none. */
    OptionalLong size(String pluginId, Use use) throws KernelTrouble, InterruptedException {
        Optional<Mount.Device> number = use.isDevice() ? device(pluginId, use) : Optional.empty();
        if (number.isEmpty()) {
            return OptionalLong.empty();
        }
        Optional<BlockDevice> found = parts.devices().find(number.get());
        return found.isPresent() ? OptionalLong.of(found.get().bytes()) : OptionalLong.empty();
    }

    private Optional<Mount.Device> device(String pluginId, Use use) throws KernelTrouble, InterruptedException {
        return directories
                .look(pluginId, use.host())
                .filter(found -> found.type() == PathStat.Type.BLOCK)
                .map(PathStat::represents);
    }
}
