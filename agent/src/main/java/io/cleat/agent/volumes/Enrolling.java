package io.cleat.agent.volumes;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a claim becomes a use: what is on the node already may exclude it for now, and it is written down, with all its
 * paths, before anything is made or a plugin is asked.
 *
 * <p>Called with the volume's turn. Holds nothing: what it knows is the journal's.
 */
final class Enrolling {
    private final VolumeParts parts;

    Enrolling(VolumeParts parts) {
        this.parts = parts;
    }

    /**
     * What is attached to the node under one of the provider's ids is not there under another: a plugin that changed
     * its mind may undo, and mounts nothing new. What was itself begun under another id would wait for its own end: it
     * is refused, and its allocation's successor begins anew.
     *
     * @throws StepBlocked until what was mounted under another id is undone
     * @throws PluginTrouble with no effect if the use itself was begun under another id
     */
    void requireSameNode(GrantedClaim claim, NodePlugin plugin) throws StepBlocked, PluginTrouble {
        Optional<Use> own = parts.journal()
                .volume(VolumeKey.of(claim))
                .use(claim.allocId(), claim.alias())
                .filter(use -> use.phase() != Use.Phase.PUBLISHED)
                .filter(use -> !use.nodeId().equals(plugin.nodeId()));
        if (own.isPresent()) {
            throw new PluginTrouble(
                    "plugin \""
                            + claim.pluginId()
                            + "\" now calls this node \""
                            + plugin.nodeId()
                            + "\", and mounting volume \""
                            + claim.volume().id()
                            + "\" was begun when it called it \""
                            + own.get().nodeId()
                            + "\". What was begun is undone; the next allocation begins anew",
                    Effect.NONE,
                    Retry.NEVER);
        }
        for (VolumeRecord volume : parts.journal().volumes()) {
            for (Use use : volume.uses()) {
                if (volume.pluginId().equals(claim.pluginId()) && !use.nodeId().equals(plugin.nodeId())) {
                    throw StepBlocked.volume(
                            "mount",
                            "plugin \""
                                    + claim.pluginId()
                                    + "\", which now calls this node \""
                                    + plugin.nodeId()
                                    + "\" and mounted volume \""
                                    + use.volume().id()
                                    + "\" for allocation "
                                    + use.allocId()
                                    + " when it called it \""
                                    + use.nodeId()
                                    + "\"",
                            "it goes on when what was mounted under the old id is unmounted, or the"
                                    + " plugin says the old id again");
                }
            }
        }
    }

    /**
     * Counts the claim among the users, durably, with all the paths that will be used; it may be counted already.
     *
     * @throws StepBlocked while the volume is staged in another way, or another volume has one of the paths
     */
    void begin(GrantedClaim claim, NodePlugin plugin, VolumeKey key) throws StepBlocked, DiskTrouble {
        VolumeRecord record = parts.journal().volume(key);
        if (record.use(claim.allocId(), claim.alias()).isPresent()) {
            return;
        }
        Staging staging = record.staging();
        if (staging != null && !staging.covers(claim)) {
            throw StepBlocked.volume(
                    "stage",
                    "volume \""
                            + claim.volume().id()
                            + "\", staged in another way ("
                            + staging.modes().access().wire()
                            + ") for "
                            + users(record),
                    "a node has one staging of a volume: it goes on when the last of these allocations has stopped");
        }
        if (staging == null && plugin.stages()) {
            staging = new Staging(
                    claim.volume(),
                    VolumePaths.staging(plugin.hostRoot(), claim.volume()).toString(),
                    VolumePaths.staging(plugin.pluginRoot(), claim.volume()).toString(),
                    claim.modes(),
                    Staging.digest(claim.mountOptions()),
                    parts.boot().value());
        }
        Use use = new Use(
                claim.allocId(),
                claim.alias(),
                claim.volume(),
                claim.epoch(),
                claim.modes(),
                claim.readOnly(),
                Use.Phase.PREPARING,
                VolumePaths.target(plugin.hostRoot(), claim).toString(),
                VolumePaths.target(plugin.pluginRoot(), claim).toString(),
                plugin.nodeId());
        VolumeRecord begun = record.with(staging).with(use);
        requireNobodyElse(begun);
        parts.journal().keep(begun);
    }

    /** A path may be another volume's of the same name, which is not undone yet. */
    private void requireNobodyElse(VolumeRecord begun) throws StepBlocked {
        List<Path> paths = begun.hostPaths().toList();
        for (VolumeRecord other : parts.journal().volumes()) {
            Optional<Path> shared = other.key().equals(begun.key())
                    ? Optional.empty()
                    : other.hostPaths().filter(paths::contains).findFirst();
            if (shared.isPresent()) {
                throw StepBlocked.volume(
                        "mount",
                        "volume "
                                + other.externalId()
                                + " of plugin \""
                                + other.pluginId()
                                + "\", which has the same name here and still has "
                                + shared.get(),
                        "it goes on when that one is unmounted");
            }
        }
    }

    private static String users(VolumeRecord record) {
        return record.uses().stream()
                .map(use -> "allocation " + use.allocId())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }
}
