package io.cleat.model;

import io.cleat.base.Ordered;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many controller calls of each kind a plugin is asked at once. Its task may say so in its {@code meta}:
 * {@code cleat.lane_width} for every lane, {@code cleat.lane_width.attach} for one, which wins. So 1 makes a plugin
 * that cannot do two things at once serial, lane by lane.
 *
 * @param byLane every lane
 */
public record LaneWidths(Map<String, Integer> byLane) {
    /** The key in a task's meta; a dot and a lane may follow. */
    public static final String KEY = "cleat.lane_width";

    /** What holds where nothing is said. */
    public static final LaneWidths STANDARD = new LaneWidths(Ordered.ofEntries(
            Map.entry("attach", 16),
            Map.entry("detach", 8),
            Map.entry("create", 8),
            Map.entry("delete", 4),
            Map.entry("expand", 4),
            Map.entry("snapshot", 8)));

    /** All lanes together: less than the 64 calls of a node to one plugin, so that its own go on. */
    public static final int WIDEST = 56;

    public LaneWidths {
        byLane = Ordered.copyOf(byLane);
    }

    /** What a task's meta says; what cannot be read counts as not said. */
    public static LaneWidths of(Map<String, String> meta) {
        Map<String, Integer> widths = new TreeMap<>();
        STANDARD.byLane().forEach((lane, standard) -> {
            int all = number(meta.get(KEY), standard);
            widths.put(lane, number(meta.get(KEY + "." + lane), all));
        });
        return new LaneWidths(widths);
    }

    /** What is wrong with what a task's meta says; empty if nothing is. */
    public static List<String> faults(Map<String, String> meta) {
        List<String> faults = new ArrayList<>();
        new TreeMap<>(meta).forEach((key, value) -> {
            if (!key.equals(KEY) && !key.startsWith(KEY + ".")) {
                return;
            }
            if (!key.equals(KEY) && !STANDARD.byLane().containsKey(key.substring(KEY.length() + 1))) {
                faults.add("meta \""
                        + key
                        + "\" names no lane; there are: "
                        + String.join(", ", new TreeMap<>(STANDARD.byLane()).keySet()));
            } else if (number(value, 0) == 0) {
                faults.add("meta \"" + key + "\" is a whole number from 1 to " + WIDEST + ", got: \"" + value + "\"");
            }
        });
        int total =
                of(meta).byLane().values().stream().mapToInt(Integer::intValue).sum();
        if (faults.isEmpty() && total > WIDEST) {
            faults.add("meta \""
                    + KEY
                    + "\": the lanes are "
                    + total
                    + " wide together; at most "
                    + WIDEST
                    + " are possible");
        }
        return faults;
    }

    private static int number(@Nullable String text, int otherwise) {
        if (text == null || !text.matches("[1-9]\\d?")) {
            return otherwise;
        }
        int number = Integer.parseInt(text);
        return number <= WIDEST ? number : otherwise;
    }

    /** The width of a lane. */
    public int of(String lane) {
        Integer width = byLane.get(lane);
        if (width == null) {
            throw new IllegalArgumentException("no lane " + lane);
        }
        return width;
    }

    /** Of each lane the narrower width. */
    public LaneWidths narrower(LaneWidths other) {
        Map<String, Integer> widths = new TreeMap<>(byLane);
        other.byLane().forEach((lane, width) -> widths.merge(lane, width, Math::min));
        return new LaneWidths(widths);
    }
}
