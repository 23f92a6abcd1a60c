package io.cleat.driverkit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a block holds, by the shape that its driver gave it. A field that is absent, or of another type than it is asked
 * for, is empty.
 *
 * @param values texts, {@code Long}, {@code Double}, {@code Boolean}, lists and maps of such
 */
public record BlockValues(Map<String, Object> values) {
    public BlockValues {
        values = Map.copyOf(values);
    }

    public Optional<String> text(String name) {
        return values.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    /** A whole number. */
    public OptionalLong number(String name) {
        return values.get(name) instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    }

    public Optional<Boolean> flag(String name) {
        return values.get(name) instanceof Boolean flag ? Optional.of(flag) : Optional.empty();
    }

    /** The texts of a list; none if it is absent. */
    public List<String> texts(String name) {
        return values.get(name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    /** The blocks of that name, one or many. */
    public List<BlockValues> blocks(String name) {
        List<?> list = switch (values.get(name)) {
            case List<?> many -> many;
            case Map<?, ?> one -> List.of(one);
            case null, default -> List.of();
        };
        return list.stream()
                .filter(Map.class::isInstance)
                .map(Map.class::cast)
                .map(BlockValues::of)
                .toList();
    }

    private static BlockValues of(Map<?, ?> block) {
        Map<String, Object> values = new HashMap<>();
        block.forEach((name, value) -> values.put(String.valueOf(name), value));
        return new BlockValues(values);
    }
}
