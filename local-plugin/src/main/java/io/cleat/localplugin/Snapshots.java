package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.KernelTrouble;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Snapshots and groups of them: made by name, whole or not at all; deleted by id. */
final class Snapshots {
    private final Pool pool;
    private final Freezing freezing;
    private final Copying copying;

    Snapshots(Pool pool, Freezing freezing, Copying copying) {
        this.pool = pool;
        this.freezing = freezing;
        this.copying = copying;
    }

    /** All that are whole, oldest first. */
    List<Snapshot> list() throws CallRefused, DiskTrouble {
        pool.requireThere();
        List<Snapshot> whole = new ArrayList<>();
        for (Snapshot snapshot : pool.snapshots().list()) {
            if (!pool.groups().isUnfinished(snapshot)) {
                whole.add(snapshot);
            }
        }
        return whole;
    }

    /** @throws RecordDamaged when it is there and its file cannot be used */
    Optional<Snapshot> find(String id) throws CallRefused, DiskTrouble {
        pool.requireThere();
        Optional<Snapshot> found = pool.snapshots().find(id);
        return found.isPresent() && pool.groups().isUnfinished(found.get()) ? Optional.empty() : found;
    }

    /** @throws CallRefused with NOT_FOUND */
    Snapshot require(String id) throws CallRefused, DiskTrouble {
        Optional<Snapshot> found = find(id);
        return found.isPresent() ? found.get() : pool.snapshots().require("");
    }

