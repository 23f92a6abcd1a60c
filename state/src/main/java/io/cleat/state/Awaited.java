package io.cleat.state;

import io.cleat.model.VolumeId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * What a blocked evaluation waits for, and since which version: in this order those come first that have waited
 * longest.
 */
record Awaited(String what, long since) implements Comparable<Awaited> {
    static final String ANYTHING = "";
    static final String ROOM = "room";
    static final String ANY_VOLUME = "volume";

    private static final Comparator<Awaited> ORDER =
            Comparator.comparing(Awaited::what).thenComparingLong(Awaited::since);

    static String volume(VolumeId id) {
        return ANY_VOLUME + "/" + id.namespace() + "/" + id.id();
    }

    /** All that a row is found under; nothing unless it is blocked. */
    static Set<Awaited> of(EvaluationRow row) {
        if (row.status() != EvaluationStatus.BLOCKED) {
            return Set.of();
        }
        Set<Awaited> all = new HashSet<>();
        all.add(new Awaited(ANYTHING, row.modifyVersion()));
        if (row.waits().blockedOnAny()) {
            all.add(new Awaited(ROOM, row.modifyVersion()));
        }
        if (row.waits().blockedOn().size() >= EvaluationRow.VOLUMES_NAMED) {
            all.add(new Awaited(ANY_VOLUME, row.modifyVersion()));
        }
        row.waits().blockedOn().forEach(id -> all.add(new Awaited(volume(id), row.modifyVersion())));
        return all;
    }

    @Override
    public int compareTo(Awaited other) {
        return ORDER.compare(this, other);
    }
}
