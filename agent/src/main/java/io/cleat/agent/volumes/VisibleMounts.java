package io.cleat.agent.volumes;

import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the mount table shows: the truth for what is published. */
record VisibleMounts(MountTable.Source source) {
    /**
     * What is mounted there.
     *
     * @throws KernelTrouble also if something is, and a mount above it covers it: it comes to light again
     */
    Optional<Mount> at(Path path) throws KernelTrouble {
        MountTable table = source.whole();
        Optional<Mount> reached = table.at(path);
        if (reached.isEmpty() && table.isTarget(path)) {
            throw new KernelTrouble(
                    "what is mounted at "
                            + path
                            + " is covered by the mount at "
                            + table.holding(path).map(Mount::target).orElse("/"),
                    Effect.NONE,
                    Retry.SAME_CALL);
        }
        return reached;
    }

    /** What the path lies on. */
    Optional<Mount> holding(Path path) throws KernelTrouble {
        return source.whole().holding(path);
    }

    boolean isMounted(Path path) throws KernelTrouble {
        return at(path).isPresent();
    }

    /**
     * Whether the mount at {@code path} shows a directory that lies in {@code within} itself, as a bind of one at which
     * nothing is mounted does.
     */
    boolean showsDirectoryOf(Path within, Path path) throws KernelTrouble {
        MountTable table = source.whole();
        Optional<Mount> shown = table.at(path);
        Optional<Mount> below = table.holding(within);
        if (shown.isEmpty() || below.isEmpty()) {
            return false;
        }
        Mount lies = below.get();
        String rest = within.toString().substring(noEnd(lies.target()).length());
        return shown.get().device().equals(lies.device())
                && isOrLiesIn(shown.get().root(), noEnd(lies.root()) + rest);
    }

    private static boolean isOrLiesIn(String root, String directory) {
        return root.equals(directory) || root.startsWith(noEnd(directory) + "/");
    }

    /** Without the slash that only the root of all has at its end. */
    private static String noEnd(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /**
     * What below {@code within} shows the same files as the mount at {@code path}, or some of them: the same file
     * system, and the same directory of it or one below. Other volumes may share the device alone.
     */
    List<Mount> alsoShown(Path path, Path within) throws KernelTrouble {
        MountTable table = source.whole();
        Optional<Mount> shown = table.at(path);
        if (shown.isEmpty()) {
            return List.of();
        }
        String root = shown.get().root();
        return table.atOrBelow(within).stream()
                .filter(mount -> mount.device().equals(shown.get().device()))
                .filter(mount -> isOrLiesIn(mount.root(), root))
                .filter(mount -> !mount.target().equals(shown.get().target()))
                .toList();
    }
}
