package io.cleat.agent.volumes;

import io.cleat.agent.volumes.JournalPoint.Deed;
import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.Removal;
import io.cleat.kernel.Mount;
import io.cleat.model.VolumeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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

    private final VolumeParts parts;
    private final Directories directories;
    private final PluginCalls calls;
    private final VisibleMounts mounts;
    private final StagingSeals seals;
    private final DeadMounts dead;
    private final Covers covers;
    private final UnmountProof proof;

    Unmounting(VolumeParts parts) {
        this.parts = parts;
        this.directories = new Directories(parts);
        this.calls = new PluginCalls(parts);
        this.mounts = new VisibleMounts(parts.mounts());
        this.seals = new StagingSeals(parts);
        this.dead = new DeadMounts(parts);
        this.covers = new Covers(parts);
        this.proof = new UnmountProof(parts, directories, calls, mounts);
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
            throw StepBlocked.unwritten(trouble);
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
            if (!proof.isAbsent(key, use, trouble)) {
                throw StepBlocked.after("unpublish", trouble);
            }
        }
        proof.requireUnmounted(key, use.volume(), "NodeUnpublishVolume", use.host(), answer, Deed.TARGET_UNMOUNT);
        proof.requireNoDevice(key, use, answer);
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
        proof.requireUnmounted(
                key, staging.volume(), "NodeUnstageVolume", staging.host(), answer, Deed.STAGING_UNMOUNT);
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
            throw StepBlocked.unread("look", unread);
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
        boolean gone = !proof.hasDevice(record.key(), use)
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
            if (proof.isMounted(path)) {
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
            throw StepBlocked.unread(step, trouble);
        }
    }
}
