package io.cleat.agent.volumes;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import io.cleat.csi.CsiTrouble;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Mounts that nobody asked a plugin for. A call has one mount at or below its path as its effect; what is more is the
 * plugin's fault: it is named, taken away, and the call is not made again.
 *
 * <p>That is needed because mounts in a group of peers multiply: who binds a volume onto its target again and again
 * doubles the mount table each time, and the machine stands still.
 *
 * <p>Called with the volume's turn.
 */
final class SurplusMounts {
    /**
     * Mounts of one plugin on a node. Each volume has two or three, and no node has a thousand volumes; the kernel
     * holds 100,000 mounts, of all there are.
     */
    static final int MOST_PER_PLUGIN = 4096;

    private final VolumeParts parts;
    private final PluginCalls calls;
    private final Directories directories;
    private final MountingCalls inFlight = new MountingCalls();

    SurplusMounts(VolumeParts parts) {
        this.parts = parts;
        this.calls = new PluginCalls(parts);
        this.directories = new Directories(parts);
    }

    /** A call to a plugin that mounts. */
    private interface Mounting {
        void make() throws CsiTrouble, InterruptedException;
    }

    /**
     * Has a volume staged.
     *
     * @throws PluginTrouble if the plugin mounted more than one thing
     * @throws StepBlocked if it has too many mounts for another, or the table cannot be read
     */
    void stage(NodePlugin plugin, GrantedClaim claim, Staging staging)
            throws CsiTrouble, PluginTrouble, StepBlocked, InterruptedException {
        watch(claim, plugin, "NodeStageVolume", () -> calls.stage(plugin, claim, staging));
    }

    /** From now on a staging, which was seen to be a directory, shares nothing with its binds. */
    void close(GrantedClaim claim, Staging staging) throws StepBlocked, InterruptedException {
        try {
            paths(claim.pluginId()).makePrivate(place(staging.host()), parts.forPath());
        } catch (KernelTrouble trouble) {
            throw StepBlocked.again("stage", trouble.reason(), "it is tried again");
        }
    }

    /**
     * Has a volume published.
     *
     * @param staging as the plugin sees it; null if it stages nothing
     * @throws PluginTrouble if the plugin mounted more than one thing
     * @throws StepBlocked if it has too many mounts for another, or the table cannot be read
     */
    void publish(NodePlugin plugin, GrantedClaim claim, @Nullable Staging staging, Use use)
            throws CsiTrouble, PluginTrouble, StepBlocked, InterruptedException {
        String from = staging == null ? "" : staging.pluginPath();
        watch(claim, plugin, "NodePublishVolume", () -> calls.publish(plugin, claim, from, use));
    }

    /** Makes a call and looks what it mounted, however it ended. */
    private void watch(GrantedClaim claim, NodePlugin plugin, String name, Mounting call)
            throws CsiTrouble, PluginTrouble, StepBlocked, InterruptedException {
        try (MountingCalls.Call own = inFlight.begin(VolumeKey.of(claim))) {
            watch(claim, plugin, name, call, own);
        }
    }

    private void watch(GrantedClaim claim, NodePlugin plugin, String name, Mounting call, MountingCalls.Call own)
            throws CsiTrouble, PluginTrouble, StepBlocked, InterruptedException {
        requireNone(claim, name, atOwnPaths(claim, new MountTable(below(plugin.hostRoot()))));
        List<Mount> before = below(plugin.hostRoot());
        if (before.size() >= MOST_PER_PLUGIN) {
            throw StepBlocked.again(
                    "mount",
                    "plugin \""
                            + claim.pluginId()
                            + "\", which has "
                            + before.size()
                            + " mounts below "
                            + plugin.hostRoot()
                            + ", at most "
                            + MOST_PER_PLUGIN,
                    "it goes on when some of them are unmounted");
        }
        try {
            call.make();
        } catch (CsiTrouble trouble) {
            requireNone(claim, plugin, name, before, own);
            throw trouble;
        }
        requireNone(claim, plugin, name, before, own);
    }

