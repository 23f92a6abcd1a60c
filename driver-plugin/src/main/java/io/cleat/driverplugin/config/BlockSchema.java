package io.cleat.driverplugin.config;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.driverschema.SpecProto;
import io.cleat.driverschema.SpecProto.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a plugin says that a block may hold: its task's {@code config}, or the plugin's own settings.
 *
 * <p>Immutable; used by any thread.
 */
public final class BlockSchema {
    private static final int DEEPEST = 32;
    private static final JsonMapper LITERALS = new JsonMapper();

    private final Spec spec;
    private final String place;
    private final String driver;

    /**
     * @param place what the block is called in what is wrong, such as {@code config}
     * @param driver whose it is
     * @throws DriverTrouble if it cannot be read
     */
    public BlockSchema(Spec spec, String place, String driver) throws DriverTrouble {
        requireReadable(spec, 0);
        this.spec = spec;
        this.place = place;
        this.driver = driver;
    }

    /** All that is wrong with a block, in words; empty if nothing is. */
    public List<String> faults(Map<String, Object> block) {
        List<String> faults = new ArrayList<>();
        read(block, faults);
        return faults;
    }

    /**
     * The block as the plugin wants it: all that the schema knows, what is absent as nothing.
     *
     * @throws DriverTrouble with all that is wrong with it
     */
    public byte[] encode(Map<String, Object> block) throws DriverTrouble {
        List<String> faults = new ArrayList<>();
        Object value = read(block, faults);
        if (!faults.isEmpty()) {
            throw new DriverTrouble(String.join("; ", faults), Effect.NONE, Retry.NEVER);
        }
        return MsgPack.encode(value);
    }

    /** All that a block may hold, by name. */
    public List<SchemaRow> rows() {
        return SchemaRows.of(spec);
    }

    private @Nullable Object read(Map<String, Object> block, List<String> faults) {
        return body(spec, place, block, faults);
    }

    /** A body, all of whose names the schema has to know. */
    private @Nullable Object body(Spec of, String where, Map<String, ?> block, List<String> faults) {
        TreeSet<String> known = new TreeSet<>();
        names(of, known);
        for (String name : new TreeSet<>(block.keySet())) {
            if (!known.contains(name)) {
                faults.add(where
                        + " has the key '"
                        + name
                        + "'; "
                        + driver
                        + (known.isEmpty() ? " knows none" : " knows " + String.join(", ", known)));
            }
        }
        return value(of, where, block, faults);
    }

    private static void names(Spec of, TreeSet<String> known) {
        switch (of.getBlockCase()) {
            case OBJECT -> of.getObject().getAttributesMap().values().forEach(s -> names(s, known));
            case ARRAY -> of.getArray().getValuesList().forEach(s -> names(s, known));
            case ATTR -> known.add(of.getAttr().getName());
            case BLOCK_VALUE -> known.add(of.getBlockValue().getName());
            case BLOCK_ATTRS -> known.add(of.getBlockAttrs().getName());
            case BLOCK_LIST -> known.add(of.getBlockList().getName());
            case BLOCK_SET -> known.add(of.getBlockSet().getName());
            case BLOCK_MAP -> known.add(of.getBlockMap().getName());
            case DEFAULT -> {
                names(of.getDefault().getPrimary(), known);
                names(of.getDefault().getDefault(), known);
            }
            case LITERAL, BLOCK_NOT_SET -> {}
        }
    }

