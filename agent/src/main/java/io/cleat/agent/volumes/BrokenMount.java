package io.cleat.agent.volumes;

import io.cleat.kernel.Mount;
import io.cleat.model.BlockedBy;
import io.cleat.model.MountLoss;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a mount, as {@link MountWatch} has found it.
 *
 * @param mount with which it was found; the last one that was seen where none is left
 * @param handedOver whether who uses it was told to have it mounted anew
 * @param look the number of the look that found it last
 */
record BrokenMount(Fault fault, @Nullable Identity mount, Instant since, boolean handedOver, long look) {
    /**
     * Which mount it is. The kernel gives a mount's id to another one once the mount is gone, and so it does with the
     * number of a file system that no process holds; with both and the rest the same, nobody has the earlier one.
     */
    record Identity(int id, int parent, Mount.Device device, String root) {
        static Identity of(Mount mount) {
            return new Identity(mount.id(), mount.parent(), mount.device(), mount.root());
        }
    }

    enum Fault {
        /** The process that held it is gone: it never comes back. */
        DEAD,
        /** It does not answer, and may come back. */
        HANGS,
        /** Nothing is mounted there any more. */
        GONE,
        /** It is there, and tasks see an earlier one. */
        REPLACED
    }

    /** Whether it was found so before: the same fault of the same mount. */
    boolean isAs(Fault other, @Nullable Identity found) {
        return fault == other && (mount == null ? found == null : mount.equals(found));
    }

    /** The event that tells of it. */
    String event() {
        return switch (fault) {
            case DEAD, GONE -> "Mount lost";
            case HANGS -> "Mount hangs";
            case REPLACED -> "Mount replaced";
        };
    }

    /** The event that tells that a mount is there and answers, with which it is now. */
    String mended(Optional<Identity> now) {
        return fault == Fault.HANGS && now.isPresent() && isAs(Fault.HANGS, now.get())
                ? "Mount answers again"
                : "Mount restored";
    }

    BlockedBy blockedBy(String pluginId, Use use, @Nullable MountLoss policy) {
        return new BlockedBy(
                "mount", "the mount at " + use.hostPath() + ", " + what(pluginId), since, null, hint(policy));
    }

    private String what(String pluginId) {
        String plugin = "plugin \"" + pluginId + "\"";
        return switch (fault) {
            case DEAD -> "which is dead: the process of " + plugin + " that held it is gone";
            case HANGS -> "which does not answer: " + plugin + " holds it";
            case GONE -> "which is gone: nothing is mounted there any more";
            case REPLACED ->
                "which was replaced, by " + plugin + " or by hand: tasks of the allocation still see the earlier one";
        };
    }

    private String hint(@Nullable MountLoss policy) {
        if (fault == Fault.HANGS) {
            return "it may come back; what waits in it waits on. Look at the plugin's logs";
        }
        if (policy == null) {
            return "it stays so until the allocation is started anew, or until the plugin is there"
                    + " and its on_mount_loss says more";
        }
        return switch (policy) {
            case ALERT -> "on_mount_loss is \"alert\": restart the allocation to have it mounted anew";
            case RESTART_TASKS -> "it is mounted anew, and its tasks are restarted";
            case REMOUNT -> "it is mounted anew under its tasks; restart a task that has files of its own";
        };
    }
}
