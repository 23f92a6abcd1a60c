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
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The volumes of the pool, or its snapshots: {@code <directory>/<id>} holds the file that describes one and, beside it,
 * its content and its {@link NameMark}.
 *
 * <p>One appears and goes by one rename of its directory: it is made as {@code .new-<id>} and deleted as
 * {@code trash/<id>}. What may change is not kept in memory, so several processes may serve one pool; whoever changes
 * one holds its id. Names and places in lists never change: they are, so that a creation does not read every file.
 */
final class PoolDirectory<T extends Kept> {
    private static final String NEW = ".new-";
    private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");

    private final Path path;
    private final Path trash;
    private final Form<T> form;
    private final Labels<T> labels = new Labels<>();

    PoolDirectory(Path path, Path trash, Form<T> form) {
        this.path = path;
        this.trash = trash;
        this.form = form;
    }

    /** How one is described in its file. */
    interface Form<T> {
        /** The file's name, and what it describes. */
        String name();

        byte[] write(T kept);

        T read(byte[] bytes, String where) throws RecordDamaged;
    }

    /**
     * One of the directory: whole, or with what is wrong with its file.
     *
     * @param kept empty when its file cannot be used
     */
    record Entry<T extends Kept>(String id, Optional<T> kept, Optional<RecordDamaged> damage) implements Listed {
        /** What has no readable order comes first, so that it has a place on some page. */
        @Override
        public long order() {
            return kept.map(Kept::order).orElse(0L);
        }
    }

    /** Makes the content of one that is being created. */
    @FunctionalInterface
    interface Making {
        void make(Path content) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException;
    }

    /** The directory of one: its file and its content. */
    Path directory(T kept) {
        return path.resolve(kept.id());
    }

    /** What is mounted or copied: the directory of the data, or the image. */
    Path content(T kept) {
        return content(directory(kept), kept.type());
    }

    private static Path content(Path directory, VolumeType type) {
        return directory.resolve(type.isImage() ? "image" : "data");
    }

    /** All whose files can be read, by {@link Listed#ORDER}. */
    List<T> list() throws DiskTrouble {
        return entries().stream().flatMap(entry -> entry.kept().stream()).toList();
    }

    /** All, by {@link Listed#ORDER}: one damaged file says nothing about the others. */
    List<Entry<T>> entries() throws DiskTrouble {
        List<Entry<T>> all = new ArrayList<>();
        for (String id : names(path)) {
            if (ID.matcher(id).matches()) {
                entry(id).ifPresent(all::add);
            }
        }
        all.sort(Listed.ORDER);
        return all;
    }

    /** What is wrong with the files of this directory. */
    List<RecordDamaged> damages() throws DiskTrouble {
        return entries().stream().flatMap(entry -> entry.damage().stream()).toList();
    }

    private Optional<Entry<T>> entry(String id) throws DiskTrouble {
        try {
            return find(id).map(kept -> new Entry<>(id, Optional.of(kept), Optional.empty()));
        } catch (RecordDamaged damaged) {
            return Optional.of(new Entry<>(id, Optional.empty(), Optional.of(damaged)));
        } catch (DiskTrouble failed) {
            RecordDamaged damaged = damaged(id, failed.reason());
            return Optional.of(new Entry<>(id, Optional.empty(), Optional.of(damaged)));
        }
    }

    /**
     * One of them.
     *
     * @throws RecordDamaged when it is there and its file cannot be used, or is gone
     */
    Optional<T> find(String id) throws DiskTrouble {
        if (!ID.matcher(id).matches()) {
            return Optional.empty();
        }
        Path directory = path.resolve(id);
        // It comes and goes as one directory, so what lacks its file at a second look has lost it.
        for (int look = 0; look < 2; look++) {
            Optional<T> found = read(id, directory.resolve(form.name()));
            if (found.isPresent() || !Records.isThere(directory)) {
                return found;
            }
        }
        throw damaged(id, directory.resolve(form.name()) + " is gone, and " + directory + " is there");
    }

    private Optional<T> read(String id, Path file) throws RecordDamaged {
        try {
            Optional<byte[]> bytes = Records.read(file);
            if (bytes.isEmpty()) {
                return Optional.empty();
            }
            T kept = form.read(bytes.get(), file.toString());
            if (!kept.id().equals(id)) {
                // Believed, it would let a call about this one hit the other.
                throw Facts.unreadable(file + " is the file of another, " + kept.id());
            }
            return Optional.of(kept);
        } catch (RecordDamaged damaged) {
            throw damaged(id, damaged.reason());
        }
    }

    private RecordDamaged damaged(String id, String how) {
        return new RecordDamaged(form.name()
                + " "
                + id
                + " is not served: "
                + how
                + ". That file says its name, type, size and uses; what lies beside it was not touched, and no other "
                + form.name()
                + " is concerned. Put a copy of the file back; or give this "
                + form.name()
                + " up by moving "
                + path.resolve(id)
                + " out of the pool, once nothing of it is mounted");
    }

    /** @throws CallRefused with NOT_FOUND */
    T require(String id) throws CallRefused, DiskTrouble {
        return find(id).orElseThrow(() ->
                CallRefused.notFound("there is no " + form.name() + " '" + id + "' in the pool " + path.getParent()));
    }

