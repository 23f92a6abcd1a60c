package io.cleat.driver.docker;

import io.cleat.driver.BlockReader;
import io.cleat.kernel.TextPath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Something that a task's {@code mounts}, {@code volumes} or {@code tmpfs} mount in its container.
 *
 * @param target an absolute path in the container
 */
sealed interface BlockMount {
    String target();

    /**
     * A directory or file of the task's own directory.
     *
     * @param below plain names with slashes between them; empty for the directory itself
     */
    record Own(String below, String target, boolean readOnly) implements BlockMount {}

    /** A path of the machine that its operator lets tasks see. */
    record Host(Path source, String target, boolean readOnly, String propagation) implements BlockMount {}

    /** A volume of the engine's. */
    record Named(String name, String target, boolean readOnly) implements BlockMount {}

    /**
     * An empty directory in memory.
     *
     * @param bytes how large it may grow; 0 for the engine's own limit
     * @param mode permission bits; 0 for the engine's own
     */
    record Memory(String target, long bytes, int mode) implements BlockMount {}

    Set<String> PROPAGATIONS = Set.of("private", "rprivate", "shared", "rshared", "slave", "rslave");

    /** All of a block. */
    static List<BlockMount> read(BlockReader config, DockerSettings.Allowed allowed) {
        List<BlockMount> mounts = new ArrayList<>();
        for (String key : List.of("mount", "mounts")) {
            for (BlockReader mount : config.blocks(key)) {
                of(mount, allowed).ifPresent(mounts::add);
                mount.end();
            }
        }
        for (String text : config.texts("volumes")) {
            volume(text, config, allowed).ifPresent(mounts::add);
        }
        for (String text : config.texts("tmpfs")) {
            if (isInside(text)) {
                mounts.add(new Memory(text, 0, 0));
            } else {
                config.fault("tmpfs has "
                        + text
                        + "; expected an absolute path in the container, without options:"
                        + " a mount of type \"tmpfs\" has tmpfs_options");
            }
        }
        return mounts;
    }

    private static Optional<BlockMount> of(BlockReader mount, DockerSettings.Allowed allowed) {
        String type = mount.text("type");
        String target = mount.text("target");
        String source = mount.text("source");
        boolean readOnly = mount.flag("readonly");
        Optional<BlockReader> bind = mount.block("bind_options");
        String propagation = bind.map(options -> options.text("propagation")).orElse("");
        bind.ifPresent(BlockReader::end);
        Optional<BlockReader> memory = mount.block("tmpfs_options");
        long bytes = memory.map(options -> options.number("size", 0)).orElse(0L);
        long mode = memory.map(options -> options.number("mode", 0)).orElse(0L);
        memory.ifPresent(BlockReader::end);
        mount.refuse("volume_options", "make the engine's volume by hand, with its driver");
        if (!isInside(target)) {
            mount.fault("a mount's target must be an absolute path in the container, it is: " + target);
            return Optional.empty();
        }
        if (!propagation.isEmpty() && !PROPAGATIONS.contains(propagation)) {
            mount.fault("propagation must be one of "
                    + PROPAGATIONS.stream().sorted().toList()
                    + ", it is: "
                    + propagation);
        }
        return switch (type.isEmpty() ? "volume" : type) {
            case "bind" -> bound(source, target, readOnly, propagation, mount, allowed);
            case "tmpfs" -> Optional.of(new Memory(target, bytes, (int) mode));
            case "volume" -> named(source, target, readOnly, mount, allowed);
            default -> {
                mount.fault("a mount's type must be bind, volume or tmpfs, it is: " + type);
                yield Optional.empty();
            }
        };
    }

    /** {@code source:target}, with {@code :ro} or {@code :rw} behind it. */
    private static Optional<BlockMount> volume(String text, BlockReader config, DockerSettings.Allowed allowed) {
        String[] parts = text.split(":", -1);
        boolean isForm = parts.length == 2 || (parts.length == 3 && parts[2].matches("ro|rw|"));
        if (!isForm || parts[0].isEmpty() || !isInside(parts[1])) {
            config.fault("volumes has \""
                    + text
                    + "\"; expected \"source:/target\", with \":ro\" behind it for reading alone");
            return Optional.empty();
        }
        boolean readOnly = parts.length == 3 && parts[2].equals("ro");
        // As others take it: what has no slash in it, in a list of volumes, is a path of the task.
        return bound(parts[0], parts[1], readOnly, "", config, allowed);
    }

    private static Optional<BlockMount> bound(
            String source,
            String target,
            boolean readOnly,
            String propagation,
            BlockReader said,
            DockerSettings.Allowed allowed) {
        Optional<Path> path = TextPath.of(source);
        if (path.isEmpty() || source.isEmpty()) {
            said.fault("a mount's source must be a path, it is: \"" + source + "\"");
            return Optional.empty();
        }
        Path normal = path.get().normalize();
        if (!normal.isAbsolute()) {
            if (normal.startsWith("..") || !propagation.isEmpty()) {
                said.fault("the source "
                        + source
                        + " of a mount lies in the task's directory, must stay in it, and has no propagation");
                return Optional.empty();
            }
            return Optional.of(new Own(normal.toString(), target, readOnly));
        }
        if (allowed.hostPaths().stream().noneMatch(normal::startsWith)) {
            said.fault("a mount has the source "
                    + source
                    + "; this node allows "
                    + (allowed.hostPaths().isEmpty() ? "none of its own" : allowed.hostPaths())
                    + " (-docker-allow-path)");
            return Optional.empty();
        }
        return Optional.of(new Host(normal, target, readOnly, propagation.isEmpty() ? "rprivate" : propagation));
    }

    private static Optional<BlockMount> named(
            String name, String target, boolean readOnly, BlockReader said, DockerSettings.Allowed allowed) {
        if (!allowed.namedVolumes()) {
            said.fault("a mount is of type volume, a volume of the engine's, which nobody accounts"
                    + " for: ask for a storage plugin's volume with volume and"
                    + " volume_mount, or let the node's operator allow it with"
                    + " -docker-allow-volumes");
            return Optional.empty();
        }
        if (!name.matches("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,200}")) {
            said.fault("a mount of type volume needs a source that is a name, it is: " + name);
            return Optional.empty();
        }
        return Optional.of(new Named(name, target, readOnly));
    }

    private static boolean isInside(String target) {
        return target.startsWith("/")
                && target.indexOf(':') < 0
                && TextPath.of(target)
                        .filter(path -> path.normalize().equals(path))
                        .isPresent();
    }
}
