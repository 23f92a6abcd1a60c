package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.model.VolumeId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
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
        MountTable table = parts.mounts().whole();
        List<VolumeRecord> records = parts.journal().volumes();
        List<Path> found = new ArrayList<>();
        for (Path hostRoot : hostRoots(table)) {
            for (VolumeId volume : new TreeSet<>(volumes)) {
                Path staging = VolumePaths.staging(hostRoot, volume);
                found.addAll(unknown(table, staging, records, UnrecordedMounts::stagings));
            }
            Path targets = VolumePaths.targets(hostRoot, allocId);
            found.addAll(unknown(table, targets, records, UnrecordedMounts::targets));
        }
        return found;
    }

    /** Those of plugins that have something mounted. By the text, since each allocation's start asks for it. */
    private List<Path> hostRoots(MountTable table) {
        String above = parts.root().toAbsolutePath().normalize() + "/";
        Set<String> names = new TreeSet<>();
        for (Mount mount : table.atOrBelow(parts.root())) {
            String target = mount.target();
            if (target.startsWith(above)) {
                int end = target.indexOf('/', above.length());
                names.add(target.substring(above.length(), end < 0 ? target.length() : end));
            }
        }
        return names.stream().map(parts.root()::resolve).toList();
    }

    private static List<Path> unknown(
            MountTable table, Path place, List<VolumeRecord> records, Function<VolumeRecord, Stream<Path>> known) {
        return table.atOrBelow(place).stream()
                .map(mount -> Path.of(mount.target()))
                .filter(path -> records.stream().flatMap(known).noneMatch(path::startsWith))
                .toList();
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