    /** Looks, and takes away what is too much. */
    private void requireNone(
            GrantedClaim claim, NodePlugin plugin, String name, List<Mount> before, MountingCalls.Call own)
            throws PluginTrouble, StepBlocked, InterruptedException {
        MountTable now = new MountTable(below(plugin.hostRoot()));
        List<String> found = atOwnPaths(claim, now);
        List<Path> beside = beside(before, now);
        boolean isToBlame = beside.isEmpty() || own.isToBlame();
        List<String> torn = new ArrayList<>();
        for (Path target : beside) {
            torn.add("a mount at " + target + tear(claim, target));
        }
        if (!torn.isEmpty()) {
            own.suspectOthers();
        }
        if (isToBlame) {
            found.addAll(torn);
        }
        requireNone(claim, name, found);
        if (own.isSuspected()) {
            throw suspected(claim, name, torn);
        }
    }

    /** It may have been another call: it is found out by making each again, alone. */
    private StepBlocked suspected(GrantedClaim claim, String name, List<String> torn) throws InterruptedException {
        String what =
                "plugin \"" + claim.pluginId() + "\", which made more than one mount in one of several calls at once";
        if (!torn.isEmpty()) {
            calls.note(claim.volume(), name, what + ": " + String.join(", ", torn) + ". They were taken away");
        }
        return StepBlocked.again("mount", what, "the call is made again, alone");
    }

    /** What is too much at the volume's own paths, which is taken away. */
    private List<String> atOwnPaths(GrantedClaim claim, MountTable now) throws StepBlocked, InterruptedException {
        VolumeRecord record = parts.journal().volume(VolumeKey.of(claim));
        List<String> found = new ArrayList<>();
        for (Path path : record.hostPaths().distinct().toList()) {
            int count = now.atOrBelow(path).size();
            if (count > 1) {
                found.add(count + " mounts at or below " + path + tear(claim, path));
                stageAnew(record, path);
            }
        }
        return found;
    }

    private void requireNone(GrantedClaim claim, String name, List<String> found)
            throws PluginTrouble, InterruptedException {
        if (found.isEmpty()) {
            return;
        }
        String lie = "plugin \""
                + claim.pluginId()
                + "\" was asked for one mount by "
                + name
                + " and made more: "
                + String.join(", ", found);
        calls.note(claim.volume(), name, lie);
        throw new PluginTrouble(lie + ". They were taken away; look at the plugin's logs", Effect.NONE, Retry.NEVER);
    }

    /** What is new below the plugin's root and in no volume's place. */
    private List<Path> beside(List<Mount> before, MountTable now) {
        // The kernel gives the id of a mount that is gone to the next one, wherever that is.
        Set<String> known =
                before.stream().map(mount -> mount.id() + " " + mount.target()).collect(Collectors.toSet());
        List<Path> ours = parts.journal().volumes().stream()
                .flatMap(VolumeRecord::hostPaths)
                .toList();
        return now.mounts().stream()
                .filter(mount -> !known.contains(mount.id() + " " + mount.target()))
                .map(mount -> Path.of(mount.target()))
                .filter(target -> ours.stream().noneMatch(target::startsWith))
                .distinct()
                .toList();
    }

    /** Takes all mounts there away; empty, or why some stay. */
    private String tear(GrantedClaim claim, Path path) throws InterruptedException {
        Paths paths = paths(claim.pluginId());
        try {
            paths.tear(place(path), parts.forPath());
            return "";
        } catch (KernelTrouble notEmpty) {
            // As what is mounted over a directory that others' targets lie in: one after the other.
            return detachAll(claim, path);
        }
    }

    private String detachAll(GrantedClaim claim, Path path) throws InterruptedException {
        try {
            directories.detachAll(claim.pluginId(), path);
            return "";
        } catch (KernelTrouble trouble) {
            return " (which stay: " + trouble.reason() + ")";
        }
    }

    /** A staging that was taken away is not there for the next user. */
    private void stageAnew(VolumeRecord record, Path path) throws StepBlocked {
        Staging staging = record.staging();
        if (staging == null || !staging.host().equals(path) || staging.phase() != Staging.Phase.STAGED) {
            return;
        }
        try {
            parts.journal().keep(record.with(staging.at(Staging.Phase.STAGING)));
        } catch (DiskTrouble trouble) {
            throw StepBlocked.unwritten(trouble);
        }
    }

    private List<Mount> below(Path hostRoot) throws StepBlocked {
        try {
            return parts.mounts().whole().atOrBelow(hostRoot);
        } catch (KernelTrouble unread) {
            throw StepBlocked.unread("look", unread);
        }
    }

    private Paths paths(String pluginId) {
        return parts.paths().plugin(pluginId);
    }

    private Place place(Path path) {
        return Place.of(parts.root(), path);
    }
}
