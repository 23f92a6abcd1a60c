package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.Mount;
import io.cleat.kernel.MountTable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * The only recursive removal of the plugin, for what lies in the pool under a name of ours.
 *
 * <p>It begins only when two equal readings of the mount table show no mount at or below the tree. It goes down by
 * directory handles (openat, unlinkat), so no link is followed though one be put in the place of a directory meanwhile,
 * and it does not enter a directory of another file system.
 */
final class TreeClearing {
    private TreeClearing() {}

    /** Removes {@code tree} and all below it; nothing happens when it is absent. */
    static void clear(Path tree) throws DiskTrouble, KernelTrouble {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Mount> mounts = MountTable.readTwice().atOrBelow(tree);
        if (!mounts.isEmpty()) {
            throw new DiskTrouble(
                    "a mount lies in " + tree + ": " + mounts.getFirst().target(), Effect.NONE, Retry.AFTER_OBSERVING);
        }
        Path parent = tree.toAbsolutePath().getParent();
        Path name = tree.getFileName();
        if (parent == null || name == null) {
            throw new DiskTrouble(tree + " is no tree of ours", Effect.NONE, Retry.NEVER);
        }
        try (DirectoryStream<Path> opened = Files.newDirectoryStream(parent)) {
            if (!(opened instanceof SecureDirectoryStream<Path> directory)) {
                throw new IOException("this system has no directory handles");
            }
            remove(directory, name, device(directory, name));
        } catch (IOException | DirectoryIteratorException failed) {
            throw new DiskTrouble("clearing " + tree + " failed: " + failed, Effect.UNKNOWN, Retry.SAME_CALL, failed);
        }
    }

    private static void remove(SecureDirectoryStream<Path> parent, Path name, String device) throws IOException {
        if (!attributes(parent, name).isDirectory()) {
            parent.deleteFile(name);
            return;
        }
        if (!device(parent, name).equals(device)) {
            throw new IOException(name + " is of another file system");
        }
        try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            for (Path entry : directory) {
                Path child = entry.getFileName();
                if (child != null) {
                    removeIfThere(directory, child, device);
                }
            }
        }
        parent.deleteDirectory(name);
    }

    private static void removeIfThere(SecureDirectoryStream<Path> directory, Path child, String device)
            throws IOException {
        try {
            remove(directory, child, device);
        } catch (NoSuchFileException gone) {
            // Another clearing of the same tree was faster.
            return;
        }
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> in, Path name) throws IOException {
        return in.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    /** The device number, which Java shows only as the first part of the file key. */
    private static String device(SecureDirectoryStream<Path> in, Path name) throws IOException {
        String key = String.valueOf(attributes(in, name).fileKey());
        int end = key.indexOf(",ino=");
        if (!key.startsWith("(dev=") || end < 0) {
            throw new IOException("the device of " + name + " is not known: " + key);
        }
        return key.substring(5, end);
    }
}
