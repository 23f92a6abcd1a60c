package io.cleat.localplugin;

import io.cleat.base.Deadline;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Ids;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The pool on disk: the file {@code pool} with its own id, {@code volumes} and {@code snapshots} (each a
 * {@link PoolDirectory}), {@code groups}, {@code trash}, and {@code nodes} with one file per node that has served the
 * pool.
 */
final class Pool {
    private static final String KIND = "pool";
    private static final int VERSION = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path root;
    private final String id;
    private final Time time;
    private final Ids ids;
    private final KeyLocks locks;
    private final PoolDirectory<Volume> volumes;
    private final PoolDirectory<Snapshot> snapshots;
    private final Groups groups;

    private Pool(Path root, String id, Time time, Ids ids, KeyLocks locks) {
        this.root = root;
        this.id = id;
        this.time = time;
        this.ids = ids;
        this.locks = locks;
        Path trash = root.resolve("trash");
        this.volumes = new PoolDirectory<>(root.resolve("volumes"), trash, new VolumeFile());
        this.snapshots = new PoolDirectory<>(root.resolve("snapshots"), trash, new SnapshotFile());
        this.groups = new Groups(root.resolve("groups"));
    }

    /**
     * Opens the pool at {@code directory}, making it when it is absent, and announces {@code node} in it, where it is
     * one.
     *
     * @throws CallRefused when the directory is somebody else's, or others may write to it
     * @throws RecordDamaged when the file {@code pool} cannot be used, or is gone from beside volumes, snapshots or
     *     groups: these belong to the pool of the id that it said
     */
    static Pool open(Path directory, Optional<String> node, Time time, Ids ids)
            throws CallRefused, DiskTrouble, InterruptedException {
        DurableFiles.makeDirectory(directory);
        Path root = real(directory);
        PlainPaths.requireOurs(root);
        for (String part : List.of("volumes", "snapshots", "groups", "trash", "nodes")) {
            DurableFiles.makeDirectory(root.resolve(part));
        }
        KeyLocks locks = new KeyLocks(root.resolve("lock"), time);
        String id;
        try (KeyLocks.Held _ = locks.hold("pool", Deadline.in(time, PATIENCE))) {
            Optional<String> found = id(root);
            id = found.isPresent() ? found.get() : ids.next();
            if (found.isEmpty()) {
                requireEmpty(root);
                DurableFiles.write(
                        root.resolve(KIND),
                        new Facts(KIND, VERSION).add("id", id).bytes());
            }
            Path announced = root.resolve("nodes").resolve(nodeFile(node.orElse("")));
            if (node.isPresent() && !Files.exists(announced)) {
                DurableFiles.write(announced, new byte[0]);
            }
        }
        return new Pool(root, id, time, ids, locks);
    }

    private static Path real(Path directory) throws DiskTrouble {
        try {
            return directory.toRealPath();
        } catch (IOException failed) {
            throw trouble("finding the pool " + directory, failed);
        }
    }

    /** The id of the pool that lies at {@code root} now. */
    private static Optional<String> id(Path root) throws RecordDamaged {
        Path file = root.resolve(KIND);
        try {
            Optional<byte[]> bytes = Records.read(file);
            if (bytes.isEmpty()) {
                return Optional.empty();
            }
            Facts facts = new Facts(KIND, VERSION).read(bytes.get(), file.toString());
            return Optional.of(facts.all().stream()
                    .filter(fact -> fact.getFirst().equals("id"))
                    .map(List::getLast)
                    .findFirst()
                    .orElseThrow(() -> Facts.unreadable(file + " names no id")));
        } catch (RecordDamaged damaged) {
            throw damaged(root, damaged.reason());
        }
    }

    /** A pool of another id would be reached from elsewhere than the volumes in it say. */
    private static void requireEmpty(Path root) throws DiskTrouble {
        for (String part : List.of("volumes", "snapshots", "groups")) {
            List<String> there = PoolDirectory.names(root.resolve(part));
            if (!there.isEmpty()) {
                throw damaged(root, root.resolve(KIND) + " is gone, and " + there.size() + " " + part + " are there");
            }
        }
    }

    private static RecordDamaged damaged(Path root, String how) {
        return new RecordDamaged("the pool "
                + root
                + " is not served: "
                + how
                + ". That file says the pool's id, and nothing else was touched. Put a copy of"
                + " it back, or write it anew with the id that its volumes name as "
                + Places.POOL
                + " (docs/plugins/local.md, \"When a file of the pool is damaged\")");
    }

