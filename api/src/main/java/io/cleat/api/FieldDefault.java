package io.cleat.api;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is usual in a field that gives nothing: null, an empty text, or a 0 that cannot be null. In a block, what is
 * usual in its fields.
 *
 * @param place of the component on the wire
 * @param isAlwaysThere whether the block is as usual where a job says nothing of it
 */
record FieldDefault(JobField field, Component wire, int place, boolean isAlwaysThere) {
    /** Whether there is anything to fill in. */
    boolean saysSomething() {
        return !field.isInherited() && (field.usual() != null || field.block() != null || field.isNoneIfEmpty());
    }

    @Nullable
    Object filledIn(@Nullable Object given, boolean ofBatch) {
        if (field.isNoneIfEmpty() && given instanceof List<?> list && list.isEmpty()) {
            return null;
        }
        JobBlock<?, ?> block = field.block();
        if (block != null) {
            return filledIn(block, given);
        }
        boolean isZero = wire.type().isPrimitive() && Objects.equals(given, wire.nothing());
        boolean saysNothing = given == null || given.equals("") || isZero;
        return saysNothing ? (ofBatch ? field.usualOfBatch() : field.usual()) : given;
    }

    private @Nullable Object filledIn(JobBlock<?, ?> block, @Nullable Object given) {
        return switch (given) {
            case null -> isAlwaysThere ? block.usual() : null;
            case List<?> several -> several.stream().map(block::filledInAs).toList();
            case Map<?, ?> byLabel -> {
                Map<Object, Object> filled = new TreeMap<>();
                byLabel.forEach((label, one) -> filled.put(label, block.filledInAs(one)));
                yield filled;
            }
            default -> block.filledInAs(given);
        };
    }
}
