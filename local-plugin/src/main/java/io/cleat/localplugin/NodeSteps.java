package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.v1.CapacityRange;
import io.cleat.csi.v1.VolumeCapability;
import io.cleat.csi.v1.VolumeCapability.AccessMode.Mode;
import io.cleat.kernel.LoopDevice;
import io.cleat.kernel.Mount;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Stage, publish and back, on this node. The volume's file says what was asked for, the mount table what is there; each
 * step writes the first before it changes the second, so that the same call after a crash finishes what it began. The
 * caller holds the volume.
 */
final class NodeSteps {
    private final Pool pool;
    private final Mounting mounting;
    private final Images images;
    private final Growth growth;
    private final String node;

    NodeSteps(Pool pool, Mounting mounting, Images images, Growth growth, String node) {
        this.pool = pool;
        this.mounting = mounting;
        this.images = images;
        this.growth = growth;
        this.node = node;
    }

    /**
     * What a publication is to be like.
     *
     * @param readOnly wanted by the request, by the access mode, by a mount flag or by the attachment
     */
    record Wish(Mode mode, boolean readOnly) {}

    void stage(Volume volume, Path path, VolumeCapability capability)
            throws CallRefused, KernelTrouble, DiskTrouble, InterruptedException {
        List<String> flags = capability.getMount().getMountFlagsList().stream()
                .filter(flag -> !flag.equals("ro") && !flag.equals("rw"))
                .distinct()
                .toList();
        Uses.Staging wish = new Uses.Staging(node, path.toString(), flags);
        Seen seen = mounting.look(volume);
        seen.requireOwnOrNone(path, volume);
        Optional<Uses.Staging> before = volume.uses().stagingOn(node);
        if (seen.isStagedAt(path, volume, node)) {
            if (before.isPresent() && !before.get().equals(wish)) {
                throw CallRefused.different("volume "
                        + volume.id()
                        + " is staged with other mount flags, or this path is a target of it; unpublish and "
                        + "unstage it first");
            }
            fit(volume, path);
            return;
        }
        if (before.isPresent() && seen.isStagedAt(Path.of(before.get().path()), volume, node)) {
            throw CallRefused.tooSoon("volume "
                    + volume.id()
                    + " is staged on this node at "
                    + before.get().path()
                    + "; a node has one staging path per volume: unstage that first");
        }
        requireNotAway(volume);
        images.requireMountable(volume.type());
        PlainPaths.requireEmpty(path);
        Volume staged = volume.used(uses -> uses.staged(wish));
        pool.volumes().save(staged);
        Volume ready = growth.prepare(staged);
        mounting.mount(ready, path, flags);
        fit(ready, path);
    }

    /** Gives what was mounted its size and its settings. */
    private void fit(Volume volume, Path path) throws CallRefused, KernelTrouble, DiskTrouble, InterruptedException {
        boolean follows = volume.shape().growing() && !Images.growsUnmounted(volume.type());
        Volume fitting = follows ? growth.follow(volume, path) : volume;
        apply(fitting, mounting.look(fitting));
    }

    /** Gives a volume the settings it should have, where it is mounted here. */
    static void apply(Volume volume, Seen seen) throws DiskTrouble {
        if (seen.loop().isPresent()) {
            Settings.applyReadAhead(volume, seen.loop().get());
        }
        Optional<Mount> mount =
                seen.mounts().stream().filter(m -> !m.isReadOnly()).findFirst();
        if (mount.isPresent() && volume.type() != VolumeType.BLOCK) {
            Settings.applyMode(volume, Path.of(mount.get().target()));
        }
    }

    /** A file system is never mounted by two machines: they would not see each other's changes. */
    private void requireNotAway(Volume volume) throws CallRefused {
        Optional<Uses.Staging> away = volume.uses().stagings().stream()
                .filter(s -> !s.node().equals(node))
                .findFirst();
        if (volume.type().isImage() && away.isPresent()) {
            throw CallRefused.tooSoon("volume "
                    + volume.id()
                    + " is staged on node "
                    + away.get().node()
                    + "; unstage it there, or detach it from that node once that node is known to be off");
        }
    }

    /** NodeExpandVolume, at one of the volume's places; answers with its size. */
    long expand(Volume volume, Path path, CapacityRange range)
            throws CallRefused, KernelTrouble, DiskTrouble, InterruptedException {
        if (!Sizes.fits(volume.bytes(), range)) {
            throw CallRefused.outOfRange("volume "
                    + volume.id()
                    + " has "
                    + volume.bytes()
                    + " bytes, outside of required "
                    + range.getRequiredBytes()
                    + " and limit "
                    + range.getLimitBytes()
                    + "; ControllerExpandVolume comes first");
        }
        return growth.follow(volume, path).bytes();
    }

    void unstage(Volume volume, Path path) throws CallRefused, KernelTrouble, DiskTrouble, InterruptedException {
        Seen seen = mounting.look(volume);
        seen.requireOwnOrNone(path, volume);
        List<Mount> elsewhere = seen.usesBeside(path).stream()
                .filter(mount -> !isAway(volume, mount))
                .toList();
        if (!elsewhere.isEmpty()) {
            throw CallRefused.tooSoon("volume "
                    + volume.id()
                    + " is still mounted at "
                    + Seen.targets(elsewhere)
                    + "; unpublish that first");
        }
        mounting.unmount(volume, path);
        mounting.detach(volume);
        forget(volume, volume.used(uses -> uses.unstaged(node)));
    }