    Path root() {
        return root;
    }

    /** The pool's own id, random, which goes with its disk. */
    String id() {
        return id;
    }

    PoolDirectory<Volume> volumes() {
        return volumes;
    }

    PoolDirectory<Snapshot> snapshots() {
        return snapshots;
    }

    Groups groups() {
        return groups;
    }

    KeyLocks locks() {
        return locks;
    }

    /**
     * Refuses when the pool is not where it was: its disk was taken away, or something else lies there. Nothing that is
     * then absent may be believed to be gone.
     */
    void requireThere() throws CallRefused, DiskTrouble {
        Optional<String> now;
        try {
            now = id(root);
        } catch (RecordDamaged damaged) {
            throw CallRefused.tooSoon(damaged.reason());
        }
        if (!now.equals(Optional.of(id))) {
            throw CallRefused.tooSoon(
                    now.isEmpty()
                            ? "the pool "
                                    + root
                                    + " is gone, or its file "
                                    + KIND
                                    + "; bring its disk or that file back, or start the plugin anew"
                            : "another pool lies at "
                                    + root
                                    + " now: "
                                    + now.get()
                                    + " in the place of "
                                    + id
                                    + "; bring that one back, or start the plugin anew");
        }
    }

    /** Holds a volume, a snapshot, or a name to be, for one call. */
    KeyLocks.Held hold(String key) throws CallRefused, DiskTrouble, InterruptedException {
        requireThere();
        return locks.hold(key, Deadline.in(time, PATIENCE));
    }

    /**
     * What a new volume, snapshot or group named {@code name} is to be called.
     *
     * @param last the order of the last one of its kind
     */
    Kept.Label label(String name, long last) {
        return new Kept.Label(ids.next(), name, Math.max(last + 1, time.now().toEpochMilli()));
    }

    /** Whether a plugin of that node has ever served this pool. */
    boolean hasNode(String node) {
        return Files.exists(root.resolve("nodes").resolve(nodeFile(node)));
    }

    private static String nodeFile(String node) {
        // A slash or a leading dot would leave the directory, or hide the file.
        return "node-" + Facts.encode(node).replace("/", "%2F");
    }

    /**
     * Clears what a killed process left: what is half made, what is half cleared, and the members of groups that never
     * came to be; none of it where a living process is at work.
     */
    void clearLeftovers() throws DiskTrouble {
        volumes.clearLeftovers(locks);
        snapshots.clearLeftovers(locks);
        for (Snapshot snapshot : snapshots.list()) {
            if (groups.isUnfinished(snapshot)) {
                clearUnlessHeld(snapshot);
            }
        }
        Set<String> withMembers = new HashSet<>();
        snapshots.list().forEach(snapshot -> snapshot.group().ifPresent(withMembers::add));
        groups.clearMarks(withMembers, locks);
        PoolDirectory.clearTrash(root.resolve("trash"), locks);
    }

    private void clearUnlessHeld(Snapshot member) throws DiskTrouble {
        Optional<KeyLocks.Held> held = locks.tryHold(member.group().orElseThrow());
        if (held.isPresent()) {
            try (KeyLocks.Held _ = held.get()) {
                if (groups.isUnfinished(member)) {
                    snapshots.delete(member);
                }
            } catch (DiskTrouble stays) {
                System.getLogger(Pool.class.getName())
                        .log(
                                System.Logger.Level.WARNING,
                                "snapshot {0} of an unfinished group is not cleared ({1}); the next start tries again",
                                member.id(),
                                stays.reason());
            }
        }
    }

    /** Marks names that an earlier program did not mark, see {@link NameMark}. */
    void markNames() throws DiskTrouble {
        volumes.markNames(locks);
        snapshots.markNames(locks);
    }

    /** All that cannot be served because a file is damaged or gone, a sentence each. */
    List<RecordDamaged> damages() throws DiskTrouble {
        List<RecordDamaged> damages = new ArrayList<>(volumes.damages());
        damages.addAll(snapshots.damages());
        damages.addAll(groups.damages());
        Set<String> lost = new TreeSet<>();
        for (Snapshot snapshot : snapshots.list()) {
            if (groups.isOrphan(snapshot)) {
                lost.add(snapshot.group().orElseThrow());
            }
        }
        lost.forEach(id -> damages.add(groups.lost(id)));
        return damages;
    }

    private static DiskTrouble trouble(String what, Exception cause) {
        return new DiskTrouble(what + " failed: " + cause, Effect.UNKNOWN, Retry.SAME_CALL, cause);
    }
}
