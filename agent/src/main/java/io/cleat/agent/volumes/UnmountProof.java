package io.cleat.agent.volumes;

import io.cleat.agent.volumes.JournalPoint.Deed;
import io.cleat.base.KernelTrouble;
import io.cleat.csi.CsiCode;
import io.cleat.csi.CsiRejected;
import io.cleat.csi.CsiTrouble;
import io.cleat.csi.Removal;
import io.cleat.kernel.MountTable;
import io.cleat.model.VolumeId;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether what a plugin answered to NodeUnpublishVolume or NodeUnstageVolume is so, by the mount table and the
 * directories: neither an OK nor a failure is taken for the state of a mount.
 *
 * <p>Called with the volume's turn. Holds how often each mount was said to be undone and was there.
 */
final class UnmountProof {
    /**
     * How often a plugin is believed that it goes on unmounting. One that keeps in mind that it has unmounted, as from
     * below a mount that covered its own, never does.
     */
    private static final int MOST_LIES = 3;

    private final VolumeParts parts;
    private final Directories directories;
    private final PluginCalls calls;
    private final VisibleMounts mounts;
    private final Targets targets;
    private final Map<Path, Integer> lies = new ConcurrentHashMap<>();

    UnmountProof(VolumeParts parts, Directories directories, PluginCalls calls, VisibleMounts mounts) {
        this.parts = parts;
        this.directories = directories;
        this.calls = calls;
        this.mounts = mounts;
        this.targets = new Targets(parts);
    }

    /** Whether a use counts as unpublished though its plugin failed to. */
    boolean isAbsent(VolumeKey key, Use use, CsiTrouble trouble) throws StepBlocked, InterruptedException {
        boolean isGone = saysThatItIsGone(trouble) && isGone(key, use.host());
        return isGone || isNowhere(key, use, trouble);
    }

    /**
     * Some plugins fail for ever to take away what is not there. Of a file system the mount table says whether it is:
     * where it is nowhere in two equal readings, made after the answer, nothing is left to be unpublished. Only an
     * answer of one that tried and failed is taken so: not that another call is under way (Aborted), nor a silence. A
     * staging is more than its mount, so of that the plugin has the only word.
     */
    private boolean isNowhere(VolumeKey key, Use use, CsiTrouble trouble) throws StepBlocked {
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
            throw StepBlocked.unread("look", unread);
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

    /**
     * Looks whether what a plugin said is so. One that knows no such volume is believed when the mount is gone; else
     * the mount is removed by us. So is one of which it has said too often that it is undone.
     *
     * @param call which it answered, by CSI's name
     * @throws StepBlocked if something is still mounted there: the plugin is to be asked again
     */
    void requireUnmounted(VolumeKey key, VolumeId volume, String call, Path path, Removal answer, Deed unmount)
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
    void requireNoDevice(VolumeKey key, Use use, Removal answer) throws StepBlocked, InterruptedException {
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

    private boolean isGone(VolumeKey key, Path target) throws StepBlocked, InterruptedException {
        try {
            return !isMounted(target)
                    && directories.look(key.pluginId(), target).isEmpty();
        } catch (KernelTrouble trouble) {
            throw StepBlocked.unread("look", trouble);
        }
    }

    /** Whether a device is still to be seen at the target of a use of one. */
    boolean hasDevice(VolumeKey key, Use use) throws StepBlocked, InterruptedException {
        try {
            return use.isDevice() && targets.isThere(key, use);
        } catch (KernelTrouble trouble) {
            throw StepBlocked.unread("look", trouble);
        }
    }

    boolean isMounted(Path path) throws StepBlocked {
        try {
            return mounts.isMounted(path);
        } catch (KernelTrouble trouble) {
            throw StepBlocked.unread("look", trouble);
        }
    }

    /** Some plugins fail to take away what is not there, in these words. */
    private static boolean saysThatItIsGone(CsiTrouble trouble) {
        return trouble.words().toLowerCase(Locale.ROOT).contains("no mount point");
    }
}
