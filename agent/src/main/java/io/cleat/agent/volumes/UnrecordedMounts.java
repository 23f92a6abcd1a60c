package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import io.cleat.model.VolumeId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is mounted for an allocation though the journal does not say that it may be. A journal that is as it was left
 * says so before each mount, until after each unmount; so this one has lost its end, or is an older one, and what it
 * says of the allocation is not to be acted upon.
 */
final class UnrecordedMounts {
    private final VolumeParts parts;

    UnrecordedMounts(VolumeParts parts) {
        this.parts = parts;
    }

    /** The paths of those of an allocation, and of the stagings of its volumes. */
    List<Path> of(String allocId, Collection<VolumeId> volumes) throws KernelTrouble {
        List<VolumeRecord> records = parts.journal().volumes();
        List<Path> found = new ArrayList<>();
        for (Mount mount : parts.mounts().whole().atOrBelow(parts.root())) {
            Path path = Path.of(mount.target());
            if (path.equals(parts.root())) {
                continue;
            }
            Path hostRoot = parts.root().resolve(parts.root().relativize(path).getName(0));
            boolean isStaging = volumes.stream().anyMatch(one -> path.startsWith(VolumePaths.staging(hostRoot, one)));
            boolean isLost = isStaging
                    ? records.stream().flatMap(UnrecordedMounts::stagings).noneMatch(path::startsWith)
                    : path.startsWith(VolumePaths.targets(hostRoot, allocId))
                            && records.stream()
                                    .flatMap(UnrecordedMounts::targets)
                                    .noneMatch(path::startsWith);
            if (isLost) {
                found.add(path);
            }
        }
        return found;
    }

    private static Stream<Path> stagings(VolumeRecord record) {
        Staging staging = record.staging();
        return staging == null || staging.phase() == Staging.Phase.PREPARING
                ? Stream.empty()
                : Stream.of(staging.host());
    }

    private static Stream<Path> targets(VolumeRecord record) {
        return record.uses().stream()
                .filter(use -> use.phase() != Use.Phase.PREPARING)
                .map(Use::host);
    }
}
