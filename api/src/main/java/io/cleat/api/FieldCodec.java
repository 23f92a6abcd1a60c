package io.cleat.api;

import io.cleat.model.WireNamed;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A field between the wire and the model. What the wire does not give is empty in the model, or null where that may be;
 * what is empty in the model is null on the wire where that may be.
 */
final class FieldCodec {
    private final JobField field;
    private final Component model;
    private final Component wire;

    FieldCodec(JobField field, Component model, Component wire) {
        this.field = field;
        this.model = model;
        this.wire = wire;
    }

    @Nullable
    Object toModel(@Nullable Object given) {
        if (given == null) {
            return nothing();
        }
        return switch (field.kind()) {
            case TEXT, LABEL -> model.type().isEnum() ? constant(given) : given;
            case FLAG, TEXTS, TEXTS_BY_NAME, LISTS_BY_NAME -> given;
            case NUMBER -> number(given, model.type());
            case DURATION -> Duration.ofNanos((Long) given);
            case OPAQUE -> given instanceof RawJson raw && !raw.isEmpty() ? PlainValues.map(raw.value()) : Map.of();
            case BLOCK -> block().modelOf(given);
            case BLOCKS -> ((List<?>) given).stream().map(block()::modelOf).toList();
            case BLOCKS_BY_LABEL -> {
                Map<Object, Object> models = new TreeMap<>();
                ((Map<?, ?>) given).forEach((label, one) -> models.put(label, block().modelOf(one)));
                yield models;
            }
        };
    }

    /** A block that the model always has is as usual where a job says nothing of it. */
    private @Nullable Object nothing() {
        boolean isThere = field.kind() == JobField.Kind.BLOCK && !model.isNullable();
        return isThere ? block().modelOf(block().usual()) : model.nothing();
    }

    // An enum of the model is one that has names on the wire.
    @SuppressWarnings({"unchecked", "rawtypes"})
    private Object constant(Object given) {
        Object name = given.equals("") && field.usual() != null ? field.usual() : given;
        return JobConversion.wire((Class) model.type(), name.toString());
    }

    @Nullable
    Object toWire(@Nullable Object given) {
        if (given == null || (isEmpty(given) && wire.isNullable())) {
            return wire.nothing();
        }
        return switch (field.kind()) {
            case TEXT, LABEL -> given instanceof WireNamed named ? named.wire() : given;
            case FLAG, TEXTS -> given;
            case TEXTS_BY_NAME, LISTS_BY_NAME -> new TreeMap<>((Map<?, ?>) given);
            case NUMBER -> number(given, wire.type());
            case DURATION -> ((Duration) given).toNanos();
            case OPAQUE -> new RawJson(Json.toTree(PlainValues.sorted(given)));
            case BLOCK -> block().wireOf(given);
            case BLOCKS -> ((List<?>) given).stream().map(block()::wireOf).toList();
            case BLOCKS_BY_LABEL -> {
                Map<Object, Object> shown = new TreeMap<>();
                ((Map<?, ?>) given).forEach((label, one) -> shown.put(label, block().wireOf(one)));
                yield shown;
            }
        };
    }

    private static boolean isEmpty(Object given) {
        return switch (given) {
            case List<?> list -> list.isEmpty();
            case Map<?, ?> map -> map.isEmpty();
            default -> false;
        };
    }

    private static Object number(Object given, Class<?> type) {
        long number = ((Number) given).longValue();
        if (type == int.class || type == Integer.class) {
            return Math.toIntExact(number);
        }
        return number;
    }

    private JobBlock<?, ?> block() {
        return Objects.requireNonNull(field.block(), field.json());
    }
}
