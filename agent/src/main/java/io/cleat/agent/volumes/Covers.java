package io.cleat.agent.volumes;

import io.cleat.base.KernelTrouble;
import io.cleat.kernel.MountTable;
import io.cleat.model.VolumeId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Mounts over a directory that volumes lie in, which no call asks for: under one, what a volume has mounted is not to
 * be seen, and who undoes it undoes something else.
 *
 * <p>Called with the volume's turn.
 */
final class Covers {
    private final VolumeParts parts;
    private final Directories directories;
    private final PluginCalls calls;

    Covers(VolumeParts parts) {
        this.parts = parts;
        this.directories = new Directories(parts);
        this.calls = new PluginCalls(parts);
    }

    /**
     * Takes away what is mounted between {@code top}, the plugin's root, and {@code path}, and says so of the volume.
     */
    void lift(String pluginId, VolumeId volume, Path path, Path top) throws StepBlocked, InterruptedException {
        try {
            MountTable table = parts.mounts().whole();
            for (Path directory : between(top, path)) {
                if (table.isTarget(directory)) {
                    directories.detachAll(pluginId, directory);
                    calls.note(
                            volume,
                            "look",
                            "a mount at "
                                    + directory
                                    + " covered "
                                    + path
                                    + ", which nobody asked for: the agent took it away");
                }
            }
        } catch (KernelTrouble trouble) {
            throw StepBlocked.again("uncover", trouble.reason(), "it is tried again");
        }
    }

    /** From above to below, without the two. */
    private static List<Path> between(Path top, Path path) {
        List<Path> directories = new ArrayList<>();
        for (Path at = path.getParent(); at != null && !at.equals(top); at = at.getParent()) {
            directories.addFirst(at);
        }
        return directories;
    }
}
