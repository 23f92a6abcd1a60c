package io.cleat.agent.volumes;

import io.cleat.agent.volumes.JournalPoint.Deed;
import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.CsiCode;
import io.cleat.csi.CsiRejected;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.Removal;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.model.VolumeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way back of one use, and of the staging after its last: each phase of the journal has one step, and each step
 * ends in the next phase.
 *
 * <p>Called with the volume's turn.
 */
final class Unmounting {
    private static final Logger LOG = LoggerFactory.getLogger(Unmounting.class);

    /**
     * How often a plugin is believed that it goes on unmounting. One that keeps in mind that it has unmounted, as from
     * below a mount that covered its own, never does.
     */
    private static final int MOST_LIES = 3;

    private final VolumeParts parts;
    private final Map<Path, Integer> lies = new ConcurrentHashMap<>();
    private final Directories directories;
    private final PluginCalls calls;
    private final VisibleMounts mounts;
    private final Targets targets;
    private final StagingSeals seals;
    private final DeadMounts dead;
    private final Covers covers;

    Unmounting(VolumeParts parts) {
        this.parts = parts;
        this.directories = new Directories(parts);
        this.calls = new PluginCalls(parts);
        this.mounts = new VisibleMounts(parts.mounts());
        this.targets = new Targets(parts);
        this.seals = new StagingSeals(parts);
        this.dead = new DeadMounts(parts);
        this.covers = new Covers(parts);
    }

    /** Undoes one use until nothing of it is left; at once done if it is not known. */
    void unpublish(VolumeKey key, String allocId, String alias) throws StepBlocked, InterruptedException {
        for (; ; ) {
            VolumeRecord record = parts.journal().volume(key);
            Optional<Use> use = record.use(allocId, alias);
            if (use.isEmpty()) {
                return;
            }
            step(record, use.get());
        }
    }

    /** Undoes the staging of a volume that nobody uses. */
    void unstage(VolumeKey key) throws StepBlocked, InterruptedException {
        for (; ; ) {
            VolumeRecord record = parts.journal().volume(key);
            Staging staging = record.staging();
            if (staging == null || !staging.isOver()) {
                return;
            }
            switch (staging.phase()) {
                case UNSTAGING -> {
                    callUnstage(key, staging);
                    keep(record.with(staging.at(Staging.Phase.UNSTAGED)));
                }
                case UNSTAGED, DROPPED -> removeStaging(record, staging);
                case PREPARING, STAGING, STAGED -> {}
            }
        }
    }

    /** Whether another use of the same allocation has the same target. */
    boolean isShared(VolumeRecord record, Use use) {
        return record.wantedBeside(use).stream()
                .anyMatch(other -> other.hostPath().equals(use.hostPath()));
    }

    /** Writes down; what cannot be written down is not done. */
    void keep(VolumeRecord record) throws StepBlocked {
        try {
            parts.journal().keep(record);
        } catch (DiskTrouble trouble) {
            throw StepBlocked.again("journal", trouble.reason(), "it goes on when there is room");
        }
    }

    private void step(VolumeRecord record, Use use) throws StepBlocked, InterruptedException {
        switch (use.phase()) {
            case PREPARING -> keep(record.with(use.at(Use.Phase.DROPPED)));
            case PUBLISHING, PUBLISHED -> keep(record.with(use.at(Use.Phase.UNPUBLISHING)));
            case UNPUBLISHING -> {
                if (!isShared(record, use)) {
                    callUnpublish(record.key(), use);
                }
                keep(record.with(use.at(Use.Phase.UNPUBLISHED)));
            }
            case UNPUBLISHED, DROPPED -> {
                if (isShared(record, use) || removeTarget(record, use)) {
                    leave(record, use);
                }
            }
            case LEAVING -> unstage(record.key());
        }
    }

