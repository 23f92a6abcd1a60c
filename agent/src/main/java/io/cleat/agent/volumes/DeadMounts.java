package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import java.nio.file.Path;
import java.util.Optional;

/** Which mounts have lost the process that held them, as that of a FUSE file system. */
final class DeadMounts {
    private final VolumeParts parts;
    private final VisibleMounts mounts;

    DeadMounts(VolumeParts parts) {
        this.parts = parts;
        this.mounts = new VisibleMounts(parts.mounts());
    }

    /**
     * Whether something is mounted there that nobody will answer for again. Only a mount that a process may hold is
     * asked: the answer of all others is known.
     *
     * @throws KernelTrouble if that cannot be seen, as of one that hangs
     */
    boolean isDead(String pluginId, Path path) throws KernelTrouble, InterruptedException {
        Optional<Mount> mount = mounts.at(path);
        boolean holds = parts.plugins()
                .current(pluginId)
                .filter(plugin -> plugin.onMountLoss() != null)
                .isPresent();
        return mount.isPresent()
                && (holds || mount.get().fsType().startsWith("fuse"))
                && !parts.answers(pluginId, path);
    }
}