    Snapshot create(String name, String volumeId) throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold("snapshot " + name)) {
            Optional<Snapshot> existing = pool.snapshots().named(name);
            if (existing.isPresent()) {
                if (!existing.get().volume().equals(volumeId)) {
                    throw CallRefused.different("snapshot '"
                            + name
                            + "' exists, and is of volume "
                            + existing.get().volume());
                }
                return existing.get();
            }
            try (KeyLocks.Held _ = pool.hold(volumeId)) {
                Volume volume = pool.volumes().require(volumeId);
                Kept.Label label = pool.label(name, pool.snapshots().lastOrder());
                Snapshot made = of(volume, label, Optional.empty());
                freezing.during(List.of(volume), footings -> copy(volume, made, footings.getFirst()));
                return made;
            }
        }
    }

    private static Snapshot of(Volume volume, Kept.Label label, Optional<String> group) {
        return new Snapshot(label.id(), label.name(), volume.type(), label.order(), volume.id(), volume.bytes(), group);
    }

    private void copy(Volume volume, Snapshot made, Copying.Footing footing)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold(made.id())) {
            pool.snapshots()
                    .create(
                            made,
                            content ->
                                    copying.copy(volume.type(), pool.volumes().content(volume), content, footing));
        }
    }

    /** Done also when it is not there. */
    void delete(String id) throws CallRefused, DiskTrouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold(id)) {
            Optional<Snapshot> found = find(id);
            if (found.isEmpty()) {
                return;
            }
            if (found.get().group().isPresent()) {
                throw CallRefused.invalid("snapshot "
                        + id
                        + " is a member of the group "
                        + found.get().group().get()
                        + ", and goes with that: DeleteVolumeGroupSnapshot");
            }
            pool.snapshots().delete(found.get());
        }
    }

    Groups.Group createGroup(String name, List<String> volumeIds)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        TreeSet<String> ids = new TreeSet<>(volumeIds);
        try (KeyLocks.Held _ = pool.hold("group " + name)) {
            Optional<Groups.Group> existing = pool.groups().named(name);
            if (existing.isPresent()) {
                TreeSet<String> sources = new TreeSet<>();
                members(existing.get()).forEach(member -> sources.add(member.volume()));
                if (!sources.equals(ids)) {
                    throw CallRefused.different("group snapshot '" + name + "' exists, and is of volumes " + sources);
                }
                return existing.get();
            }
            Kept.Label label = pool.label(name, pool.snapshots().lastOrder());
            // Held, as members without their group are cleared at a start.
            try (KeyLocks.Held _ = pool.hold(label.id())) {
                return makeGroup(label, ids);
            }
        }
    }

    private Groups.Group makeGroup(Kept.Label label, SortedSet<String> ids)
            throws CallRefused, DiskTrouble, KernelTrouble, InterruptedException {
        List<Snapshot> made = new ArrayList<>();
        Deque<KeyLocks.Held> held = new ArrayDeque<>();
        boolean whole = false;
        try {
            List<Volume> volumes = new ArrayList<>();
            for (String id : ids) {
                held.push(pool.hold(id));
                volumes.add(pool.volumes().require(id));
            }
            pool.groups().begin(label.id());
            freezing.during(volumes, footings -> {
                for (int i = 0; i < volumes.size(); i++) {
                    Kept.Label own = pool.label("", pool.snapshots().lastOrder());
                    Snapshot member = of(
                            volumes.get(i), new Kept.Label(own.id(), own.id(), own.order()), Optional.of(label.id()));
                    copy(volumes.get(i), member, footings.get(i));
                    made.add(member);
                }
            });
            Groups.Group group = new Groups.Group(
                    label.id(),
                    label.name(),
                    label.order(),
                    made.stream().map(Snapshot::id).toList());
            pool.groups().save(group);
            whole = true;
            return group;
        } finally {
            while (!held.isEmpty()) {
                held.pop().close();
            }
            if (!whole) {
                if (!made.isEmpty()) {
                    // Its file may be there, when only making it durable failed.
                    pool.groups().delete(label.id());
                }
                for (Snapshot member : made) {
                    pool.snapshots().delete(member);
                }
                pool.groups().end(label.id());
            }
        }
    }

    List<Snapshot> members(Groups.Group group) throws DiskTrouble {
        List<Snapshot> members = new ArrayList<>();
        for (String id : group.members()) {
            pool.snapshots().find(id).ifPresent(members::add);
        }
        return members;
    }

    /**
     * The group, whose members must be {@code expected} where that names any.
     *
     * @throws CallRefused with INVALID_ARGUMENT when they are not
     */
    Optional<Groups.Group> findGroup(String id, List<String> expected) throws CallRefused, DiskTrouble {
        pool.requireThere();
        Optional<Groups.Group> group = pool.groups().find(id);
        if (group.isEmpty() && !orphans(id).isEmpty()) {
            throw pool.groups().lost(id);
        }
        if (group.isPresent()
                && !expected.isEmpty()
                && !new TreeSet<>(expected).equals(new TreeSet<>(group.get().members()))) {
            throw CallRefused.invalid("group snapshot "
                    + id
                    + " has the members "
                    + group.get().members()
                    + ", and snapshot_ids names others: "
                    + expected);
        }
        return group;
    }

    /** The members of a group whose file was lost. */
    private List<Snapshot> orphans(String id) throws DiskTrouble {
        List<Snapshot> orphans = new ArrayList<>();
        for (Snapshot snapshot : pool.snapshots().list()) {
            if (snapshot.group().equals(Optional.of(id)) && pool.groups().isOrphan(snapshot)) {
                orphans.add(snapshot);
            }
        }
        return orphans;
    }

    /** Done also when it is not there. Of a group whose file was lost the members go that name it themselves. */
    void deleteGroup(String id, List<String> expected) throws CallRefused, DiskTrouble, InterruptedException {
        try (KeyLocks.Held _ = pool.hold(id)) {
            List<Snapshot> members = orphans(id);
            if (members.isEmpty()) {
                Optional<Groups.Group> group = findGroup(id, expected);
                if (group.isEmpty()) {
                    return;
                }
                members = members(group.get());
            } else if (!expected.isEmpty()
                    && !new TreeSet<>(expected)
                            .containsAll(members.stream().map(Snapshot::id).toList())) {
                throw pool.groups().lost(id);
            }
            pool.groups().delete(id);
            for (Snapshot member : members) {
                try (KeyLocks.Held _ = pool.hold(member.id())) {
                    pool.snapshots().delete(member);
                }
            }
            pool.groups().end(id);
        }
    }
}