    private void callUnpublish(VolumeKey key, Use use) throws StepBlocked, InterruptedException {
        Removal answer = Removal.DONE;
        covers.lift(key.pluginId(), use.volume(), use.host(), VolumePaths.rootOfTarget(use.host()));
        requireOurs("unpublish", () -> directories.requireOurs(key.pluginId(), use));
        NodePlugin plugin = parts.plugin("unpublish", key.pluginId());
        try {
            answer = calls.unpublish(plugin, key, use);
        } catch (CsiTrouble trouble) {
            boolean isGone = saysThatItIsGone(trouble) && isGone(key, use.host());
            if (!isGone && !isAbsent(key, use, trouble)) {
                throw StepBlocked.after("unpublish", trouble);
            }
        }
        requireUnmounted(key, use.volume(), "NodeUnpublishVolume", use.host(), answer, Deed.TARGET_UNMOUNT);
        requireNoDevice(key, use, answer);
    }

    /**
     * Some plugins fail for ever to take away what is not there. Of a file system the mount table says whether it is:
     * where it is nowhere in two equal readings, made after the answer, nothing is left to be unpublished. Only an
     * answer of one that tried and failed is taken so: not that another call is under way (Aborted), nor a silence. A
     * staging is more than its mount, so of that the plugin has the only word.
     */
    private boolean isAbsent(VolumeKey key, Use use, CsiTrouble trouble) throws StepBlocked {
        boolean hasFailed = trouble instanceof CsiRejected
                && (trouble.code() == CsiCode.INTERNAL || trouble.code() == CsiCode.UNKNOWN);
        if (!hasFailed || use.isDevice()) {
            return false;
        }
        try {
            MountTable table = MountTable.readTwice(parts.mounts());
            if (!table.atOrBelow(use.host()).isEmpty()) {
                return false;
            }
        } catch (KernelTrouble unread) {
            throw unread(unread);
        }
        calls.note(
                use.volume(),
                "NodeUnpublishVolume",
                "plugin \""
                        + key.pluginId()
                        + "\" answered "
                        + trouble.code().text()
                        + ", and nothing is mounted at "
                        + use.hostPath()
                        + ": it counts as unpublished");
        return true;
    }

    private void callUnstage(VolumeKey key, Staging staging) throws StepBlocked, InterruptedException {
        covers.lift(key.pluginId(), staging.volume(), staging.host(), VolumePaths.rootOfStaging(staging.host()));
        requireOurs("unstage", () -> directories.requireOurs(key.pluginId(), staging.host()));
        requireNobodyShown(key, staging);
        NodePlugin plugin = parts.plugin("unstage", key.pluginId());
        seals.undo("unstage", key, staging);
        Removal answer;
        try {
            answer = calls.unstage(plugin, key, staging);
        } catch (CsiTrouble trouble) {
            detachDead(key, staging);
            throw StepBlocked.after("unstage", trouble);
        }
        requireUnmounted(key, staging.volume(), "NodeUnstageVolume", staging.host(), answer, Deed.STAGING_UNMOUNT);
    }

    /**
     * Some plugins fail for ever to take away a mount whose process was killed together with the helper that knew of
     * it. Nothing more can come through it, so it is detached, and the plugin, which is asked again, finds its
     * directory as it was before it staged.
     */
    private void detachDead(VolumeKey key, Staging staging) throws InterruptedException {
        try {
            if (dead.isDead(key.pluginId(), staging.host())) {
                directories.detach(key.pluginId(), staging.host());
                calls.note(
                        staging.volume(),
                        "NodeUnstageVolume",
                        "plugin \""
                                + key.pluginId()
                                + "\" could not take away the mount at "
                                + staging.host()
                                + ", which is dead: the agent detached it, and asks the plugin again");
            }
        } catch (KernelTrouble unseen) {
            LOG.warn("whether the mount at {} is dead is not known: {}", staging.host(), unseen.reason());
        }
    }

