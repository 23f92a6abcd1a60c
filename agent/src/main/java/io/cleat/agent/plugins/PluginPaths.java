package io.cleat.agent.plugins;

import io.cleat.agent.volumes.VolumePaths;
import io.cleat.base.Effect;
import io.cleat.base.PluginTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Sha256;
import io.cleat.base.TextRule;
import io.cleat.kernel.TextPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Where plugins' sockets and volumes are, below the agent's {@code csi} directory.
 *
 * @param root the {@code csi} directory
 */
public record PluginPaths(Path root) {
    /** The longest path of a Unix socket that the kernel takes, in bytes. */
    private static final int LONGEST_SOCKET = 107;

    /** The name of a socket in its control directory. */
    private static final String SOCKET = "csi.sock";

    /** Letters of an allocation's id, for people; and of its task's digest, which tells them apart. */
    private static final int SHORT_ID = 8;

    private static final int DIGEST = 16;

    /**
     * The directory that holds the socket of one plugin task. A group may have several of them, so it is told by the
     * allocation and the task; shorter than these, which with a data directory of usual length are more than the path
     * of a socket may be.
     */
    public Path control(String allocId, String task) {
        String shortId = allocId.substring(0, Math.min(SHORT_ID, allocId.length()));
        return TextPath.entry(root.resolve("plugins"), shortId + "-" + digest(allocId + "/" + task));
    }

    /** Where the socket of one plugin task will be. */
    Path expected(PluginTasks.PluginTask task) {
        return control(task.allocId(), task.task()).resolve(SOCKET);
    }

    private static String digest(String text) {
        return HexFormat.of().formatHex(Sha256.of(text)).substring(0, DIGEST);
    }

    /** The socket of one plugin task. */
    Path socket(PluginTasks.PluginTask task) throws PluginTrouble {
        Path socket = expected(task);
        int length = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST_SOCKET) {
            throw new PluginTrouble(
                    "the plugin's socket path "
                            + socket
                            + " has "
                            + length
                            + " bytes, the kernel takes "
                            + LONGEST_SOCKET
                            + ": use a shorter data directory",
                    Effect.NONE,
                    Retry.NEVER);
        }
        return socket;
    }

    /** The directory below which a plugin's volumes are staged and published: one per plugin id. */
    public Path volumes(String pluginId) {
        return root.resolve(VolumePaths.encoded(pluginId));
    }

    /**
     * The same directory as the plugin of that task sees it; one whose job names none that could be is never started
     * ({@link #requireRoot}).
     */
    Path pluginRoot(PluginTasks.PluginTask task) {
        return task.isolated()
                ? TextPath.of(task.spec().stagePublishBaseDir())
                        .orElseGet(() -> volumes(task.spec().id()))
                : volumes(task.spec().id());
    }

    /** Before a plugin is started: its job may be older than the rules for texts. */
    static void requireRoot(PluginTasks.PluginTask task) throws PluginTrouble {
        String told = task.spec().stagePublishBaseDir();
        if (TextPath.of(told).isEmpty()) {
            throw new PluginTrouble(
                    "stage_publish_base_dir of plugin "
                            + TextRule.quoted(task.spec().id())
                            + " is "
                            + TextRule.quoted(told)
                            + ", which is no path; give one such as /local/csi",
                    Effect.NONE,
                    Retry.NEVER);
        }
    }
}
