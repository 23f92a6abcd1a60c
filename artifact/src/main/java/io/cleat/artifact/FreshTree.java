package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Retry;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A new tree of files, made from names and bytes that nobody vouches for: an archive's, a repository's.
 *
 * <p>Invariant: no link is in the tree before {@link #finish}, so nothing is ever written through one; and each that is
 * made then leads to a place inside. No name leads out, no entry but files, directories and links is made, no bit
 * beside the nine of rwx is kept, and there is an end to entries and bytes. One thread.
 */
final class FreshTree {
    private static final int LONGEST_TARGET = 4096;
    private static final int MOST_HOPS = 40;
    private static final int DIRECTORY_MODE = 0755;

    /** Less than what the agent removes again. */
    private static final int MOST_DEPTH = 200;

    private final Path root;
    private final Bounds bounds;
    private final Map<Path, String> links = new LinkedHashMap<>();
    private final Map<Path, Integer> directoryModes = new TreeMap<>();

    /** @param root absent; its parent is seen by nobody else */
    FreshTree(Path root, Bounds bounds) throws IOException {
        this.root = root;
        this.bounds = bounds;
        Files.createDirectory(root);
        directoryModes.put(root, DIRECTORY_MODE);
    }

    void directory(String name, int mode) throws IOException, ArtifactTrouble {
        Path path = path(name);
        if (path.equals(root)) {
            return;
        }
        makeDirectories(parent(path));
        free(path, name, true);
        makeDirectories(path);
        directoryModes.put(path, mode | 0700);
    }

    /** A second file of the same name takes the first one's place, as in an archive appended to. */
    void file(String name, int mode, @Nullable FileTime modified, InputStream content)
            throws IOException, ArtifactTrouble {
        Path path = fileAt(name);
        try (OutputStream file = Files.newOutputStream(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            byte[] piece = new byte[1 << 16];
            for (int got = content.read(piece); got >= 0; got = content.read(piece)) {
                bounds.unpack(got);
                file.write(piece, 0, got);
            }
        }
        Files.setPosixFilePermissions(path, permissions(mode | 0600));
        if (modified != null) {
            Files.setLastModifiedTime(path, modified);
        }
    }

    /** A link; made at the end, if it leads to a place inside. */
    void link(String name, String target) throws IOException, ArtifactTrouble {
        Path path = path(name);
        bounds.entry();
        makeDirectories(parent(path));
        free(path, name, false);
        if (target.isEmpty() || target.length() > LONGEST_TARGET || target.indexOf('\0') >= 0) {
            throw refused("its link " + name + " has no readable target");
        }
        links.put(path, target);
    }

    /** Another name of a file that is there already. */
    void hardLink(String name, String existing) throws IOException, ArtifactTrouble {
        Path first = path(existing);
        if (!Files.isRegularFile(first, LinkOption.NOFOLLOW_LINKS)) {
            throw refused("its entry " + name + " is a hard link to " + existing + ", which is no file");
        }
        if (!first.equals(path(name))) {
            Files.createLink(fileAt(name), first);
        }
    }

    /** What is neither a file, nor a directory, nor a link. */
    static ArtifactTrouble special(String name, String what) {
        return refused("its entry " + name + " is " + what + "; only files, directories and links are unpacked");
    }

    /**
     * Makes the links, and sets the modes of directories.
     *
     * @param below a directory of the tree that links may not lead out of
     * @throws ArtifactTrouble if one does
     */
    void finish(String below) throws IOException, ArtifactTrouble {
        Path inside = below.isEmpty() ? root : root.resolve(below);
        for (Map.Entry<Path, String> link : links.entrySet()) {
            Files.createSymbolicLink(link.getKey(), Path.of(link.getValue()));
        }
        for (Map.Entry<Path, String> link : links.entrySet()) {
            if (link.getKey().startsWith(inside)) {
                Path target = Path.of(link.getValue());
                boolean stays = !target.isAbsolute() && staysInside(inside, parent(link.getKey()), target);
                if (!stays) {
                    throw refused("its link "
                            + root.relativize(link.getKey())
                            + " leads to "
                            + link.getValue()
                            + ", which is outside of it");
                }
            }
        }
        for (Map.Entry<Path, Integer> directory : directoryModes.entrySet()) {
            Files.setPosixFilePermissions(directory.getKey(), permissions(directory.getValue()));
        }
    }

    /** Resolves a target step by step, as the kernel would, and says whether it leaves. */
    private static boolean staysInside(Path inside, Path from, Path target) throws IOException {
        Deque<Path> left = new ArrayDeque<>();
        target.forEach(left::addLast);
        Path at = from;
        int hops = 0;
        while (!left.isEmpty()) {
            Path name = left.removeFirst();
            if (name.toString().equals("..")) {
                if (at.equals(inside)) {
                    return false;
                }
                at = parent(at);
            } else if (!name.toString().isEmpty() && !name.toString().equals(".")) {
                Path next = at.resolve(name);
                if (Files.isSymbolicLink(next)) {
                    Path further = Files.readSymbolicLink(next);
                    if (further.isAbsolute() || ++hops > MOST_HOPS) {
                        return false;
                    }
                    for (int i = further.getNameCount() - 1; i >= 0; i--) {
                        left.addFirst(further.getName(i));
                    }
                } else {
                    at = next;
                }
            }
        }
        return true;
    }

    private Path fileAt(String name) throws IOException, ArtifactTrouble {
        Path path = path(name);
        if (path.equals(root)) {
            throw refused("an entry of it is a file without a name");
        }
        bounds.entry();
        makeDirectories(parent(path));
        free(path, name, false);
        return path;
    }

    /** Takes away an earlier file or link of the name. */
    private void free(Path path, String name, boolean mayBeDirectory) throws IOException, ArtifactTrouble {
        links.remove(path);
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            if (!mayBeDirectory) {
                throw refused("its entry " + name + " is a directory as well");
            }
        } else {
            Files.deleteIfExists(path);
        }
    }

    private void makeDirectories(Path directory) throws IOException, ArtifactTrouble {
        for (Path each = directory; !each.equals(root); each = parent(each)) {
            if (links.containsKey(each) || Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS)) {
                throw refused("its entry "
                        + root.relativize(each)
                        + " is a "
                        + (links.containsKey(each) ? "link" : "file")
                        + " and has entries below it");
            }
        }
        Path made = root;
        for (Path name : root.relativize(directory)) {
            made = made.resolve(name);
            if (!made.equals(root) && !Files.isDirectory(made, LinkOption.NOFOLLOW_LINKS)) {
                bounds.entry();
                Files.createDirectory(made);
                directoryModes.put(made, DIRECTORY_MODE);
            }
        }
    }

    private Path path(String name) throws ArtifactTrouble {
        Path path = root;
        for (String part : name.split("/", -1)) {
            if (part.equals("..") || part.indexOf('\0') >= 0) {
                throw refused("its entry " + name.replace('\0', '?') + " leads out of it");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                path = path.resolve(part);
            }
        }
        if (path.getNameCount() - root.getNameCount() > MOST_DEPTH) {
            throw refused("an entry of it lies deeper than " + MOST_DEPTH + " directories");
        }
        return path;
    }

    /** @param more at least so many entries are to come */
    void requireRoom(long more) throws ArtifactTrouble {
        bounds.requireEntries(more);
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.getParent());
    }

    static Set<PosixFilePermission> permissions(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        PosixFilePermission[] all = PosixFilePermission.values();
        for (int i = 0; i < all.length; i++) {
            if ((mode & (0400 >> i)) != 0) {
                permissions.add(all[i]);
            }
        }
        return permissions;
    }

    static ArtifactTrouble refused(String why) {
        return new ArtifactTrouble(why, Retry.NEVER);
    }
}