    /**
     * Looks whether what a plugin said is so. One that knows no such volume is believed when the mount is gone; else
     * the mount is removed by us. So is one of which it has said too often that it is undone.
     */
    private void requireUnmounted(VolumeKey key, VolumeId volume, String call, Path path, Removal answer, Deed unmount)
            throws StepBlocked, InterruptedException {
        if (!isMounted(path)) {
            lies.remove(path);
            return;
        }
        String what = "plugin \"" + key.pluginId() + "\" answered ";
        int told = answer == Removal.NOT_FOUND ? 0 : lies.merge(path, 1, Integer::sum);
        if (answer == Removal.NOT_FOUND || told >= MOST_LIES) {
            what += told == 0 ? "NotFound to " : "OK " + told + " times to ";
            what += call + ", and " + path + " is still mounted: ";
            try {
                parts.doing(unmount, () -> directories.unmount(key.pluginId(), path));
            } catch (KernelTrouble trouble) {
                calls.note(volume, call, what + "the agent could not unmount it");
                throw StepBlocked.again("unmount", trouble.reason(), "it is tried again");
            }
            calls.note(volume, call, what + "the agent unmounted it");
            if (isMounted(path)) {
                throw StepBlocked.again(
                        "unmount", "something is still mounted at " + path, "the plugin is asked again");
            }
            lies.remove(path);
            return;
        }
        what += "OK to " + call + ", and " + path + " is still mounted";
        calls.note(volume, call, what);
        throw StepBlocked.again("unmount", what, "it is asked again; look at the plugin's logs");
    }

    /** As {@link #requireUnmounted}, of a device file that the plugin made and did not bind. */
    private void requireNoDevice(VolumeKey key, Use use, Removal answer) throws StepBlocked, InterruptedException {
        if (!hasDevice(key, use)) {
            return;
        }
        String what = "plugin \""
                + key.pluginId()
                + "\" answered "
                + (answer == Removal.NOT_FOUND ? "NotFound" : "OK")
                + " to NodeUnpublishVolume, and a device is still at "
                + use.hostPath();
        if (answer != Removal.NOT_FOUND) {
            calls.note(use.volume(), "NodeUnpublishVolume", what);
            throw StepBlocked.again("unpublish", what, "it is asked again; look at the plugin's logs");
        }
        try {
            parts.doing(Deed.TARGET_UNMOUNT, () -> directories.removeDevice(key.pluginId(), use.host()));
        } catch (KernelTrouble trouble) {
            throw StepBlocked.again("unpublish", trouble.reason(), "it is tried again");
        }
        calls.note(use.volume(), "NodeUnpublishVolume", what + ": the agent removed it");
    }

    /**
     * Something below the targets may show the staged files though the journal knows no user: then the staging stays.
     */
    private void requireNobodyShown(VolumeKey key, Staging staging) throws StepBlocked {
        Path hostRoot = VolumePaths.rootOfStaging(staging.host());
        List<Path> known = parts.journal().volumes().stream()
                .flatMap(VolumeRecord::hostPaths)
                .toList();
        Optional<Mount> user;
        try {
            user = mounts.alsoShown(staging.host(), hostRoot.resolve(VolumePaths.PER_ALLOC)).stream()
                    .filter(mount -> !known.contains(Path.of(mount.target())))
                    .findFirst();
        } catch (KernelTrouble unread) {
            throw unread(unread);
        }
        if (user.isPresent()) {
            throw StepBlocked.again(
                    "unstage",
                    "the mount at "
                            + user.get().target()
                            + ", which shows files of volume "
                            + key.externalId()
                            + " and has no user in the journal",
                    "find out who uses it, and unmount it by hand; until then the volume stays staged");
        }
    }

    /** Returns false if the plugin has mounted something there after all: it is asked again. */
    private boolean removeTarget(VolumeRecord record, Use use) throws StepBlocked, InterruptedException {
        boolean gone = !hasDevice(record.key(), use)
                && remove(
                        record,
                        use.volume(),
                        use.host(),
                        VolumePaths.rootOfTarget(use.host()),
                        Deed.TARGET_REMOVAL,
                        use.isDevice() ? directories::removeFile : directories::remove);
        if (!gone && use.phase() == Use.Phase.DROPPED) {
            calls.note(use.volume(), "look", use.hostPath() + " is not ours; it stays");
            return true;
        }
        if (!gone) {
            keep(record.with(use.at(Use.Phase.UNPUBLISHING)));
        }
        return gone;
    }

