package io.cleat.agent.task;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ordered;
import io.cleat.base.Retry;
import io.cleat.kernel.FileWrites.Owner;
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
 * The directory of one task, with {@code local}, {@code secrets} and {@code tmp} in it, which are its user's and nobody
 * else's.
 *
 * @param mounted on what of it something is mounted: a volume, which may hang, and whose own directory that then is. It
 *     is not touched
 */
record TaskDirectory(Path root, Set<Path> mounted) {
    private static final int OWNER_ONLY = 0700;
    private static final int ANYBODYS = 01777;

    TaskDirectory {
        mounted = Ordered.copyOf(mounted);
    }

    /** On which nothing is mounted. */
    TaskDirectory(Path root) {
        this(root, Set.of());
    }

    Path local() {
        return root.resolve("local");
    }

    Path secrets() {
        return root.resolve("secrets");
    }

    Path tmp() {
        return root.resolve("tmp");
    }

    /**
     * Whose a directory is that an isolated task is shown: its user's alone; of root also what other users in the
     * container may look into, since nobody else comes to it on the host.
     *
     * @param owner user id, group id, further groups; empty if it is ours
     * @param isAnybodys whether its image says who the task is, which nobody knows yet: then everybody in the container
     *     writes there
     */
    static Owner shown(List<Long> owner, boolean isAnybodys) {
        return isAnybodys ? new Owner(ANYBODYS, -1, -1) : shown(owner);
    }

    private static Owner shown(List<Long> owner) {
        return isOurs(owner) ? new Owner(0755, -1, -1) : of(owner, OWNER_ONLY);
    }

    private static Owner of(List<Long> owner, int mode) {
        return new Owner(mode, owner.get(0).intValue(), owner.get(1).intValue());
    }

    /**
     * Makes what is not there, for a driver that shows the task {@code local}, {@code secrets} and {@code tmp} one by
     * one. The directory itself stays ours, and nobody else passes it.
     *
     * @param owner as {@link #shown}
     * @param isAnybodys likewise
     */
    void makeShown(List<Long> owner, boolean isAnybodys) throws DiskTrouble {
        try {
            directory(root);
            directory(secrets());
            directory(local());
            give(local(), shown(owner, isAnybodys));
            directory(tmp());
            give(tmp(), isOurs(owner) ? new Owner(01777, -1, -1) : shown(owner));
        } catch (IOException e) {
            throw making(e);
        }
    }

    /**
     * Makes what is not there, for a task that comes to it by its path on the host, through its allocation's directory.
     * Once it is the task's it is not touched again: what is in it may be anything by then.
     *
     * @param owner user id, group id, further groups; empty if it stays ours
     * @throws DiskTrouble also if {@code owner} cannot come to it
     */
    void make(List<Long> owner) throws DiskTrouble {
        try {
            directory(root);
            letPass(root.resolve(".."));
            if (!owner.isEmpty()) {
                requirePassable(root.toAbsolutePath(), owner);
            }
            if (!isOurs(owner) && isOf(root, owner)) {
                return;
            }
            Owner own = owner.isEmpty() ? new Owner(OWNER_ONLY, -1, -1) : of(owner, OWNER_ONLY);
            for (Path directory : List.of(local(), secrets(), tmp())) {
                directory(directory);
                give(directory, own);
            }
            if (owner.isEmpty()) {
                // For what it starts as other users, which may come to its volumes.
                letPass(root);
            } else {
                // Last, as from then on it is the user's to change.
                give(root, own);
            }
        } catch (IOException e) {
            throw making(e);
        }
    }

    private DiskTrouble making(IOException e) {
        return trouble("making the task's directory " + root + ": " + e, Retry.SAME_CALL, e);
    }

    private void directory(Path path) throws IOException {
        if (!mounted.contains(path) && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
    }

    private static void letPass(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }

    /** What is root's has not been given away yet. */
    private static boolean isOurs(List<Long> owner) {
        return owner.isEmpty() || owner.getFirst() == 0;
    }

    private static boolean isOf(Path path, List<Long> owner) throws IOException {
        return Integer.toUnsignedLong((int) attribute(path, "unix:uid")) == owner.getFirst();
    }

    private static Object attribute(Path path, String name) throws IOException {
        return Files.getAttribute(path, name, LinkOption.NOFOLLOW_LINKS);
    }

    /** Of a directory in one that is ours, so that nobody has put a link there. */
    private void give(Path path, Owner owner) throws IOException {
        if (mounted.contains(path)) {
            return;
        }
        if (owner.uid() != -1) {
            Files.setAttribute(path, "unix:gid", owner.gid(), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:uid", owner.uid(), LinkOption.NOFOLLOW_LINKS);
        }
        Files.setAttribute(path, "unix:mode", owner.mode());
    }

    private static void requirePassable(Path target, List<Long> owner) throws IOException, DiskTrouble {
        for (Path above = target.getParent(); above != null; above = above.getParent()) {
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(above);
            long group = Integer.toUnsignedLong((int) attribute(above, "unix:gid"));
            boolean passable = isOf(above, owner)
                    ? mode.contains(PosixFilePermission.OWNER_EXECUTE)
                    : owner.subList(1, owner.size()).contains(group)
                            ? mode.contains(PosixFilePermission.GROUP_EXECUTE)
                            : mode.contains(PosixFilePermission.OTHERS_EXECUTE);
            if (!passable && owner.getFirst() != 0) {
                throw trouble(
                        ("the task's user (id %d) cannot come to its directory through %s, which is %s: chmod o+x %s")
                                .formatted(owner.getFirst(), above, PosixFilePermissions.toString(mode), above),
                        Retry.AFTER_OBSERVING,
                        null);
            }
        }
    }

    private static DiskTrouble trouble(String what, Retry retry, @Nullable Throwable cause) {
        return new DiskTrouble(what, Effect.NONE, retry, cause);
    }
}