    /**
     * The one of that name.
     *
     * @throws CallRefused when one whose file cannot be used may have that name: a second must not be made, though the
     *     first cannot be told
     */
    Optional<T> named(String name) throws CallRefused, DiskTrouble {
        Labels.Look<T> look = look();
        List<Entry<T>> unread = new ArrayList<>(look.unread());
        for (String id : look.named(name)) {
            Optional<Entry<T>> now = entry(id);
            if (now.isPresent() && now.get().kept().isPresent()) {
                return now.get().kept();
            }
            now.ifPresent(unread::add);
        }
        for (Entry<T> entry : unread) {
            if (entry.damage().isPresent() && NameMark.mayBe(path.resolve(entry.id()), name)) {
                throw CallRefused.tooSoon("whether a "
                        + form.name()
                        + " '"
                        + name
                        + "' exists is not known, so none is made: "
                        + entry.damage().get().reason());
            }
        }
        return Optional.empty();
    }

    /** The place of the last one in lists; 0 without any. */
    long lastOrder() throws DiskTrouble {
        return look().lastOrder();
    }

    private Labels.Look<T> look() throws DiskTrouble {
        List<String> ids =
                names(path).stream().filter(id -> ID.matcher(id).matches()).toList();
        return labels.look(ids, this::entry);
    }

    /** Makes one; durable when it returns. The caller holds its id. */
    void create(T kept, Making making) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        Path made = path.resolve(NEW + kept.id());
        boolean whole = false;
        try {
            DurableFiles.makeDirectory(made);
            making.make(content(made, kept.type()));
            // Made durable with the file, which is written into the same directory after it.
            NameMark.put(made, kept.name());
            DurableFiles.write(made.resolve(form.name()), bytes(kept));
            move(made, directory(kept));
            whole = true;
        } finally {
            if (!whole) {
                clearQuietly(made);
            }
        }
        DurableFiles.sync(path);
    }

    /** Writes what has changed of one; the caller holds it. */
    void save(T kept) throws DiskTrouble {
        DurableFiles.write(directory(kept).resolve(form.name()), bytes(kept));
    }

    /** Nothing is written that would not be read. */
    private byte[] bytes(T kept) throws DiskTrouble {
        byte[] bytes = form.write(kept);
        if (bytes.length > Records.MOST_BYTES) {
            throw new DiskTrouble(
                    "the file of "
                            + form.name()
                            + " "
                            + kept.id()
                            + " would have "
                            + bytes.length
                            + " bytes, and at most "
                            + Records.MOST_BYTES
                            + " are read; end some of its uses",
                    Effect.NONE,
                    Retry.NEVER);
        }
        return bytes;
    }

    /** The length of the image of one whose file cannot be used; 0 when it has none. */
    long imageBytes(Entry<T> entry) {
        try {
            return Files.size(content(path.resolve(entry.id()), VolumeType.BLOCK));
        } catch (IOException none) {
            return 0;
        }
    }

    /**
     * Deletes one on which nothing is mounted; the caller holds it and has looked. It is gone, durably, when its
     * directory is in the trash; what cannot be cleared now is cleared at the next start.
     */
    void delete(T kept) throws DiskTrouble {
        Path gone = trash.resolve(kept.id());
        move(directory(kept), gone);
        DurableFiles.sync(path);
        clearQuietly(gone);
    }

    /** Marks the names of those that an earlier program made, as far as that can be done now. */
    void markNames(KeyLocks locks) throws DiskTrouble {
        for (T kept : list()) {
            try {
                if (!NameMark.isIn(directory(kept), kept.name())) {
                    markName(kept, locks);
                }
            } catch (DiskTrouble stays) {
                System.getLogger(PoolDirectory.class.getName())
                        .log(
                                System.Logger.Level.WARNING,
                                "the name of {0} is not marked ({1}); the next start tries again",
                                kept.id(),
                                stays.reason());
            }
        }
    }

    private void markName(T kept, KeyLocks locks) throws DiskTrouble {
        Optional<KeyLocks.Held> held = locks.tryHold(kept.id());
        if (held.isPresent()) {
            try (KeyLocks.Held _ = held.get()) {
                if (find(kept.id()).isPresent()) {
                    NameMark.put(directory(kept), kept.name());
                }
            }
        }
    }

    /** Clears what a killed process left half-made, unless a living one is at work on it. */
    void clearLeftovers(KeyLocks locks) throws DiskTrouble {
        for (String name : names(path)) {
            if (name.startsWith(NEW)) {
                clearUnlessHeld(path.resolve(name), name.substring(NEW.length()), locks);
            }
        }
    }

    /** Clears the rest of what was deleted. */
    static void clearTrash(Path trash, KeyLocks locks) throws DiskTrouble {
        for (String name : names(trash)) {
            clearUnlessHeld(trash.resolve(name), name, locks);
        }
    }

    private static void clearUnlessHeld(Path leftover, String id, KeyLocks locks) throws DiskTrouble {
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
            System.getLogger(PoolDirectory.class.getName())
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