    private void removeStaging(VolumeRecord record, Staging staging) throws StepBlocked, InterruptedException {
        boolean gone = remove(
                record,
                staging.volume(),
                staging.host(),
                VolumePaths.rootOfStaging(staging.host()),
                Deed.STAGING_REMOVAL,
                directories::remove);
        boolean foreign = !gone && staging.phase() == Staging.Phase.DROPPED;
        if (foreign) {
            calls.note(staging.volume(), "look", staging.hostPath() + " is mounted, not by us; it stays");
        }
        keep(
                gone || foreign
                        ? record.withoutLeaving().with((Staging) null)
                        : record.with(staging.at(Staging.Phase.UNSTAGING)));
    }

    /** Removes what was made to mount on; says why it stays, if it does. */
    private interface Removing {
        Optional<String> remove(String pluginId, Path path) throws KernelTrouble, InterruptedException;
    }

    /** What cannot be removed and is no mount stays, is told, and holds nothing up. */
    private boolean remove(VolumeRecord record, VolumeId volume, Path path, Path top, Deed deed, Removing removing)
            throws StepBlocked, InterruptedException {
        String pluginId = record.pluginId();
        try {
            covers.lift(pluginId, volume, path, top);
            if (isMounted(path)) {
                return false;
            }
            parts.doing(deed, () -> {
                Optional<String> stays = removing.remove(pluginId, path);
                if (stays.isPresent()) {
                    calls.note(volume, "remove", stays.get() + "; it stays there");
                } else {
                    directories.removeAbove(pluginId, path, top);
                }
            });
            return true;
        } catch (KernelTrouble trouble) {
            throw StepBlocked.again("remove directory", trouble.reason(), "it is tried again");
        }
    }

    /** The target is gone: so is the use, unless the staging goes with it. */
    private void leave(VolumeRecord record, Use use) throws StepBlocked {
        Staging staging = record.staging();
        boolean last = record.uses().size() == 1;
        if (!last || staging == null) {
            keep(record.without(use));
            return;
        }
        boolean sent = staging.phase() != Staging.Phase.PREPARING;
        keep(record.with(use.at(Use.Phase.LEAVING))
                .with(staging.at(sent ? Staging.Phase.UNSTAGING : Staging.Phase.DROPPED)));
    }

    /** A look that may refuse, or fail. */
    private interface Look {
        void at() throws KernelTrouble, InterruptedException;
    }

    /** What is in the place of a directory or device is not shown to a plugin. */
    private static void requireOurs(String step, Look look) throws StepBlocked, InterruptedException {
        try {
            look.at();
        } catch (KernelTrouble trouble) {
            throw StepBlocked.again(step, trouble.reason(), "it is looked at again");
        }
    }

    private boolean isGone(VolumeKey key, Path target) throws StepBlocked, InterruptedException {
        try {
            return !isMounted(target)
                    && directories.look(key.pluginId(), target).isEmpty();
        } catch (KernelTrouble trouble) {
            throw unread(trouble);
        }
    }

    /** Whether a device is still to be seen at the target of a use of one. */
    private boolean hasDevice(VolumeKey key, Use use) throws StepBlocked, InterruptedException {
        try {
            return use.isDevice() && targets.isThere(key, use);
        } catch (KernelTrouble trouble) {
            throw unread(trouble);
        }
    }

    private boolean isMounted(Path path) throws StepBlocked {
        try {
            return mounts.isMounted(path);
        } catch (KernelTrouble trouble) {
            throw unread(trouble);
        }
    }

    private static StepBlocked unread(KernelTrouble trouble) {
        return StepBlocked.again("look", trouble.reason(), "it is looked at again");
    }

    /** Some plugins fail to take away what is not there, in these words. */
    private static boolean saysThatItIsGone(CsiTrouble trouble) {
        return trouble.words().toLowerCase(Locale.ROOT).contains("no mount point");
    }
}
