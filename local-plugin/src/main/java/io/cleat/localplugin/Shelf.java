package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The volumes of the pool, or its snapshots: {@code <shelf>/<id>} holds the file that describes one
 * and, beside it, its content.
 *
 * <p>One appears and goes by one rename of its directory: it is made as {@code .new-<id>} and
 * deleted as {@code trash/<id>}. Nothing is kept in memory, so several processes may serve one
 * pool; whoever changes one holds its id.
 */
final class Shelf<T extends Kept> {
    private static final String NEW = ".new-";
    private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");

    private final Path shelf;
    private final Path trash;
    private final Form<T> form;

    Shelf(Path shelf, Path trash, Form<T> form) {
        this.shelf = shelf;
        this.trash = trash;
        this.form = form;
    }

    /** How one is described in its file. */
    interface Form<T> {
        /** The file's name, and what it describes. */
        String name();

        byte[] write(T kept);

        T read(byte[] bytes, String where) throws DiskTrouble;
    }

    /** Makes the content of one that is being created. */
    @FunctionalInterface
    interface Making {
        void make(Path content)
                throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException;
    }

    /** The directory of one: its file and its content. */
    Path directory(T kept) {
        return shelf.resolve(kept.id());
    }

    /** What is mounted or copied: the directory of the data, or the image. */
    Path content(T kept) {
        return content(directory(kept), kept.type());
    }

    private static Path content(Path directory, VolumeType type) {
        return directory.resolve(type.isImage() ? "image" : "data");
    }

    /** All, by {@link Kept#ORDER}. */
    List<T> list() throws DiskTrouble {
        List<T> all = new ArrayList<>();
        for (String id : names(shelf)) {
            if (ID.matcher(id).matches()) {
                find(id).ifPresent(all::add);
            }
        }
        all.sort(Kept.ORDER);
        return all;
    }

    Optional<T> find(String id) throws DiskTrouble {
        if (!ID.matcher(id).matches()) {
            return Optional.empty();
        }
        Path file = shelf.resolve(id).resolve(form.name());
        try {
            return Optional.of(form.read(Files.readAllBytes(file), file.toString()));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failed) {
            throw trouble("reading " + file, failed);
        }
    }

    /**
     * @throws CallRefused with NOT_FOUND
     */
    T require(String id) throws CallRefused, DiskTrouble {
        return find(id).orElseThrow(
                        () ->
                                CallRefused.notFound(
                                        "there is no "
                                                + form.name()
                                                + " '"
                                                + id
                                                + "' in the pool "
                                                + shelf.getParent()));
    }

    Optional<T> named(String name) throws DiskTrouble {
        return list().stream().filter(kept -> kept.name().equals(name)).findFirst();
    }

    /** Makes one; durable when it returns. The caller holds its id. */
    void create(T kept, Making making)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        Path made = shelf.resolve(NEW + kept.id());
        boolean whole = false;
        try {
            DurableFiles.makeDirectory(made);
            making.make(content(made, kept.type()));
            DurableFiles.write(made.resolve(form.name()), form.write(kept));
            move(made, directory(kept));
            whole = true;
        } finally {
            if (!whole) {
                clearQuietly(made);
            }
        }
        DurableFiles.sync(shelf);
    }

    /** Writes what has changed of one; the caller holds it. */
    void save(T kept) throws DiskTrouble {
        DurableFiles.write(directory(kept).resolve(form.name()), form.write(kept));
    }

    /**
     * Deletes one on which nothing is mounted; the caller holds it and has looked. It is gone,
     * durably, when its directory is in the trash; what cannot be cleared now is cleared at the
     * next start.
     */
    void delete(T kept) throws DiskTrouble {
        Path gone = trash.resolve(kept.id());
        move(directory(kept), gone);
        DurableFiles.sync(shelf);
        clearQuietly(gone);
    }

    /** Clears what a killed process left half-made, unless a living one is at work on it. */
    void clearLeftovers(KeyLocks locks) throws DiskTrouble {
        for (String name : names(shelf)) {
            if (name.startsWith(NEW)) {
                clearUnlessHeld(shelf.resolve(name), name.substring(NEW.length()), locks);
            }
        }
    }

    /** Clears the rest of what was deleted. */
    static void clearTrash(Path trash, KeyLocks locks) throws DiskTrouble {
        for (String name : names(trash)) {
            clearUnlessHeld(trash.resolve(name), name, locks);
        }
    }

    private static void clearUnlessHeld(Path leftover, String id, KeyLocks locks)
            throws DiskTrouble {
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
            System.getLogger(Shelf.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "{0} is not cleared ({1}); the next start tries again",
                            leftover,
                            stays.reason());
        }
    }

    static List<String> names(Path directory) throws DiskTrouble {
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
