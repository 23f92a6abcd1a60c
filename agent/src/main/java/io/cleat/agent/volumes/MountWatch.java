package io.cleat.agent.volumes;

import io.cleat.agent.volumes.BrokenMount.Fault;
import io.cleat.agent.volumes.BrokenMount.Identity;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Threads;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.model.BlockedBy;
import io.cleat.model.MountLoss;
import io.cleat.model.NodeEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks again and again whether what is published is still mounted, whether the mounts that a process holds, such as
 * those of FUSE file systems, still have that process (a dead mount is in the mount table like a live one), and whether
 * tasks see what is mounted now: a plugin that mends a mount by itself leaves them with the dead one. Says so when it
 * is not so.
 *
 * <p>Whether a mount is alive is asked at each look; the mount table is read for it, as long as there are volumes, only
 * after the kernel has told of a change. How long that table can get by volumes is bounded
 * ({@link SurplusMounts#MOST_PER_PLUGIN}).
 *
 * <p>What hangs is said and left alone, since it may come back. Of one plugin a look waits for so many that hang and no
 * more; those that are known to hang come last. What is dead or gone never comes back by itself: where the plugin's
 * policy wants it, whoever uses it is told, once the plugin is there to mount it anew.
 *
 * <p>One thread.
 */
public final class MountWatch {
    private static final Logger LOG = LoggerFactory.getLogger(MountWatch.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    /**
     * Each costs a look up to the whole time of a path call, and may keep a path worker: of those there are more, so
     * that other calls for the plugin's volumes go on.
     */
    static final int MOST_HANGING = 2;

    /** A change that the kernel does not tell of does not end a mount. */
    private static final Duration OLDEST_TABLE = Duration.ofMinutes(1);

    private final VolumeParts parts;
    private final MountedVolumes volumes;

    /** The mounts that were seen. */
    private final Set<Key> seen = new HashSet<>();

    private final Map<Key, BrokenMount> broken = new HashMap<>();
    private long looks;

    /** The allocations, whose tasks use what is mounted. */
    public interface Users {
        /**
         * Has the tasks' volume mounted anew, as the policy says. Returns at once.
         *
         * @param policy other than {@link MountLoss#ALERT}
         * @return false if that is at work already, or there is nobody to do it
         */
        boolean mountLost(String allocId, String alias, MountLoss policy);

        /**
         * Whether a task sees something else than what is mounted for it now; false while it is mounted anew. Compares
         * mounts, and asks nobody behind them.
         */
        boolean seesOther(String allocId, String alias);
    }

    private record Key(String allocId, String alias) {}

    /** One use to look at. */
    private record Watched(
            Key key, VolumeRecord volume, Use use, @Nullable MountLoss policy, Optional<Mount> mount) {
        String pluginId() {
            return volume.pluginId();
        }

        Optional<Identity> identity() {
            return mount.map(Identity::of);
        }

        /** Whether a process may hold it; of all others it is known that they answer. */
        boolean mayBeHeld() {
            return policy != null
                    || mount.filter(there -> there.fsType().startsWith("fuse")).isPresent();
        }
    }

    public MountWatch(VolumeParts parts, MountedVolumes volumes) {
        this.parts = parts;
        this.volumes = volumes;
    }

    /** Looks again and again from now on. */
    public Thread start(Threads threads, Users users) {
        return threads.vital("volumes/watch", () -> {
            for (; ; ) {
                look(users);
                parts.time().sleep(PAUSE);
            }
        });
    }

    /** Looks once at each mount, as far as those that hang let it. */
    void look(Users users) throws InterruptedException {
        looks++;
        tellUndone(users);
        long version = parts.journal().version();
        List<VolumeRecord> records = parts.journal().volumes();
        keepOnly(records);
        if (records.isEmpty()) {
            return;
        }
        MountTable table;
        try {
            table = parts.mounts().whole(OLDEST_TABLE);
        } catch (KernelTrouble unread) {
            LOG.warn("whether mounts are alive is not known: {}", unread.reason());
            return;
        }
        // What is in the journal now was so when the table was read, or else it is not judged.
        boolean isSettled = parts.journal().version() == version;
        for (List<Watched> ofPlugin : byPlugin(records, table).values()) {
            look(ofPlugin, isSettled, users);
        }
    }

    /**
     * What was dead and was undone with another's is in no journal: it is not seen, and who has it goes on with a dead
     * mount, or with the directory below.
     */
    private void tellUndone(Users users) {
        for (MountedVolumes.Undone each : volumes.undone()) {
            parts.plugins()
                    .current(each.pluginId())
                    .map(NodePlugin::onMountLoss)
                    .filter(policy -> policy != MountLoss.ALERT)
                    .ifPresent(policy -> users.mountLost(each.allocId(), each.alias(), policy));
        }
    }

    private void keepOnly(List<VolumeRecord> records) {
        Set<Key> used = records.stream()
                .flatMap(volume -> volume.uses().stream())
                .map(use -> new Key(use.allocId(), use.alias()))
                .collect(Collectors.toSet());
        seen.retainAll(used);
        broken.keySet().retainAll(used);
    }

    private Map<String, List<Watched>> byPlugin(List<VolumeRecord> records, MountTable table) {
        Map<String, List<Watched>> all = new LinkedHashMap<>();
        for (VolumeRecord volume : records) {
            String pluginId = volume.pluginId();
            @Nullable
            MountLoss policy = parts.plugins()
                    .current(pluginId)
                    .map(NodePlugin::onMountLoss)
                    .orElse(null);
            for (Use use : volume.uses()) {
                if (use.phase() == Use.Phase.PUBLISHED) {
                    Key key = new Key(use.allocId(), use.alias());
                    all.computeIfAbsent(pluginId, none -> new ArrayList<>())
                            .add(new Watched(key, volume, use, policy, table.at(use.host())));
                }
            }
        }
        return all;
    }

    private void look(List<Watched> ofPlugin, boolean isSettled, Users users) throws InterruptedException {
        // Those that hang come last, and of them first who has waited longest.
        ofPlugin.sort(Comparator.comparingLong(this::lastFoundHanging));
        int hanging = 0;
        for (Watched each : ofPlugin) {
            if (each.mount().isEmpty()) {
                if (isSettled && isGone(each)) {
                    found(Fault.GONE, each, users);
                }
                continue;
            }
            if (each.mayBeHeld() && hanging == MOST_HANGING) {
                continue;
            }
            Optional<Answer> answer = each.mayBeHeld() ? answer(each) : Optional.of(Answer.YES);
            if (answer.isEmpty()) {
                return;
            }
            switch (answer.get()) {
                case YES -> alive(each, users);
                case NO -> found(Fault.DEAD, each, users);
                case SILENCE -> {
                    hanging++;
                    found(Fault.HANGS, each, users);
                }
                case FAILURE -> found(Fault.HANGS, each, users);
            }
            seen.add(each.key());
        }
    }

    private long lastFoundHanging(Watched watched) {
        BrokenMount known = broken.get(watched.key());
        return known != null && known.fault() == Fault.HANGS ? known.look() : 0;
    }

    /**
     * Whether something was mounted there in this boot: after another boot nothing is, until the volume is granted
     * anew.
     */
    private boolean isGone(Watched watched) {
        Staging staging = watched.volume().staging();
        return seen.contains(watched.key())
                || (!watched.use().isDevice() && staging != null && staging.isStagedIn(parts.boot()));
    }

    private enum Answer {
        YES,
        NO,
        /** None until the deadline. */
        SILENCE,
        /** The kernel says that it fails. */
        FAILURE
    }

    /** Who is behind a mount; empty if it cannot be asked now. */
    private Optional<Answer> answer(Watched watched) throws InterruptedException {
        try {
            boolean answers = parts.answers(watched.pluginId(), watched.use().host());
            return Optional.of(answers ? Answer.YES : Answer.NO);
        } catch (KernelTrouble trouble) {
            if (trouble.effect() != Effect.NONE) {
                return Optional.of(Answer.SILENCE);
            }
            if (Directories.isRefusal(trouble)) {
                return Optional.of(Answer.FAILURE);
            }
            LOG.warn("whether mounts are alive is not known: {}", trouble.reason());
            return Optional.empty();
        }
    }

    private void alive(Watched watched, Users users) {
        Use use = watched.use();
        if (users.seesOther(use.allocId(), use.alias())) {
            found(Fault.REPLACED, watched, users);
            return;
        }
        BrokenMount before = broken.remove(watched.key());
        if (before != null) {
            volumes.mended(use.allocId(), use.alias());
            said(use, before.mended(watched.identity()), "");
        }
    }

    private void found(Fault fault, Watched watched, Users users) {
        Use use = watched.use();
        @Nullable MountLoss policy = watched.policy();
        BrokenMount before = before(fault, watched);
        @Nullable Identity mount = watched.identity().orElseGet(() -> before == null ? null : before.mount());
        boolean isNew = before == null || !before.isAs(fault, mount);
        Instant since = isNew || before == null ? parts.time().now() : before.since();
        boolean handed = !isNew && before != null && before.handedOver();
        BrokenMount now = new BrokenMount(fault, mount, since, handed, looks);
        BlockedBy blockedBy = now.blockedBy(watched.pluginId(), use, policy);
        volumes.broken(use.allocId(), use.alias(), blockedBy);
        if (isNew) {
            said(use, now.event(), blockedBy.holder());
        }
        if (fault != Fault.HANGS && !handed && policy != null && policy != MountLoss.ALERT) {
            handed = users.mountLost(use.allocId(), use.alias(), policy);
        }
        broken.put(watched.key(), new BrokenMount(fault, mount, since, handed, looks));
    }

    /**
     * What was found of it before. A mount that was undone since, whose fault is told no more, may have left all its
     * numbers to the one that is there now.
     */
    private @Nullable BrokenMount before(Fault fault, Watched watched) {
        Key key = watched.key();
        boolean isUndone = (fault == Fault.DEAD || fault == Fault.GONE)
                && volumes.broken(key.allocId(), key.alias()).isEmpty();
        return isUndone ? null : broken.get(key);
    }

    private void said(Use use, String what, String why) {
        LOG.warn("{}: volume {} of allocation {}: {}", what, use.volume(), use.allocId(), why);
        parts.news()
                .nodeEvent(new NodeEvent(
                        "Storage",
                        what,
                        why.isEmpty()
                                ? Map.of("volume_id", use.volume().id())
                                : Map.of("volume_id", use.volume().id(), "error", why),
                        parts.time().now()));
        parts.news().allocationChanged(use.allocId());
    }
}
