package io.cleat.agent.volumes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the journal says of one volume on this node.
 *
 * @param staging absent for a plugin that does not stage, or before anything was begun
 * @param uses by whom it is used, or was and something is still to be undone
 * @param expandedTo bytes that its plugin was asked to make it here, and did; 0 for none
 */
record VolumeRecord(
        String pluginId, String externalId, @Nullable Staging staging, List<Use> uses, long expandedTo) {
    VolumeRecord {
        uses = List.copyOf(uses);
    }

    static VolumeRecord none(VolumeKey key) {
        return new VolumeRecord(key.pluginId(), key.externalId(), null, List.of(), 0);
    }

    VolumeKey key() {
        return new VolumeKey(pluginId, externalId);
    }

    boolean isEmpty() {
        return staging == null && uses.isEmpty();
    }

    Optional<Use> use(String allocId, String alias) {
        return uses.stream().filter(use -> use.is(allocId, alias)).findFirst();
    }

    /** The uses for which the staging must stay, but for that one. */
    List<Use> wantedBeside(Use one) {
        return uses.stream()
                .filter(use -> use.isWanted() && !use.is(one.allocId(), one.alias()))
                .toList();
    }

    /** Whether nobody wants it and only the staging is left to be undone. */
    boolean isOwed() {
        return !isEmpty() && uses.stream().allMatch(use -> use.phase() == Use.Phase.LEAVING);
    }

    /** All paths on the host that are its. */
    Stream<Path> hostPaths() {
        Stream<Path> targets = uses.stream().map(Use::host);
        return staging == null ? targets : Stream.concat(Stream.of(staging.host()), targets);
    }

    /** Those of them whose directories are there, or are to be made, and not being removed. */
    Stream<Path> neededPaths() {
        Stream<Path> targets = uses.stream().filter(Use::needsTarget).map(Use::host);
        return staging == null || !staging.needsDirectory()
                ? targets
                : Stream.concat(Stream.of(staging.host()), targets);
    }

    /** The roots below which the plugin was told to stage and publish it. */
    Stream<Path> pluginRoots() {
        Stream<Path> targets = uses.stream().map(use -> VolumePaths.rootOfTarget(Path.of(use.pluginPath())));
        return staging == null
                ? targets
                : Stream.concat(Stream.of(VolumePaths.rootOfStaging(Path.of(staging.pluginPath()))), targets);
    }

    VolumeRecord expanded(long bytes) {
        return new VolumeRecord(pluginId, externalId, staging, uses, bytes);
    }

    VolumeRecord with(@Nullable Staging next) {
        return new VolumeRecord(pluginId, externalId, next, uses, expandedTo);
    }

    /** With {@code next} in the place of the same user's use, or added. */
    VolumeRecord with(Use next) {
        List<Use> changed = new ArrayList<>();
        boolean found = false;
        for (Use use : uses) {
            boolean same = use.is(next.allocId(), next.alias());
            changed.add(same ? next : use);
            found |= same;
        }
        if (!found) {
            changed.add(next);
        }
        return new VolumeRecord(pluginId, externalId, staging, changed, expandedTo);
    }

    VolumeRecord without(Use gone) {
        return new VolumeRecord(
                pluginId,
                externalId,
                staging,
                uses.stream()
                        .filter(use -> !use.is(gone.allocId(), gone.alias()))
                        .toList(),
                expandedTo);
    }

    /** Without those that only waited for the staging to go, which now has another user. */
    VolumeRecord withoutLeaving() {
        return new VolumeRecord(
                pluginId,
                externalId,
                staging,
                uses.stream().filter(use -> use.phase() != Use.Phase.LEAVING).toList(),
                expandedTo);
    }
}
