package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The groups of snapshots, one small file each. A group and its members come to be when its file is written, after all
 * members, and go when it is renamed to its mark, before any of them.
 *
 * <p>The mark {@code .new-<id>} is there from before the first member until the file is written, and while the members
 * are deleted: what has the mark and no file is none, and its members are cleared. Without either the file was lost,
 * and the members are somebody's snapshots.
 */
final class Groups {
    private static final String KIND = "group";
    private static final int VERSION = 1;
    private static final String MARK = ".new-";
    private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");

    private final Path directory;

    Groups(Path directory) {
        this.directory = directory;
    }

    /**
     * One group.
     *
     * @param order milliseconds since 1970 of its creation, made unique
     * @param members ids of snapshots
     */
    record Group(String id, String name, long order, List<String> members) {
        Group {
            members = List.copyOf(members);
        }
    }

    /** @throws RecordDamaged when its file is there and cannot be used */
    Optional<Group> find(String id) throws RecordDamaged {
        if (!ID.matcher(id).matches()) {
            return Optional.empty();
        }
        Path file = directory.resolve(id);
        try {
            Optional<byte[]> bytes = Records.read(file);
            if (bytes.isEmpty()) {
                return Optional.empty();
            }
            Group group = read(bytes.get(), file.toString());
            if (!group.id().equals(id)) {
                throw Facts.unreadable(file + " is the file of another group, " + group.id());
            }
            return Optional.of(group);
        } catch (RecordDamaged damaged) {
            throw damaged(id, damaged.reason());
        }
    }

    /** For a group without a file, of which there are members. */
    RecordDamaged lost(String id) {
        return damaged(id, directory.resolve(id) + " is gone, and snapshots of it are there");
    }

    private RecordDamaged damaged(String id, String how) {
        return new RecordDamaged("group snapshot "
                + id
                + " is not served: "
                + how
                + ". That file says its name and its members; these are kept, and served as"
                + " snapshots. Put a copy of the file back; or give the group up with its"
                + " members: move "
                + directory.resolve(id)
                + " out of the pool if it is there, and call DeleteVolumeGroupSnapshot");
    }

    /**
     * The one of that name.
     *
     * @throws CallRefused when one whose file cannot be used may have that name
     */
    Optional<Group> named(String name) throws CallRefused, DiskTrouble {
        Optional<RecordDamaged> damage = Optional.empty();
        for (String id : PoolDirectory.names(directory)) {
            try {
                Optional<Group> group = find(id);
                if (group.isPresent() && group.get().name().equals(name)) {
                    return group;
                }
            } catch (RecordDamaged damaged) {
                damage = Optional.of(damaged);
            }
        }
        if (damage.isPresent()) {
            throw CallRefused.tooSoon("whether a group snapshot '"
                    + name
                    + "' exists is not known, so none is made: "
                    + damage.get().reason());
        }
        return Optional.empty();
    }

    /** What is wrong with the files of groups. */
    List<RecordDamaged> damages() throws DiskTrouble {
        List<RecordDamaged> damages = new ArrayList<>();
        for (String id : PoolDirectory.names(directory)) {
            try {
                find(id);
            } catch (RecordDamaged damaged) {
                damages.add(damaged);
            }
        }
        return damages;
    }

    /** Whether a snapshot is a member of a group that is being made or deleted. */
    boolean isUnfinished(Snapshot snapshot) throws DiskTrouble {
        return snapshot.group().isPresent()
                && !Records.isThere(directory.resolve(snapshot.group().get()))
                && Records.isThere(mark(snapshot.group().get()));
    }

    /** Whether a snapshot is a member of a group whose file was lost. */
    boolean isOrphan(Snapshot snapshot) throws DiskTrouble {
        // The mark first: while a group is made or deleted, one of the two is there at any time.
        return snapshot.group().isPresent()
                && !Records.isThere(mark(snapshot.group().get()))
                && !Records.isThere(directory.resolve(snapshot.group().get()));
    }

    private Path mark(String id) {
        return directory.resolve(MARK + id);
    }

    /** Before the first member of a group is made; the caller holds its id. */
    void begin(String id) throws DiskTrouble {
        DurableFiles.write(mark(id), new byte[0]);
    }

    /** After the last member is made. */
    void save(Group group) throws DiskTrouble {
        DurableFiles.write(directory.resolve(group.id()), write(group));
        end(group.id());
    }

    /** After the last member is deleted, or instead of that when none was made. */
    void end(String id) throws DiskTrouble {
        DurableFiles.delete(mark(id));
    }

    /** Before the first member is deleted; from here on there is no such group. */
    void delete(String id) throws DiskTrouble {
        if (!Records.isThere(directory.resolve(id))) {
            if (!Records.isThere(mark(id))) {
                begin(id);
            }
            return;
        }
        try {
            Files.move(directory.resolve(id), mark(id), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "renaming " + directory.resolve(id) + " failed: " + failed,
                    Effect.UNKNOWN,
                    Retry.SAME_CALL,
                    failed);
        }
        DurableFiles.sync(directory);
    }

    /** Takes away the marks of groups that have no members, unless somebody is at work on one. */
    void clearMarks(Set<String> withMembers, KeyLocks locks) throws DiskTrouble {
        for (String name : PoolDirectory.names(directory)) {
            String id = name.startsWith(MARK) ? name.substring(MARK.length()) : "";
            if (!ID.matcher(id).matches()) {
                continue;
            }
            boolean isVoid = !withMembers.contains(id) || Records.isThere(directory.resolve(id));
            Optional<KeyLocks.Held> held = isVoid ? locks.tryHold(id) : Optional.empty();
            if (held.isPresent()) {
                try (KeyLocks.Held _ = held.get()) {
                    end(id);
                }
            }
        }
    }

    static byte[] write(Group group) {
        Facts facts = new Facts(KIND, VERSION)
                .add("id", group.id())
                .add("name", group.name())
                .add("order", Long.toString(group.order()));
        group.members().forEach(member -> facts.add("member", member));
        return facts.bytes();
    }

    static Group read(byte[] bytes, String where) throws RecordDamaged {
        Map<String, String> words = new HashMap<>();
        List<String> members = new ArrayList<>();
        for (List<String> fact : new Facts(KIND, VERSION).read(bytes, where).all()) {
            if (fact.getFirst().equals("member")) {
                members.add(fact.getLast());
            } else {
                words.put(fact.getFirst(), fact.getLast());
            }
        }
        try {
            return new Group(
                    words.getOrDefault("id", ""),
                    words.getOrDefault("name", ""),
                    Long.parseLong(words.getOrDefault("order", "")),
                    members);
        } catch (NumberFormatException wrong) {
            throw Facts.unreadable(where + " has an unreadable fact: " + words);
        }
    }
}
