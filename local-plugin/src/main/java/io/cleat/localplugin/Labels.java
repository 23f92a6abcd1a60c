package io.cleat.localplugin;

import io.cleat.base.DiskTrouble;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The names of what a {@link PoolDirectory} keeps, and their places in lists, as they were when each file was read
 * first. They never change, so a creation reads the files of those that have come since the last one, and not of all.
 * Any thread.
 */
final class Labels<T extends Kept> {
    /** By id. Replaced whole: of two looks at once either may stay, and what that lacks is read once more. */
    private volatile Map<String, Kept.Label> known = Map.of();

    /** Reads the file of one. */
    @FunctionalInterface
    interface Reading<T extends Kept> {
        /** @return empty if it has gone */
        Optional<PoolDirectory.Entry<T>> read(String id) throws DiskTrouble;
    }

    /**
     * What was there at one moment.
     *
     * @param labels by id
     * @param unread those whose files cannot be used
     */
    record Look<T extends Kept>(Map<String, Kept.Label> labels, List<PoolDirectory.Entry<T>> unread) {
        /** The ids of those of that name. */
        List<String> named(String name) {
            return labels.values().stream()
                    .filter(label -> label.name().equals(name))
                    .map(Kept.Label::id)
                    .toList();
        }

        /** 0 without any. */
        long lastOrder() {
            return labels.values().stream().mapToLong(Kept.Label::order).max().orElse(0);
        }
    }

    /** @param ids of all that are there */
    Look<T> look(List<String> ids, Reading<T> reading) throws DiskTrouble {
        Map<String, Kept.Label> before = known;
        Map<String, Kept.Label> now = HashMap.newHashMap(ids.size());
        List<PoolDirectory.Entry<T>> unread = new ArrayList<>();
        for (String id : ids) {
            Kept.Label label = before.get(id);
            if (label != null) {
                now.put(id, label);
                continue;
            }
            Optional<PoolDirectory.Entry<T>> read = reading.read(id);
            if (read.isPresent() && read.get().kept().isPresent()) {
                T kept = read.get().kept().get();
                now.put(id, new Kept.Label(id, kept.name(), kept.order()));
            } else {
                read.ifPresent(unread::add);
            }
        }
        known = now;
        return new Look<>(now, unread);
    }
}
