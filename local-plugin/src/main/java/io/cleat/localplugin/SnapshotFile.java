package io.cleat.localplugin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The file that describes a snapshot, as {@link Facts}. Every version ever written is read for ever
 * (src/test/resources/history).
 */
final class SnapshotFile implements PoolDirectory.Form<Snapshot> {
    private static final String KIND = "snapshot";
    private static final int VERSION = 1;

    @Override
    public String name() {
        return KIND;
    }

    @Override
    public byte[] write(Snapshot snapshot) {
        Facts facts = new Facts(KIND, VERSION)
                .add("id", snapshot.id())
                .add("name", snapshot.name())
                .add("type", snapshot.type().word())
                .add("order", Long.toString(snapshot.order()))
                .add("volume", snapshot.volume())
                .add("bytes", Long.toString(snapshot.bytes()));
        snapshot.group().ifPresent(group -> facts.add("group", group));
        return facts.bytes();
    }

    @Override
    public Snapshot read(byte[] bytes, String where) throws RecordDamaged {
        Map<String, String> words = new HashMap<>();
        for (List<String> fact : new Facts(KIND, VERSION).read(bytes, where).all()) {
            words.put(fact.getFirst(), fact.getLast());
        }
        try {
            return new Snapshot(
                    word(words, "id"),
                    word(words, "name"),
                    VolumeType.of(word(words, "type")).orElseThrow(IllegalArgumentException::new),
                    Long.parseLong(word(words, "order")),
                    word(words, "volume"),
                    Long.parseLong(word(words, "bytes")),
                    Optional.ofNullable(words.get("group")));
        } catch (IllegalArgumentException wrong) {
            throw Facts.unreadable(where + " lacks a fact, or has an unreadable one: " + words);
        }
    }

    private static String word(Map<String, String> words, String fact) {
        String word = words.get(fact);
        if (word == null) {
            throw new IllegalArgumentException(fact);
        }
        return word;
    }
}
