package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the mount table shows: the truth for what is published. */
record Sight(MountTable.Source source) {
    /** What is mounted there. */
    Optional<Mount> at(Path path) throws KernelTrouble {
        return source.whole().at(path);
    }

    boolean isMounted(Path path) throws KernelTrouble {
        return at(path).isPresent();
    }

    /**
     * What below {@code within} shows the same files as the mount at {@code path}, or some of them:
     * the same file system, and the same directory of it or one below. Other volumes may share the
     * device alone.
     */
    List<Mount> alsoShown(Path path, Path within) throws KernelTrouble {
        MountTable table = source.whole();
        Optional<Mount> shown = table.at(path);
        if (shown.isEmpty()) {
            return List.of();
        }
        String root = shown.get().root();
        String below = root.endsWith("/") ? root : root + "/";
        return table.atOrBelow(within).stream()
                .filter(mount -> mount.device().equals(shown.get().device()))
                .filter(mount -> mount.root().equals(root) || mount.root().startsWith(below))
                .filter(mount -> !mount.target().equals(shown.get().target()))
                .toList();
    }
}
