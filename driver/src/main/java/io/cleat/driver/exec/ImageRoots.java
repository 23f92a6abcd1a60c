package io.cleat.driver.exec;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.driver.TaskConfig;
import io.cleat.kernel.FileLook;
import io.cleat.kernel.FileReads;
import io.cleat.kernel.Mounts;
import io.cleat.kernel.Overlays;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.PathWorkers;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import io.cleat.kernel.SafeRemove;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The roots of containers that are made of images: the layers, shared and read-only, and on top of them a directory of
 * the task's own, which takes what it writes. That lies in the task's directory, so that its disk limit counts it.
 *
 * <p>What a container has of this is said by links in its own directory, {@code layers}, which are there before
 * anything else is: whoever removes it finds all, whenever the agent died.
 */
final class ImageRoots {
    static final String ROOT = "rootfs";
    private static final String LINKS = "layers";
    private static final String UPPER = "upper";
    private static final String WORK = "work";
    private static final FileAttribute<Set<PosixFilePermission>> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final Duration WITHIN = Duration.ofSeconds(30);

    private final Path directory;
    private final Mounts mounts;
    private final PathWorkers workers;
    private final SafeRemove clearing;
    private final Time time;

    /** @param directory of the containers */
    ImageRoots(Path directory, Mounts mounts, PathWorkers workers, SafeRemove clearing, Time time) {
        this.directory = directory;
        this.mounts = mounts;
        this.workers = workers;
        this.clearing = clearing;
        this.time = time;
    }

    /** Mounts the root of a new container. */
    ImageRoot mount(String name, TaskConfig config, TaskImages.Held image) throws KernelTrouble, InterruptedException {
        Path own = directory.resolve(name);
        // One for each start, as engines have it.
        Place top = new Place(config.taskDir(), "image-" + name.substring(name.lastIndexOf('.') + 1));
        List<Path> layers = image.layers();
        try {
            Files.createDirectories(own, OURS);
            Path links = Files.createDirectory(own.resolve(LINKS), OURS);
            Files.createSymbolicLink(links.resolve(UPPER), top.child(UPPER).path());
            Files.createSymbolicLink(links.resolve(WORK), top.child(WORK).path());
            for (int i = 0; i < layers.size(); i++) {
                Files.createSymbolicLink(links.resolve(Integer.toString(i)), layers.get(i));
            }
            Files.createDirectory(own.resolve(ROOT), OURS);
        } catch (IOException failed) {
            throw new KernelTrouble(
                    "the container's directory " + own + " could not be written: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
        makeTop(top);
        Overlays.mount(own.resolve(LINKS), layers.size(), own.resolve(ROOT));
        Path root = own.resolve(ROOT);
        return new ImageRoot(image.program(), text(root, "etc/passwd"), text(root, "etc/group"));
    }

    private void makeTop(Place top) throws KernelTrouble, InterruptedException {
        Paths paths = workers.of(ExecDriver.NAME);
        Deadline deadline = Deadline.in(time, WITHIN);
        if (!paths.makeDirectory(top, 0700, deadline)) {
            throw new KernelTrouble(
                    top + " is there already, and is to take what the task writes", Effect.NONE, Retry.NEVER);
        }
        paths.makeDirectory(top.child(UPPER), 0755, deadline);
        paths.makeDirectory(top.child(WORK), 0700, deadline);
    }

    /** A small file of the image; empty if it has none, or a link in its place. */
    private Optional<String> text(Path root, String name) throws KernelTrouble, InterruptedException {
        FileReads reads = workers.reads(ExecDriver.NAME);
        Deadline deadline = Deadline.in(time, WITHIN);
        Place file = new Place(root, name);
        Place above = new Place(root, name.substring(0, name.indexOf('/')));
        boolean isThere = reads.look(above, deadline)
                        .filter(look -> look.type() == PathStat.Type.DIRECTORY)
                        .isPresent()
                && reads.look(file, deadline).filter(ImageRoots::isFile).isPresent();
        return isThere
                ? Optional.of(
                        new String(reads.read(file, 0, FileReads.MOST, deadline).bytes(), StandardCharsets.UTF_8))
                : Optional.empty();
    }

    private static boolean isFile(FileLook look) {
        return look.type() == PathStat.Type.FILE;
    }

    /** Takes away what {@link #mount} made of a container, but for its own directory. */
    void remove(String name, Deadline deadline) throws KernelTrouble, InterruptedException {
        Path own = directory.resolve(name);
        Path upper = own.resolve(LINKS).resolve(UPPER);
        if (!Files.isSymbolicLink(upper)) {
            return;
        }
        while (mounts.detach(own.resolve(ROOT))) {
            // Once, unless somebody mounted on top of it.
            deadline = deadline.atMost(WITHIN);
        }
        try {
            Path top = parent(Files.readSymbolicLink(upper));
            if (Files.isDirectory(parent(top), LinkOption.NOFOLLOW_LINKS)) {
                clearing.tree(Place.of(parent(top), top), deadline);
            }
        } catch (IOException unreadable) {
            throw new KernelTrouble(
                    "where the task has written is not known: " + unreadable, Effect.NONE, Retry.SAME_CALL, unreadable);
        }
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.getParent());
    }

    /** The directories of layers that containers have. */
    Set<Path> layersInUse() throws IOException {
        Set<Path> used = new HashSet<>();
        try (DirectoryStream<Path> containers = Files.newDirectoryStream(directory)) {
            for (Path container : containers) {
                addLayers(container.resolve(LINKS), used);
            }
        } catch (NoSuchFileException none) {
            return used;
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
        return used;
    }

    private static void addLayers(Path links, Set<Path> used) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(links)) {
            for (Path link : all) {
                used.add(Files.readSymbolicLink(link));
            }
        } catch (NoSuchFileException goneOrNone) {
            // Of a container that is being removed, or has no image.
            return;
        } catch (DirectoryIteratorException failed) {
            throw failed.getCause();
        }
    }
}
