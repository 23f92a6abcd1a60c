package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.kernel.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The groups of snapshots, one small file each. A group and its members come to be when its file is
 * written, after all members, and go when it is removed, before any of them: a member whose group
 * has no file is none.
 */
final class Groups {
    private static final String KIND = "group";
    private static final int VERSION = 1;
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

    Optional<Group> find(String id) throws DiskTrouble {
        if (!ID.matcher(id).matches()) {
            return Optional.empty();
        }
        Path file = directory.resolve(id);
        try {
            return Optional.of(read(Files.readAllBytes(file), file.toString()));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failed) {
            throw new DiskTrouble(
                    "reading " + file + " failed: " + failed, Effect.NONE, Retry.SAME_CALL, failed);
        }
    }

    Optional<Group> named(String name) throws DiskTrouble {
        for (String id : Shelf.names(directory)) {
            Optional<Group> group = find(id);
            if (group.isPresent() && group.get().name().equals(name)) {
                return group;
            }
        }
        return Optional.empty();
    }

    /** Whether a snapshot is a member of a group that does not exist. */
    boolean isLost(Snapshot snapshot) {
        return snapshot.group().isPresent()
                && !Files.exists(directory.resolve(snapshot.group().get()));
    }

    void save(Group group) throws DiskTrouble {
        DurableFiles.write(directory.resolve(group.id()), write(group));
    }

    void delete(Group group) throws DiskTrouble {
        DurableFiles.delete(directory.resolve(group.id()));
    }

    static byte[] write(Group group) {
        Facts facts =
                new Facts(KIND, VERSION)
                        .add("id", group.id())
                        .add("name", group.name())
                        .add("order", Long.toString(group.order()));
        group.members().forEach(member -> facts.add("member", member));
        return facts.bytes();
    }

    static Group read(byte[] bytes, String where) throws DiskTrouble {
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