    void publish(Volume volume, Path staging, Path target, Wish wish)
            throws CallRefused, KernelTrouble, DiskTrouble, InterruptedException {
        Uses.Publication publication = new Uses.Publication(node, target.toString(), wish.mode(), wish.readOnly());
        Seen seen = mounting.look(volume);
        seen.requireOwnOrNone(target, volume);
        if (!seen.isStagedAt(staging, volume, node) || staging.equals(target)) {
            throw CallRefused.tooSoon(
                    "volume " + volume.id() + " is not staged at " + staging + "; stage it there first");
        }
        Optional<Uses.Publication> before = volume.uses().publicationAt(node, target.toString());
        Optional<Mount> there = seen.at(target);
        if (there.isPresent()) {
            if (before.isPresent() && !before.get().equals(publication)) {
                throw CallRefused.different("volume "
                        + volume.id()
                        + " is published at "
                        + target
                        + " with mode "
                        + words(before.get())
                        + ", and now with "
                        + words(publication)
                        + "; unpublish it first");
            }
            if (!there.get().isReadOnly()) {
                mounting.makeReadOnly(target, wish.readOnly());
            }
            return;
        }
        requireRoom(volume, seen, staging, target, wish.mode());
        Path source = staging;
        if (volume.type() == VolumeType.BLOCK) {
            LoopDevice device = mounting.device(volume, seen, wish.readOnly());
            Settings.applyReadAhead(volume, device);
            source = device.path();
            PlainPaths.makeEmptyFile(target);
        } else {
            PlainPaths.makeEmpty(target);
        }
        Uses now = withoutVoid(volume, seen).published(publication);
        pool.volumes().save(volume.used(_ -> now));
        mounting.bind(source, target, wish.readOnly());
    }

    /** Without the publications of this node that the mount table does not show, as after a boot. */
    private Uses withoutVoid(Volume volume, Seen seen) {
        Uses current = volume.uses();
        for (Uses.Publication p : volume.uses().publications()) {
            if (p.node().equals(node) && seen.at(Path.of(p.path())).isEmpty()) {
                current = current.unpublished(node, p.path());
            }
        }
        return current;
    }

    /** Whether a mount is on file as another node's, of the same mount namespace as this one. */
    private boolean isAway(Volume volume, Mount mount) {
        return Stream.concat(
                        volume.uses().stagings().stream()
                                .filter(s -> !s.node().equals(node))
                                .map(Uses.Staging::path),
                        volume.uses().publications().stream()
                                .filter(p -> !p.node().equals(node))
                                .map(Uses.Publication::path))
                .anyMatch(mount.target()::equals);
    }

    /** A mode with one user on a node has one target there (CSI, NodePublishVolume). */
    private void requireRoom(Volume volume, Seen seen, Path staging, Path target, Mode mode) throws CallRefused {
        for (Mount mount : seen.elsewhere(target)) {
            if (mount.target().equals(staging.toString()) || isAway(volume, mount)) {
                continue;
            }
            Optional<Uses.Publication> other = volume.uses().publicationAt(node, mount.target());
            if (!Access.allowsSecondTarget(mode)
                    || (other.isPresent()
                            && !Access.allowsSecondTarget(other.get().mode()))) {
                throw CallRefused.tooSoon("volume "
                        + volume.id()
                        + " is published at "
                        + mount.target()
                        + other.map(p -> " with mode " + words(p)).orElse("")
                        + ", and "
                        + mode
                        + " was asked for at "
                        + target
                        + "; these modes allow one target: unpublish that first");
            }
        }
    }

    void unpublish(Volume volume, Path target) throws CallRefused, KernelTrouble, DiskTrouble, InterruptedException {
        Seen seen = mounting.look(volume);
        seen.requireOwnOrNone(target, volume);
        if (volume.uses()
                        .stagingOn(node)
                        .map(s -> s.path().equals(target.toString()))
                        .orElse(false)
                && seen.at(target).isPresent()) {
            throw CallRefused.tooSoon(target + " is where volume " + volume.id() + " is staged; unstage it instead");
        }
        mounting.unmount(volume, target);
        if (volume.type() == VolumeType.BLOCK) {
            PlainPaths.removeEmptyFile(target);
        } else {
            PlainPaths.removeEmpty(target);
        }
        forget(volume, volume.used(uses -> uses.unpublished(node, target.toString())));
    }

    /**
     * Drops what is no longer there from the volume's file. On a full disk the line stays: the mount table says that it
     * is void.
     */
    private void forget(Volume before, Volume now) {
        if (now.equals(before)) {
            return;
        }
        try {
            pool.volumes().save(now);
        } catch (DiskTrouble stays) {
            System.getLogger(NodeSteps.class.getName())
                    .log(System.Logger.Level.WARNING, "an ended use stays on file: {0}", stays.reason());
        }
    }

    private static String words(Uses.Publication publication) {
        return publication.mode() + (publication.readOnly() ? " read-only" : " read-write");
    }
}
