package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The checks of paths that callers name, before anything is mounted there: a real directory, ours, empty. What is not
 * as expected is refused by name and left alone.
 */
final class PlainPaths {
    private static final int OWN_USER = ownUser();

    private PlainPaths() {}

    /**
     * The path of a field of a request.
     *
     * @throws CallRefused unless it is absolute and names neither {@code .} nor {@code ..}
     */
    static Path parse(String field, String given) throws CallRefused {
        if (given.isEmpty()) {
            throw CallRefused.invalid(field + " is missing");
        }
        if (given.indexOf('\0') >= 0) {
            throw CallRefused.invalid(field + " holds a zero byte");
        }
        Path path = Path.of(given);
        if (!path.isAbsolute() || !path.equals(path.normalize()) || path.getNameCount() == 0) {
            throw CallRefused.invalid(field + " is '" + given + "'; expected an absolute path without . and ..");
        }
        return path;
    }

    /** Refuses a directory that is another's, or that others may write to. */
    static void requireOurs(Path directory) throws CallRefused, DiskTrouble {
        PosixFileAttributes found = requireDirectory(directory);
        requireOwner(directory, found);
        if (found.permissions().contains(PosixFilePermission.OTHERS_WRITE)
                || found.permissions().contains(PosixFilePermission.GROUP_WRITE)) {
            throw CallRefused.tooSoon(directory
                    + " may be written to by others (mode "
                    + PosixFilePermissions.toString(found.permissions())
                    + "); take that right away: chmod go-w "
                    + directory);
        }
    }

    /**
     * The same place with the links of its upper part resolved, as the mount table names it. The last two names must be
     * no links: those directories are made for volumes.
     */
    static Path resolve(Path path) throws CallRefused, DiskTrouble {
        Path parent = path.getParent();
        Path name = path.getFileName();
        if (parent == null || name == null) {
            throw CallRefused.invalid(path + " is the root directory");
        }
        requireDirectory(parent);
        try {
            return parent.toRealPath().resolve(name);
        } catch (IOException failed) {
            throw trouble("resolving " + parent, failed);
        }
    }

    /** As {@link #resolve}; the path as it is when its parent is absent, and so nothing is there. */
    static Path resolveIfThere(Path path) throws CallRefused, DiskTrouble {
        Path parent = path.getParent();
        return parent == null || attributes(parent).isEmpty() ? path : resolve(path);
    }

    /** Refuses {@code directory} as a place to mount on: it must be there, ours and empty. */
    static void requireEmpty(Path directory) throws CallRefused, DiskTrouble {
        requireOwner(directory, requireDirectory(directory));
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            if (entries.iterator().hasNext()) {
                throw CallRefused.tooSoon(directory + " is not empty; a mount there would hide what it holds");
            }
        } catch (IOException failed) {
            throw trouble("listing " + directory, failed);
        }
    }

    /** Makes the directory to mount on, for its owner only; an existing one must be ours and empty. */
    static void makeEmpty(Path directory) throws CallRefused, DiskTrouble {
        Path parent = directory.getParent();
        if (parent != null) {
            requireOwner(parent, requireDirectory(parent));
        }
        if (attributes(directory).isEmpty()) {
            try {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (IOException failed) {
                throw trouble("making " + directory, failed);
            }
        }
        requireEmpty(directory);
    }

    /** Makes the file that a device is shown at, for its owner only; an existing one must be ours and empty. */
    static void makeEmptyFile(Path file) throws CallRefused, DiskTrouble {
        Path parent = file.getParent();
        if (parent != null) {
            requireOwner(parent, requireDirectory(parent));
        }
        Optional<PosixFileAttributes> there = attributes(file);
        if (there.isPresent()) {
            requireEmptyFile(file, there.get());
            return;
        }
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException failed) {
            throw trouble("making " + file, failed);
        }
    }

    /** Removes an empty file of ours; nothing happens when it is absent. */
    static void removeEmptyFile(Path file) throws CallRefused, DiskTrouble {
        Optional<PosixFileAttributes> there = attributes(file);
        if (there.isEmpty()) {
            return;
        }
        requireEmptyFile(file, there.get());
        try {
            Files.deleteIfExists(file);
        } catch (IOException failed) {
            throw trouble("removing " + file, failed);
        }
    }

    private static void requireEmptyFile(Path file, PosixFileAttributes found) throws CallRefused, DiskTrouble {
        if (!found.isRegularFile() || found.size() > 0) {
            throw CallRefused.tooSoon(file
                    + " is "
                    + (found.isRegularFile() ? "not empty" : "no file")
                    + "; expected an empty file to show a device at, and nothing was touched");
        }
        requireOwner(file, found);
    }

    /** Removes an empty directory of ours; nothing happens when it is absent. */
    static void removeEmpty(Path directory) throws CallRefused, DiskTrouble {
        if (attributes(directory).isEmpty()) {
            return;
        }
        requireDirectory(directory);
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException holdsSomething) {
            throw CallRefused.tooSoon(directory + " is not empty; it is left as it is: look at what it holds");
        } catch (IOException failed) {
            throw trouble("removing the directory " + directory, failed);
        }
    }

    static PosixFileAttributes requireDirectory(Path directory) throws CallRefused, DiskTrouble {
        PosixFileAttributes found =
                attributes(directory).orElseThrow(() -> CallRefused.tooSoon(directory + " does not exist"));
        if (!found.isDirectory()) {
            throw CallRefused.tooSoon(directory
                    + " is "
                    + (found.isSymbolicLink() ? "a symbolic link" : "no directory")
                    + "; expected a directory, and nothing was touched");
        }
        return found;
    }

    private static void requireOwner(Path directory, PosixFileAttributes found) throws CallRefused, DiskTrouble {
        int owner = owner(directory);
        if (owner != OWN_USER && owner != 0) {
            throw CallRefused.tooSoon(directory
                    + " belongs to "
                    + found.owner().getName()
                    + "; expected the plugin's own user ("
                    + OWN_USER
                    + ") or root, and nothing was touched");
        }
    }

    private static Optional<PosixFileAttributes> attributes(Path path) throws DiskTrouble {
        try {
            return Optional.of(Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failed) {
            throw trouble("looking at " + path, failed);
        }
    }

    private static int owner(Path path) throws DiskTrouble {
        try {
            return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
        } catch (IOException failed) {
            throw trouble("looking at " + path, failed);
        }
    }

    private static int ownUser() {
        try {
            return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException noProc) {
            throw new UncheckedIOException("/proc is needed to know the own user", noProc);
        }
    }

    private static DiskTrouble trouble(String what, IOException cause) {
        return new DiskTrouble(what + " failed: " + cause, Effect.NONE, Retry.SAME_CALL, cause);
    }
}
