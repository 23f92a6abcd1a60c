package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import java.util.List;
import java.util.Optional;

/** DeleteVolume: never while anything uses the volume, and done when it is not there. */
final class Deletion {
    private final Pool pool;
    private final Mounting mounting;
    private final String node;

    Deletion(Pool pool, Mounting mounting, String node) {
        this.pool = pool;
        this.mounting = mounting;
        this.node = node;
    }

    void delete(String id) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold(id)) {
            Optional<Volume> found = pool.volumes().find(id);
            if (found.isEmpty()) {
                return;
            }
            Volume volume = found.get();
            requireUnused(volume);
            mounting.detach(volume);
            pool.volumes().delete(volume);
        }
    }

    private void requireUnused(Volume volume) throws CallRefused, KernelTrouble {
        if (!volume.uses().attachments().isEmpty()) {
            throw inUse(
                    volume,
                    "is attached to node "
                            + volume.uses().attachments().getFirst().node(),
                    "detach");
        }
        Optional<Uses.Staging> away = volume.uses().stagings().stream()
                .filter(s -> !s.node().equals(node))
                .findFirst();
        if (away.isPresent()) {
            throw inUse(volume, "is staged on node " + away.get().node(), "unstage");
        }
        Seen seen = mounting.look(volume);
        List<Mount> uses = seen.usesBeside(pool.volumes().directory(volume));
        if (!uses.isEmpty()) {
            throw inUse(volume, "is mounted at " + Seen.targets(uses), "unpublish and unstage");
        }
        List<Mount> inside = seen.table().atOrBelow(pool.volumes().directory(volume));
        if (!inside.isEmpty()) {
            throw inUse(volume, "has something mounted inside: " + Seen.targets(inside), "unmount that in");
        }
    }

    private static CallRefused inUse(Volume volume, String how, String first) {
        return CallRefused.tooSoon("volume " + volume.id() + " " + how + "; " + first + " it first");
    }
}
