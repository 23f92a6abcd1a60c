package io.cleat.driver;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.driver.TaskConfig.TaskMount;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import io.cleat.kernel.Mounts;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Sees to it that mounts can spread where a task asks for it: the kernel takes a bind with {@code rshared} or
 * {@code rslave} also where nothing spreads from or to, and then nothing ever does.
 */
public final class SharedSources {
    private final Mounts mounts;

    public SharedSources(Mounts mounts) {
        this.mounts = mounts;
    }

    /**
     * Makes shared what is mounted at the source of a mount that spreads.
     *
     * @throws KernelTrouble with no effect if a source lies on a mount that is not shared, and is none itself
     */
    public void require(List<TaskMount> wanted) throws KernelTrouble {
        for (TaskMount mount : wanted) {
            if (!mount.propagation().equals("private")) {
                require(mount.hostPath(), mount.propagation());
            }
        }
    }

    private void require(Path source, String propagation) throws KernelTrouble {
        MountTable table = mounts.table();
        if (isShared(table.holding(source))) {
            return;
        }
        if (table.at(source).isPresent()) {
            mounts.spread(source, Mounts.Spread.SHARED);
            if (isShared(mounts.table().at(source))) {
                return;
            }
        }
        throw new KernelTrouble(
                source
                        + " is asked for with propagation "
                        + propagation
                        + ", and lies on a mount that is not shared, so no mount would spread: bind it"
                        + " onto itself and make that shared (mount --bind, mount --make-shared), or"
                        + " ask for private",
                Effect.NONE,
                Retry.AFTER_OBSERVING);
    }

    private static boolean isShared(Optional<Mount> mount) {
        return mount.filter(found -> found.propagation().isShared()).isPresent();
    }
}
