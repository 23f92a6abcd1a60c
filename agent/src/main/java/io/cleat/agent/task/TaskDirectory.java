package io.cleat.agent.task;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one task, with {@code local}, {@code secrets} and {@code tmp} in it. A task that
 * the host runs as a user of its own gets it as that user's, and nobody else's.
 */
record TaskDirectory(Path root) {
    Path local() {
        return root.resolve("local");
    }

    Path secrets() {
        return root.resolve("secrets");
    }

    /**
     * Makes what is not there. Once it is the task's it is not touched again: what is in it may be
     * anything by then.
     *
     * @param owner user id, group id, further groups; empty if it stays ours
     * @param passable whether others may come through it and its allocation's, who know their
     *     names; a task that is not isolated may have any user
     * @throws DiskTrouble also if {@code owner} cannot come to it
     */
    void make(List<Long> owner, boolean passable) throws DiskTrouble {
        try {
            directory(root, "rwx------");
            if (passable) {
                letPass(root.resolve(".."));
            }
            if (!owner.isEmpty()) {
                requirePassable(root.toAbsolutePath(), owner);
            }
            if (!owner.isEmpty() && !isRoot(owner) && isOf(root, owner)) {
                return;
            }
            directory(local(), "rwxrwxrwx");
            directory(secrets(), "rwx------");
            directory(root.resolve("tmp"), "rwxrwxrwx");
            if (passable && owner.isEmpty()) {
                letPass(root);
            }
            if (!owner.isEmpty()) {
                Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx------"));
                give(secrets(), owner);
                // Last, as from then on it is the user's to change.
                give(root, owner);
            }
        } catch (IOException e) {
            throw trouble("making the task's directory " + root + ": " + e, Retry.SAME_CALL, e);
        }
    }

    private static void directory(Path path, String mode) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(path);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
        }
    }

    private static void letPass(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }

    /** What is root's has not been given away yet. */
    private static boolean isRoot(List<Long> owner) {
        return owner.getFirst() == 0;
    }

    private static boolean isOf(Path path, List<Long> owner) throws IOException {
        return Integer.toUnsignedLong((int) attribute(path, "unix:uid")) == owner.getFirst();
    }

    private static Object attribute(Path path, String name) throws IOException {
        return Files.getAttribute(path, name, LinkOption.NOFOLLOW_LINKS);
    }

    private static void give(Path path, List<Long> owner) throws IOException {
        Files.setAttribute(path, "unix:gid", owner.get(1).intValue(), LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:uid", owner.get(0).intValue(), LinkOption.NOFOLLOW_LINKS);
    }

    private static void requirePassable(Path target, List<Long> owner)
            throws IOException, DiskTrouble {
        for (Path above = target.getParent(); above != null; above = above.getParent()) {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(above);
            long group = Integer.toUnsignedLong((int) attribute(above, "unix:gid"));
            boolean passable =
                    isOf(above, owner)
                            ? mode.contains(PosixFilePermission.OWNER_EXECUTE)
                            : owner.subList(1, owner.size()).contains(group)
                                    ? mode.contains(PosixFilePermission.GROUP_EXECUTE)
                                    : mode.contains(PosixFilePermission.OTHERS_EXECUTE);
            if (!passable && owner.getFirst() != 0) {
                throw trouble(
                        ("the task's user (id %d) cannot come to its directory through %s,"
                                        + " which is %s: chmod o+x %s")
                                .formatted(
                                        owner.getFirst(),
                                        above,
                                        PosixFilePermissions.toString(mode),
                                        above),
                        Retry.AFTER_OBSERVING,
                        null);
            }
        }
    }

    private static DiskTrouble trouble(String what, Retry retry, @Nullable Throwable cause) {
        return new DiskTrouble(what, Effect.NONE, retry, cause);
    }
}
