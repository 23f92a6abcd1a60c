package io.cleat.driver;

import io.cleat.base.Durations;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads a block of a job file key by key. What is wrong is collected, in words that say what was given and what was
 * expected; so are keys that nobody asked for.
 *
 * <p>Of one thread.
 */
public final class BlockReader {
    private final String place;
    private final Map<String, Object> block;
    private final List<String> faults;
    private final TreeSet<String> known = new TreeSet<>();

    /**
     * @param faults what is wrong is added to them
     * @param place such as {@code config}, or {@code mounts[0]}
     */
    public BlockReader(String place, Map<String, Object> block, List<String> faults) {
        this.place = place;
        this.block = block;
        this.faults = faults;
    }

    public void fault(String words) {
        faults.add(words);
    }

    private String name(String key) {
        return place.equals("config") ? key : place + "." + key;
    }

    private Optional<Object> value(String key) {
        known.add(key);
        return Optional.ofNullable(block.get(key));
    }

    private <T> T wrong(String key, String expected, Object given, T instead) {
        faults.add(name(key) + " must be " + expected + ", it is: " + given);
        return instead;
    }

    public boolean has(String key) {
        return value(key).isPresent();
    }

    /** A text; empty if it is not there. */
    public String text(String key) {
        return switch (value(key).orElse("")) {
            case String text -> text;
            case Number number -> number.toString();
            case Object other -> wrong(key, "a string", other, "");
        };
    }

    public boolean flag(String key) {
        Object value = value(key).orElse(false);
        return value instanceof Boolean is ? is : wrong(key, "true or false", value, false);
    }

    /** A flag that may be left to others. */
    public Optional<Boolean> choice(String key) {
        return has(key) ? Optional.of(flag(key)) : Optional.empty();
    }

    /** A whole number that is not negative; {@code usual} if it is not there. */
    public long number(String key, long usual) {
        Object value = value(key).orElse(usual);
        try {
            long number = new BigDecimal(String.valueOf(value)).longValueExact();
            return number >= 0 ? number : wrong(key, "0 or more", value, usual);
        } catch (ArithmeticException | NumberFormatException none) {
            return wrong(key, "a whole number", value, usual);
        }
    }

    /** A duration such as {@code 90s}. */
    public Duration duration(String key, Duration usual) {
        if (!has(key)) {
            return usual;
        }
        String text = text(key);
        OptionalLong nanos = Durations.parse(text);
        return nanos.isPresent() && nanos.getAsLong() >= 0
                ? Duration.ofNanos(nanos.getAsLong())
                : wrong(key, "a duration such as \"90s\" or \"1m30s\"", text, usual);
    }

    public List<String> texts(String key) {
        Object value = value(key).orElse(List.of());
        if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
            return list.stream().map(String::valueOf).toList();
        }
        return wrong(key, "a list of strings", value, List.of());
    }

    /** Texts by name: a map, or blocks of such. */
    public Map<String, String> pairs(String key) {
        Map<String, String> pairs = new TreeMap<>();
        for (Map<String, Object> each : maps(key)) {
            each.forEach((name, value) -> {
                if (value instanceof Map || value instanceof List) {
                    wrong(key, "a map of strings", each, "");
                } else {
                    pairs.put(name, String.valueOf(value));
                }
            });
        }
        return pairs;
    }

    /** The blocks of that name, each to be read and ended by the caller. */
    public List<BlockReader> blocks(String key) {
        List<BlockReader> readers = new ArrayList<>();
        for (Map<String, Object> each : maps(key)) {
            readers.add(new BlockReader(name(key) + "[" + readers.size() + "]", each, faults));
        }
        return readers;
    }

    /** The one block of that name. */
    public Optional<BlockReader> block(String key) {
        List<BlockReader> all = blocks(key);
        if (all.size() > 1) {
            fault(name(key) + " stands " + all.size() + " times; expected once");
        }
        return all.stream().findFirst();
    }

    private List<Map<String, Object>> maps(String key) {
        Object value = value(key).orElse(List.of());
        List<Map<String, Object>> maps = new ArrayList<>();
        for (Object each : value instanceof List<?> list ? list : List.of(value)) {
            if (each instanceof Map<?, ?> map) {
                Map<String, Object> copy = new TreeMap<>();
                map.forEach((name, one) -> copy.put(String.valueOf(name), one));
                maps.add(copy);
            } else {
                wrong(key, "a block", each, "");
            }
        }
        return maps;
    }

    /** A key that others know and this driver does not have. */
    public void refuse(String key, String why) {
        if (has(key)) {
            faults.add(name(key) + " is not supported: " + why);
        }
    }

    /** Says which keys nobody asked for. */
    public void end() {
        for (String key : new TreeSet<>(block.keySet())) {
            if (!known.contains(key)) {
                faults.add(place + " has the key '" + key + "'; docker knows " + String.join(", ", known));
            }
        }
    }
}
