package io.cleat.launch;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Trouble;
import io.cleat.kernel.DurableFiles;
import io.cleat.kernel.PidFile;
import io.cleat.log.Room;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent keeps all it has; one agent at a time.
 *
 * <pre>
 * agent.lock     held while an agent runs
 * agent.pid      which process that is
 * starts         where the last starts ended by a fault; not there once one has lasted
 * http.sock      its HTTP API, for its owner only
 * http.token     what its HTTP API wants of others, while an agent runs (dev)
 * server/        the replicated log with its snapshots; the key of the secrets, which is in neither;
 *                nodes.sock, where nodes of other processes come in
 * client/        the node: identity, allocations, journal, plugins and volumes, shims, artifacts
 *                on their way;
 *                drained, there while the node is empty because its agent ended
 * alloc/         the allocations' directories
 * pool/          volumes of the bundled plugin (dev)
 * </pre>
 */
final class DataDirectory implements AutoCloseable {
    /** Bytes, for the few small files that are written before the log is opened. */
    private static final long ROOM_TO_START = 64 << 10;

    private final Path root;
    private final FileChannel channel;

    private DataDirectory(Path root, FileChannel channel) {
        this.root = root;
        this.channel = channel;
    }

    /**
     * Takes the directory, making it if need be.
     *
     * @throws DiskTrouble if another agent has it, or its file system has no room to start with
     */
    static DataDirectory take(Path directory) throws Trouble {
        return take(directory, Room.ofBytes());
    }

    static DataDirectory take(Path directory, Room room) throws Trouble {
        DurableFiles.makeDirectory(directory);
        try {
            Path root = directory.toRealPath();
            requireRoom(root, room.left(root).bytes());
            if (isEmpty(root)) {
                letPass(root);
            }
            // Whoever may read it may lock it, and keep the next agent from starting.
            Path lockFile = root.resolve("agent.lock");
            keepToOwner(lockFile);
            FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            @Nullable FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw new DiskTrouble(
                        "the data directory "
                                + root
                                + " is in use by another agent: end that one, or name another directory with -data-dir",
                        Effect.NONE,
                        Retry.SAME_CALL);
            }
            PidFile.writeOwn(root.resolve("agent.pid"));
            return new DataDirectory(root, channel);
        } catch (IOException e) {
            throw new DiskTrouble("taking the data directory " + directory + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
    }

    /** With less nothing is begun. With more, the log waits for the room that it wants. */
    private static void requireRoom(Path root, long left) throws DiskTrouble {
        if (left < ROOM_TO_START) {
            throw new DiskTrouble(
                    "the file system of the data directory "
                            + root
                            + " has "
                            + left
                            + " bytes left, and an agent does not start with less than "
                            + ROOM_TO_START
                            + ": make room there, and start it again; what runs goes on meanwhile",
                    Effect.NONE,
                    Retry.SAME_CALL);
        }
    }

    /**
     * Makes a file that only its owner opens, or has one that is there be such a file.
     *
     * @param file in a directory in which nobody else can put anything
     */
    static void keepToOwner(Path file) throws IOException {
        Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rw-------");
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            Files.setPosixFilePermissions(file, mode);
        } else {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(mode));
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            return !entries.iterator().hasNext();
        }
    }

    /** Lets others pass who know a name in it, as tasks with users of their own do. */
    private static void letPass(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException held) {
            return null;
        }
    }

    Path root() {
        return root;
    }

    Path file(String name) {
        return root.resolve(name);
    }

    /** A directory in it, for its owner only. */
    Path directory(String name) throws DiskTrouble {
        Path directory = root.resolve(name);
        DurableFiles.makeDirectory(directory);
        return directory;
    }

    /** A directory in it that others may pass, though not look into. */
    Path passage(String name) throws DiskTrouble {
        Path directory = directory(name);
        try {
            letPass(directory);
        } catch (IOException e) {
            throw new DiskTrouble("setting the mode of " + directory + ": " + e, Effect.NONE, Retry.SAME_CALL, e);
        }
        return directory;
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(root.resolve("agent.pid"));
            channel.close();
        } catch (IOException e) {
            // The lock goes with the process.
            return;
        }
    }
}
