package io.cleat.driver.exec;

import io.cleat.driver.shim.IdRange;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a node's operator lets {@code exec} tasks ask for.
 *
 * @param capabilities names as in {@code net_bind_service}: what {@code cap_add} may name
 * @param hostNamespaces whether {@code pid_mode} and {@code ipc_mode} may be {@code host}: such a task can reach the
 *     files of others that run as the same user
 * @param hostPaths directories that {@code host_paths} may name, or lie below
 * @param imagePaths directories of the machine that {@code image} may name an archive in
 * @param users of which each allocation with tasks that name none gets one
 */
public record ExecSettings(
        Set<String> capabilities, boolean hostNamespaces, List<Path> hostPaths, List<Path> imagePaths, IdRange users) {
    /** Nothing beyond what every task has. */
    public static final ExecSettings STRICT =
            new ExecSettings(Capability.DEFAULTS, false, List.of(), List.of(), IdRange.USUAL);

    /**
     * What every task has, and more.
     *
     * @param capabilities in any spelling
     */
    public static ExecSettings allowing(List<String> capabilities, boolean hostNamespaces, List<Path> hostPaths) {
        Set<String> all = new HashSet<>(Capability.DEFAULTS);
        capabilities.forEach(name -> all.add(Capability.named(name)));
        return new ExecSettings(all, hostNamespaces, hostPaths, List.of(), IdRange.USUAL);
    }

    /** The same, with other users. */
    public ExecSettings withUsers(IdRange range) {
        return new ExecSettings(capabilities, hostNamespaces, hostPaths, imagePaths, range);
    }

    /** The same, with images from some directories of the machine. */
    public ExecSettings withImages(List<Path> directories) {
        return new ExecSettings(capabilities, hostNamespaces, hostPaths, directories, users);
    }

    public ExecSettings {
        capabilities = Set.copyOf(capabilities);
        hostPaths = List.copyOf(hostPaths);
        imagePaths = List.copyOf(imagePaths);
    }
}
