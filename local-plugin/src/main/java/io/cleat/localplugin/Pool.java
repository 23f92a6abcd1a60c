package io.cleat.localplugin;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The pool on disk: {@code volumes/<id>} holds the volume's file and its content, {@code trash}
 * what is being deleted, {@code nodes} one file per node that has served the pool.
 *
 * <p>A volume appears and goes by one rename of its directory: it is made as {@code
 * volumes/.new-<id>} and deleted as {@code trash/<id>}. Nothing is kept in memory, so several
 * processes may serve one pool; whoever changes a volume holds its key in {@link #locks()}.
 */
final class Pool {
    /** The order of lists. */
    static final Comparator<Volume> ORDER =
            Comparator.comparingLong(Volume::order).thenComparing(Volume::id);

    private static final String TITLE = "cleat local pool ";
    private static final int VERSION = 1;
    private static final String NEW = ".new-";
    private static final String FILE = "volume";
    private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Set<PosixFilePermission> FOR_ALL_TO_READ =
            PosixFilePermissions.fromString("rwxr-xr-x");

    private final Path root;
    private final Time time;
    private final Ids ids;
    private final KeyLocks locks;

    private Pool(Path root, Time time, Ids ids, KeyLocks locks) {
        this.root = root;
        this.time = time;
        this.ids = ids;
        this.locks = locks;
    }

    /**
     * Opens the pool at {@code directory}, making it when it is absent, and announces {@code node}
     * in it, where it is one.
     *
     * @throws CallRefused when the directory is somebody else's, or others may write to it
     * @throws DiskTrouble also when a newer program made it
     */
    static Pool open(Path directory, Optional<String> node, Time time, Ids ids)
            throws CallRefused, DiskTrouble {
        DurableFiles.makeDirectory(directory);
        Path root = real(directory);
        PlainPaths.requireOurs(root);
        for (String part : List.of("volumes", "trash", "nodes")) {
            DurableFiles.makeDirectory(root.resolve(part));
        }
        checkFormat(root.resolve("pool"));
        if (node.isPresent()) {
            Path announced = root.resolve("nodes").resolve(nodeFile(node.get()));
            if (!Files.exists(announced)) {
                DurableFiles.write(announced, new byte[0]);
            }
        }
        return new Pool(root, time, ids, new KeyLocks(root.resolve("lock"), time));
    }

    private static Path real(Path directory) throws DiskTrouble {
        try {
            return directory.toRealPath();
        } catch (IOException failed) {
            throw trouble("finding the pool " + directory, failed);
        }
    }

    private static void checkFormat(Path file) throws DiskTrouble {
        if (!Files.exists(file)) {
            DurableFiles.write(file, (TITLE + VERSION + "\n").getBytes(StandardCharsets.UTF_8));
            return;
        }
        String text = new String(bytes(file), StandardCharsets.UTF_8).strip();
        if (!text.equals(TITLE + VERSION)) {
            throw new DiskTrouble(
                    file
                            + " says '"
                            + text
                            + "', and this program serves '"
                            + TITLE
                            + VERSION
                            + "'; start the program that made the pool, or name another pool",
                    Effect.NONE,
                    Retry.NEVER);
        }
    }

    Path root() {
        return root;
    }

    /** Whether the pool is where it was when it was opened; its disk may have been taken away. */
    boolean isThere() {
        return Files.isDirectory(volumes());
    }

    KeyLocks locks() {
        return locks;
    }

    /** Holds the volume {@code id} (or the name of one to be) for one call. */
    KeyLocks.Held hold(String key) throws CallRefused, DiskTrouble, InterruptedException {
        return locks.hold(key, Deadline.in(time, PATIENCE));
    }

    /** Whether a plugin of that node has ever served this pool. */
    boolean hasNode(String node) {
        return Files.exists(root.resolve("nodes").resolve(nodeFile(node)));
    }

    private static String nodeFile(String node) {
        // A slash or a leading dot would leave the directory, or hide the file.
        return "node-" + VolumeFile.encode(node).replace("/", "%2F");
    }

    /** The directory of the volume: its file and its content. */
    Path directory(Volume volume) {
        return volumes().resolve(volume.id());
    }

    /** What is mounted: the directory of the data, or the image. */
    Path content(Volume volume) {
        return content(directory(volume), volume.type());
    }

    static Path content(Path directory, VolumeType type) {
        return directory.resolve(
                switch (type) {
                    case DIRECTORY -> "data";
                    case EXT4 -> "image";
                });
    }

    /** All volumes, by {@link #ORDER}. */
    List<Volume> list() throws DiskTrouble {
        List<Volume> all = new ArrayList<>();
        for (String id : names(volumes())) {
            if (ID.matcher(id).matches()) {
                find(id).ifPresent(all::add);
            }
        }
        all.sort(ORDER);
        return all;
    }

    Optional<Volume> find(String id) throws DiskTrouble {
        if (!ID.matcher(id).matches()) {
            return Optional.empty();
        }
        Path file = volumes().resolve(id).resolve(FILE);
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failed) {
            throw trouble("reading " + file, failed);
        }
        return Optional.of(VolumeFile.read(bytes, file.toString()));
    }

    /**
     * @throws CallRefused with NOT_FOUND
     */
    Volume require(String id) throws CallRefused, DiskTrouble {
        return find(id).orElseThrow(
                        () ->
                                CallRefused.notFound(
                                        "there is no volume '" + id + "' in the pool " + root));
    }

    Optional<Volume> named(String name) throws DiskTrouble {
        return list().stream().filter(v -> v.name().equals(name)).findFirst();
    }

    /** Makes the content of a volume that is being created. */
    @FunctionalInterface
    interface Making {
        void make(Path content, String id) throws DiskTrouble, KernelTrouble, InterruptedException;
    }

    /**
     * Creates a volume; durable when it returns. The caller holds the name.
     *
     * @param image makes an image; directories are made here
     */
    Volume create(String name, VolumeType type, long bytes, Making image)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        long last = list().stream().mapToLong(Volume::order).max().orElse(0);
        long order = Math.max(last + 1, time.now().toEpochMilli());
        Volume volume = Volume.created(ids.next(), name, type, bytes, order);
        Path made = volumes().resolve(NEW + volume.id());
        try (KeyLocks.Held _ = hold(volume.id())) {
            boolean whole = false;
            try {
                DurableFiles.makeDirectory(made);
                Path content = content(made, type);
                switch (type) {
                    case DIRECTORY -> makeData(content);
                    case EXT4 -> image.make(content, volume.id());
                }
                DurableFiles.write(made.resolve(FILE), VolumeFile.write(volume));
                move(made, directory(volume));
                whole = true;
            } finally {
                if (!whole) {
                    clearQuietly(made);
                }
            }
        }
        DurableFiles.sync(volumes());
        return volume;
    }

    private static void makeData(Path data) throws DiskTrouble {
        DurableFiles.makeDirectory(data);
        try {
            Files.setPosixFilePermissions(data, FOR_ALL_TO_READ);
        } catch (IOException failed) {
            throw trouble("setting the mode of " + data, failed);
        }
    }

    /** Writes what has changed of a volume; the caller holds it. */
    void save(Volume volume) throws DiskTrouble {
        DurableFiles.write(directory(volume).resolve(FILE), VolumeFile.write(volume));
    }

    /**
     * Deletes a volume on which nothing is mounted; the caller holds it and has looked. The volume
     * is gone, durably, when its directory is in the trash; what cannot be cleared now is cleared
     * at the next start.
     */
    void delete(Volume volume) throws DiskTrouble {
        Path trash = root.resolve("trash").resolve(volume.id());
        move(directory(volume), trash);
        DurableFiles.sync(volumes());
        clearQuietly(trash);
    }

    /**
     * Clears what a killed process left: half-made volumes and half-cleared trash, only of our own
     * names, and none that a living process is at work on.
     */
    void clearLeftovers() throws DiskTrouble {
        for (String name : names(volumes())) {
            if (name.startsWith(NEW)) {
                clearUnlessHeld(volumes().resolve(name), name.substring(NEW.length()));
            }
        }
        for (String name : names(root.resolve("trash"))) {
            clearUnlessHeld(root.resolve("trash").resolve(name), name);
        }
    }

    private void clearUnlessHeld(Path leftover, String id) throws DiskTrouble {
        if (!ID.matcher(id).matches()) {
            return;
        }
        Optional<KeyLocks.Held> held = locks.tryHold(id);
        if (held.isPresent()) {
            try (KeyLocks.Held _ = held.get()) {
                clearQuietly(leftover);
            }
        }
    }

    private static void clearQuietly(Path leftover) {
        try {
            TreeClearing.clear(leftover);
        } catch (DiskTrouble | KernelTrouble stays) {
            System.getLogger(Pool.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "{0} is not cleared ({1}); the next start tries again",
                            leftover,
                            stays.reason());
        }
    }

    private Path volumes() {
        return root.resolve("volumes");
    }

    private static List<String> names(Path directory) throws DiskTrouble {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                names.add(String.valueOf(entry.getFileName()));
            }
        } catch (IOException | DirectoryIteratorException failed) {
            throw trouble("listing " + directory, failed);
        }
        return names;
    }

    private static byte[] bytes(Path file) throws DiskTrouble {
        try {
            return Files.readAllBytes(file);
        } catch (IOException failed) {
            throw trouble("reading " + file, failed);
        }
    }

    private static void move(Path from, Path to) throws DiskTrouble {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw trouble("renaming " + from + " to " + to, failed);
        }
    }

    private static DiskTrouble trouble(String what, Exception cause) {
        return new DiskTrouble(what + " failed: " + cause, Effect.UNKNOWN, Retry.SAME_CALL, cause);
    }
}
