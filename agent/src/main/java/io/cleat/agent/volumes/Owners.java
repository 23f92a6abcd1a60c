package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import io.cleat.model.Ownership;

/**
 * Gives a volume to whom its mount options say: the topmost directory of what was published, once, where the claim may
 * write. Where no option says whose it is, {@code agent.task.VolumeOwnership} gives a fresh one to the task.
 */
final class Owners {
    private final VolumeParts parts;
    private final PluginCalls calls;

    Owners(VolumeParts parts, PluginCalls calls) {
        this.parts = parts;
        this.calls = calls;
    }

    /** Before anybody is shown it. */
    void settle(GrantedClaim claim, Use use) throws KernelTrouble, InterruptedException {
        Ownership wish = claim.mountOptions().ownership();
        if (wish == null || use.isDevice() || use.readOnly()) {
            return;
        }
        Paths.Whose whose = parts.paths()
                .plugin(claim.pluginId())
                .settle(Place.of(parts.root(), use.host()), wish.uid(), wish.gid(), wish.mode(), parts.forPath());
        if (whose.given()) {
            calls.note(claim.volume(), "mount_options", "given to " + wish.words());
        } else if (differs(wish, whose)) {
            calls.note(
                    claim.volume(),
                    "mount_options",
                    ("wanted is %s, and it has owner %d, group %d, mode %04o: it was given once and changed since, or "
                                    + "its file system gives it to nobody")
                            .formatted(wish.words(), whose.uid(), whose.gid(), whose.mode()));
        }
    }

    private static boolean differs(Ownership wish, Paths.Whose whose) {
        return (wish.uid() != null && wish.uid() != whose.uid())
                || (wish.gid() != null && wish.gid() != whose.gid())
                || (wish.mode() != null && wish.mode() != whose.mode());
    }
}
