package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.List;

/** Files of the machine itself, as far as its operator lets artifacts be taken from them. */
final class LocalFiles {
    private final List<Path> readable;

    LocalFiles(List<Path> readable) {
        this.readable = readable;
    }

    /** The path without links in it, if it may be read. */
    Path require(String location) throws IOException, ArtifactTrouble {
        Path given = Path.of(location);
        if (readable.isEmpty()) {
            throw notReadable(location, "this agent lets artifacts be taken from no path");
        }
        Path real;
        try {
            real = given.toRealPath();
        } catch (NoSuchFileException absent) {
            throw FreshTree.refused("there is no " + location + " on this machine");
        }
        for (Path directory : readable) {
            if (Files.isDirectory(directory) && real.startsWith(directory.toRealPath())) {
                return real;
            }
        }
        throw notReadable(location, "this agent lets artifacts be taken from " + readable);
    }

    private static ArtifactTrouble notReadable(String location, String why) {
        return FreshTree.refused(location
                + " is a path of the machine, and "
                + why
                + "; have it started with -artifact-path=DIRECTORY, or give a URL");
    }

    static void copy(Path from, Path to, Bounds bounds) throws IOException, ArtifactTrouble {
        PosixFileAttributes what = Files.readAttributes(from, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!what.isRegularFile()) {
            throw FreshTree.refused(from + " is no regular file");
        }
        try (InputStream content = Files.newInputStream(from, LinkOption.NOFOLLOW_LINKS);
                OutputStream file = Files.newOutputStream(to, StandardOpenOption.CREATE_NEW)) {
            bounds.announced(what.size());
            bounds.copy(content, file);
        }
    }

    static void copyTree(Path root, FreshTree tree) throws IOException, ArtifactTrouble {
        copy(root, root, tree);
    }

    private static void copy(Path root, Path directory, FreshTree tree) throws IOException, ArtifactTrouble {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = root.relativize(entry).toString();
                PosixFileAttributes what =
                        Files.readAttributes(entry, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (what.isSymbolicLink()) {
                    tree.link(name, Files.readSymbolicLink(entry).toString());
                } else if (what.isDirectory()) {
                    tree.directory(name, mode(entry));
                    copy(root, entry, tree);
                } else if (what.isRegularFile()) {
                    try (InputStream content = Files.newInputStream(entry, LinkOption.NOFOLLOW_LINKS)) {
                        tree.file(name, mode(entry), what.lastModifiedTime(), content);
                    }
                } else {
                    throw FreshTree.special(name, "a device, a fifo or a socket");
                }
            }
        }
    }

    private static int mode(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    }
}