    private @Nullable Object value(Spec of, String where, Map<String, ?> block, List<String> faults) {
        return switch (of.getBlockCase()) {
            case OBJECT -> {
                Map<String, @Nullable Object> values = new TreeMap<>();
                of.getObject()
                        .getAttributesMap()
                        .forEach((name, each) -> values.put(name, value(each, where, block, faults)));
                yield values;
            }
            case ARRAY -> {
                List<@Nullable Object> values = new ArrayList<>();
                of.getArray().getValuesList().forEach(each -> values.add(value(each, where, block, faults)));
                yield values;
            }
            case ATTR -> attribute(of.getAttr(), where, block, faults);
            case BLOCK_VALUE -> {
                SpecProto.Block only = of.getBlockValue();
                List<Map<String, Object>> all =
                        blocks(only.getName(), where, block, only.getRequired() ? 1 : 0, 1, faults);
                yield all.size() == 1
                        ? body(only.getNested(), inside(where, only.getName()), all.get(0), faults)
                        : null;
            }
            case BLOCK_ATTRS -> {
                SpecProto.BlockAttrs only = of.getBlockAttrs();
                require(only.getRequired(), only.getName(), where, block, faults);
                yield new ValueType.MapOf(type(only.getType()))
                        .read(inside(where, only.getName()), block.get(only.getName()), faults);
            }
            case BLOCK_LIST -> {
                SpecProto.BlockList list = of.getBlockList();
                yield each(
                        list.getName(),
                        list.getNested(),
                        where,
                        blocks(list.getName(), where, block, list.getMinItems(), list.getMaxItems(), faults),
                        faults);
            }
            case BLOCK_SET -> {
                SpecProto.BlockSet set = of.getBlockSet();
                yield each(
                        set.getName(),
                        set.getNested(),
                        where,
                        blocks(set.getName(), where, block, set.getMinItems(), set.getMaxItems(), faults),
                        faults);
            }
            case BLOCK_MAP ->
                labelled(
                        of.getBlockMap(),
                        0,
                        inside(where, of.getBlockMap().getName()),
                        block.get(of.getBlockMap().getName()),
                        faults);
            case DEFAULT -> {
                Object given = value(of.getDefault().getPrimary(), where, block, faults);
                yield given != null ? given : usual(of.getDefault(), where, block, faults);
            }
            case LITERAL -> literal(of.getLiteral(), ValueType.Plain.ANY);
            case BLOCK_NOT_SET -> null;
        };
    }

    /** A value that is only written down in the schema has the type of what it stands for. */
    private @Nullable Object usual(SpecProto.Default of, String where, Map<String, ?> block, List<String> faults) {
        Spec otherwise = of.getDefault();
        return otherwise.hasLiteral() && of.getPrimary().hasAttr()
                ? literal(otherwise.getLiteral(), type(of.getPrimary().getAttr().getType()))
                : value(otherwise, where, block, faults);
    }

    private static @Nullable Object attribute(
            SpecProto.Attr of, String where, Map<String, ?> block, List<String> faults) {
        require(of.getRequired(), of.getName(), where, block, faults);
        return type(of.getType()).read(inside(where, of.getName()), block.get(of.getName()), faults);
    }

    private static void require(
            boolean required, String name, String where, Map<String, ?> block, List<String> faults) {
        if (required && block.get(name) == null) {
            faults.add(where + " has no '" + name + "', which has to be there");
        }
    }

    private List<@Nullable Object> each(
            String name, Spec nested, String where, List<Map<String, Object>> all, List<String> faults) {
        List<@Nullable Object> values = new ArrayList<>();
        for (Map<String, Object> one : all) {
            values.add(body(nested, inside(where, name) + "[" + values.size() + "]", one, faults));
        }
        return values;
    }

    private @Nullable Object labelled(
            SpecProto.BlockMap of, int label, String where, @Nullable Object given, List<String> faults) {
        Map<String, @Nullable Object> values = new TreeMap<>();
        for (Map<String, Object> part : maps(given, where, faults)) {
            part.forEach((name, inner) -> {
                String place = inside(where, name);
                if (label + 1 < of.getLabelsCount()) {
                    values.put(name, labelled(of, label + 1, place, inner, faults));
                    return;
                }
                List<Map<String, Object>> bodies = maps(inner, place, faults);
                if (bodies.size() > 1) {
                    faults.add(place + " stands " + bodies.size() + " times; expected once");
                } else if (bodies.size() == 1) {
                    values.put(name, body(of.getNested(), place, bodies.get(0), faults));
                }
            });
        }
        return values;
    }

