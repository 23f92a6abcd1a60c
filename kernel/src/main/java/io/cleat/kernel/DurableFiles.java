package io.cleat.kernel;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Small files of ours that are there whole or not at all, whatever ends the process or the machine.
 *
 * <p>One writer per file at a time: the temporary name is {@code <name>.tmp}, so that a crash leaves at most one, which
 * the next write takes over.
 */
public final class DurableFiles {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private DurableFiles() {}

    /**
     * Replaces {@code file} by {@code content}, readable by its owner only; durable when it returns.
     *
     * @throws DiskTrouble with no effect when the old content is still there, with unknown effect when a power cut may
     *     still bring it back
     */
    public static void write(Path file, byte[] content) throws DiskTrouble {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            Files.deleteIfExists(temporary);
            fill(temporary, content);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            dropQuietly(temporary, failed);
            throw trouble("writing " + file, Effect.NONE, failed);
        }
        syncParent(file);
    }

    /** Removes a file durably; returns false when it was absent. */
    public static boolean delete(Path file) throws DiskTrouble {
        boolean deleted;
        try {
            deleted = Files.deleteIfExists(file);
        } catch (IOException failed) {
            throw trouble("deleting " + file, Effect.NONE, failed);
        }
        syncParent(file);
        return deleted;
    }

    /** Makes a directory for its owner only, and what lies above it, durably; it may exist. */
    public static void makeDirectory(Path directory) throws DiskTrouble {
        if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            makeDirectory(parent);
        }
        try {
            Files.createDirectory(directory, OWNER_ONLY_DIRECTORY);
        } catch (IOException failed) {
            if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                throw trouble("making the directory " + directory, Effect.NONE, failed);
            }
        }
        syncParent(directory);
    }

    /** Makes the entries of {@code directory} durable: what was made, renamed or deleted in it. */
    public static void sync(Path directory) throws DiskTrouble {
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        } catch (IOException failed) {
            throw trouble("making the entries of " + directory + " durable", Effect.UNKNOWN, failed);
        }
    }

    /** Makes all durable that the file system of {@code directory} holds, whoever wrote it. */
    public static void syncFileSystem(Path directory) throws DiskTrouble {
        int descriptor = Libc.open(directory.toString(), Libc.O_RDONLY);
        int result = descriptor < 0 ? descriptor : Libc.blocking(() -> Libc.syncfs(descriptor));
        if (descriptor >= 0) {
            Libc.close(descriptor);
        }
        if (result < 0) {
            throw trouble(
                    "making what is in " + directory + " durable",
                    Effect.UNKNOWN,
                    new IOException(Errno.text(-result)));
        }
    }

    private static void fill(Path temporary, byte[] content) throws IOException {
        Set<StandardOpenOption> create = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(temporary, create, OWNER_ONLY)) {
            ByteBuffer left = ByteBuffer.wrap(content);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
    }

    private static void syncParent(Path file) throws DiskTrouble {
        Path parent = file.toAbsolutePath().getParent();
        if (parent != null) {
            sync(parent);
        }
    }

    private static void dropQuietly(Path temporary, IOException cause) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException also) {
            cause.addSuppressed(also);
        }
    }

    private static DiskTrouble trouble(String what, Effect effect, IOException cause) {
        return new DiskTrouble(what + " failed: " + cause, effect, Retry.SAME_CALL, cause);
    }
}
