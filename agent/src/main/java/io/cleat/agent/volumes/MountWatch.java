package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.base.Threads;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.model.BlockedBy;
import io.cleat.model.MountLoss;
import io.cleat.model.NodeEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again and again whether the mounts that a process holds, such as those of FUSE file
 * systems, still have that process, and says so when they do not: a dead mount is in the mount
 * table like a live one.
 *
 * <p>A look reads the mount table once, as long as there are volumes. How long that table can get
 * by volumes is bounded ({@link SurplusMounts#MOST_PER_PLUGIN}).
 *
 * <p>What hangs is said and left alone, since it may come back. What is dead never does: where the
 * plugin's policy wants it, whoever uses it is told, once the plugin is there to mount it anew.
 *
 * <p>One thread.
 */
public final class MountWatch {
    private static final Logger LOG = LoggerFactory.getLogger(MountWatch.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final VolumeParts parts;
    private final MountedVolumes volumes;
    private final Map<Watched, Broken> broken = new HashMap<>();

    /** Is told of a mount that is dead and is to be mounted anew. Returns at once. */
    @FunctionalInterface
    public interface Losses {
        /**
         * @param policy other than {@link MountLoss#ALERT}
         */
        void lost(String allocId, String alias, MountLoss policy);
    }

    /** One mount; another at the same place has another number. */
    private record Watched(String allocId, String alias, int mountId) {}

    /**
     * What is wrong with a mount.
     *
     * @param handedOver whether who uses it was told
     */
    private record Broken(boolean dead, Instant since, boolean handedOver) {}

    public MountWatch(VolumeParts parts, MountedVolumes volumes) {
        this.parts = parts;
        this.volumes = volumes;
    }

    /** Looks again and again from now on. */
    public Thread start(Threads threads, Losses losses) {
        return threads.vital(
                "volumes/watch",
                () -> {
                    for (; ; ) {
                        look(losses);
                        parts.time().sleep(PAUSE);
                    }
                });
    }

    /** Looks once at each mount that needs it. */
    void look(Losses losses) throws InterruptedException {
        if (parts.journal().volumes().isEmpty()) {
            broken.clear();
            return;
        }
        MountTable table;
        try {
            table = parts.mounts().read();
        } catch (KernelTrouble unread) {
            LOG.warn("whether mounts are alive is not known: {}", unread.reason());
            return;
        }
        Set<Watched> seen = new HashSet<>();
        Set<String> hanging = new HashSet<>();
        for (VolumeRecord volume : parts.journal().volumes()) {
            String pluginId = volume.pluginId();
            @Nullable MountLoss policy =
                    parts.plugins().current(pluginId).map(NodePlugin::onMountLoss).orElse(null);
            for (Use use : volume.uses()) {
                Optional<Mount> mount = table.at(use.host());
                if (use.phase() != Use.Phase.PUBLISHED
                        || mount.isEmpty()
                        || (policy == null && !mount.get().fsType().startsWith("fuse"))) {
                    continue;
                }
                Watched watched = new Watched(use.allocId(), use.alias(), mount.get().id());
                seen.add(watched);
                if (!hanging.contains(pluginId)) {
                    look(watched, volume, use, policy, hanging, losses);
                }
            }
        }
        broken.keySet().retainAll(seen);
    }

    private void look(
            Watched watched,
            VolumeRecord volume,
            Use use,
            @Nullable MountLoss policy,
            Set<String> hanging,
            Losses losses)
            throws InterruptedException {
        boolean dead;
        try {
            if (parts.answers(volume.pluginId(), use.host())) {
                if (broken.remove(watched) != null) {
                    volumes.mended(use.allocId(), use.alias());
                    said(use, "Mount answers again", "");
                }
                return;
            }
            dead = true;
        } catch (KernelTrouble hangs) {
            // The others of the same plugin would most likely cost the same time each.
            hanging.add(volume.pluginId());
            dead = false;
        }
        Broken before = broken.get(watched);
        boolean isNew = before == null || before.dead() != dead;
        Instant since = isNew || before == null ? parts.time().now() : before.since();
        boolean handed = !isNew && before != null && before.handedOver();
        BlockedBy story = story(volume.pluginId(), use, dead, since, policy);
        volumes.broken(use.allocId(), use.alias(), story);
        if (isNew) {
            said(use, dead ? "Mount lost" : "Mount hangs", story.holder());
        }
        if (dead && !handed && policy != null && policy != MountLoss.ALERT) {
            losses.lost(use.allocId(), use.alias(), policy);
            handed = true;
        }
        broken.put(watched, new Broken(dead, since, handed));
    }

    private static BlockedBy story(
            String pluginId, Use use, boolean dead, Instant since, @Nullable MountLoss policy) {
        String hint =
                !dead
                        ? "it may come back; what waits in it waits on. Look at the plugin's logs"
                        : policy == null
                                ? "it stays dead until the allocation is started anew, or until the"
                                        + " plugin is there and its on_mount_loss says more"
                                : switch (policy) {
                                    case ALERT ->
                                            "on_mount_loss is \"alert\": restart the allocation to"
                                                    + " have it mounted anew";
                                    case RESTART_TASKS ->
                                            "it is mounted anew, and its tasks are restarted";
                                    case REMOUNT -> "it is mounted anew under its tasks";
                                };
        return new BlockedBy(
                "mount",
                "the mount at "
                        + use.hostPath()
                        + (dead
                                ? ", which is dead: the process of plugin \""
                                        + pluginId
                                        + "\" that held it is gone"
                                : ", which does not answer: plugin \"" + pluginId + "\" holds it"),
                since,
                null,
                hint);
    }

    private void said(Use use, String what, String why) {
        LOG.warn("{}: volume {} of allocation {}: {}", what, use.volume(), use.allocId(), why);
        parts.news()
                .nodeEvent(
                        new NodeEvent(
                                "Storage",
                                what,
                                why.isEmpty()
                                        ? Map.of("volume_id", use.volume().id())
                                        : Map.of("volume_id", use.volume().id(), "error", why),
                                parts.time().now()));
        parts.news().allocationChanged(use.allocId());
    }
}
