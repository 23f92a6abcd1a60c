package io.cleat.agent.host;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Ordered;
import io.cleat.codec.RecordCodec;
import io.cleat.kernel.DurableFiles;
import io.cleat.model.HostVolume;
import io.cleat.model.HostVolumeSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** What the node has written down of the host volumes that were made on it: one file. */
final class MadeVolumes {
    static final RecordCodec<Stored> FORMAT = RecordCodec.stored("hvol", 1, Stored.class);

    /** How many there may be: each is a part of what the node says of itself. */
    static final int MOST = 500;

    /**
     * As in the file.
     *
     * @param volumes by id
     */
    record Stored(List<Made> volumes) {
        Stored {
            volumes = List.copyOf(volumes);
        }
    }

    /**
     * One of them.
     *
     * @param path where it is
     * @param capacity bytes; 0 if its plugin does not say
     */
    record Made(HostVolumeSpec spec, String path, long capacity) {}

    private final Path file;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Map<String, Made> volumes;

    private MadeVolumes(Path file, Map<String, Made> volumes) {
        this.file = file;
        this.volumes = volumes;
    }

    /** With what {@code file} holds; nothing yet if it is not there. */
    static MadeVolumes at(Path file) throws DiskTrouble {
        Map<String, Made> volumes = new TreeMap<>();
        if (!Files.notExists(file)) {
            FORMAT.decodeFile(
                            file,
                            "It has which host volumes were made on this node: put it back from a"
                                    + " copy. Their directories are left alone")
                    .volumes()
                    .forEach(made -> volumes.put(made.spec().id(), made));
        }
        return new MadeVolumes(file, Ordered.copyOf(volumes));
    }

    Optional<Made> find(String id) {
        return Optional.ofNullable(volumes.get(id));
    }

    /** All of them, by id. */
    List<Made> all() {
        return volumes.values().stream()
                .sorted(Comparator.comparing(made -> made.spec().id()))
                .toList();
    }

    /** The one of that name, of which there is one at most. */
    Optional<Made> named(String name) {
        return volumes.values().stream()
                .filter(made -> made.spec().name().equals(name))
                .findFirst();
    }

    /** Whether there is no room for another one. */
    boolean isFull() {
        return volumes.size() >= MOST;
    }

    /** As the node tells of them, by name. */
    Map<String, HostVolume> told() {
        Map<String, HostVolume> told = new TreeMap<>();
        volumes.values()
                .forEach(made ->
                        told.put(made.spec().name(), new HostVolume(made.spec().id(), made.path(), false)));
        return told;
    }

    /** Durable when it returns. */
    void put(Made made) throws DiskTrouble {
        change(all -> all.put(made.spec().id(), made));
    }

    /** Durable when it returns; the directory is another matter. */
    void remove(String id) throws DiskTrouble {
        change(all -> all.remove(id));
    }

    /** What is done with all of them. */
    private interface Edit {
        void of(Map<String, Made> all);
    }

    private void change(Edit edit) throws DiskTrouble {
        lock.lock();
        try {
            Map<String, Made> all = new TreeMap<>(volumes);
            edit.of(all);
            DurableFiles.write(file, FORMAT.encodeForFile(new Stored(new ArrayList<>(all.values()))));
            volumes = Ordered.copyOf(all);
        } finally {
            lock.unlock();
        }
    }
}