    /** The blocks of that name; {@code most} of 0 is any number. */
    private static List<Map<String, Object>> blocks(
            String name, String where, Map<String, ?> block, long least, long most, List<String> faults) {
        List<Map<String, Object>> all = maps(block.get(name), inside(where, name), faults);
        if (all.size() < least || (most > 0 && all.size() > most)) {
            faults.add(where
                    + " has the block '"
                    + name
                    + "' "
                    + all.size()
                    + " times; expected "
                    + (most == least ? "" + least : most > 0 ? least + " to " + most : "at least " + least));
        }
        return all;
    }

    /** A block is a map; several of a name are a list of such. */
    private static List<Map<String, Object>> maps(@Nullable Object given, String where, List<String> faults) {
        List<Map<String, Object>> maps = new ArrayList<>();
        List<?> parts = given instanceof List<?> list ? list : given == null ? List.of() : List.of(given);
        for (Object part : parts) {
            if (part instanceof Map<?, ?> map) {
                Map<String, Object> copy = new TreeMap<>();
                map.forEach((name, one) -> copy.put(String.valueOf(name), one));
                maps.add(copy);
            } else {
                faults.add(where + " must be a block, it is: " + part);
            }
        }
        return maps;
    }

    private static String inside(String where, String name) {
        return where + "." + name;
    }

    private static ValueType type(String text) {
        try {
            return TypeExpression.read(text);
        } catch (DriverTrouble unreadable) {
            throw new IllegalStateException("it was read before", unreadable);
        }
    }

    private static @Nullable Object literal(SpecProto.Literal of, ValueType type) {
        return type.read("", parsed(of.getValue()).orElse(null), new ArrayList<>());
    }

    /** What stands in a schema as an expression: texts, numbers, truth values, and lists of such. */
    private static Optional<Object> parsed(String text) {
        return Optional.ofNullable(LITERALS.readValue(text, Object.class));
    }

    private static void requireReadable(Spec of, int depth) throws DriverTrouble {
        if (depth > DEEPEST) {
            throw unreadable("it is deeper than " + DEEPEST);
        }
        switch (of.getBlockCase()) {
            case OBJECT -> {
                for (Spec each : of.getObject().getAttributesMap().values()) {
                    requireReadable(each, depth + 1);
                }
            }
            case ARRAY -> {
                for (Spec each : of.getArray().getValuesList()) {
                    requireReadable(each, depth + 1);
                }
            }
            case ATTR -> TypeExpression.read(of.getAttr().getType());
            case BLOCK_ATTRS -> TypeExpression.read(of.getBlockAttrs().getType());
            case BLOCK_VALUE -> requireReadable(of.getBlockValue().getNested(), depth + 1);
            case BLOCK_LIST -> requireReadable(of.getBlockList().getNested(), depth + 1);
            case BLOCK_SET -> requireReadable(of.getBlockSet().getNested(), depth + 1);
            case BLOCK_MAP -> requireReadable(of.getBlockMap().getNested(), depth + 1);
            case DEFAULT -> {
                requireReadable(of.getDefault().getPrimary(), depth + 1);
                requireReadable(of.getDefault().getDefault(), depth + 1);
            }
            case LITERAL -> {
                try {
                    parsed(of.getLiteral().getValue());
                } catch (JacksonException none) {
                    throw unreadable("the value " + of.getLiteral().getValue() + " is not known");
                }
            }
            case BLOCK_NOT_SET -> {}
        }
    }

    private static DriverTrouble unreadable(String why) {
        return new DriverTrouble("the plugin's schema cannot be read: " + why, Effect.NONE, Retry.NEVER);
    }
}
