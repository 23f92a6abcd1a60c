package io.cleat.jobspec;

import io.cleat.jobspec.Shape.Nested;
import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.Misuse;
import io.cleat.jobspec.hcl.Nearest;
import io.cleat.jobspec.hcl.Span;
import io.cleat.jobspec.hcl.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON that has the names of the language, to the names of the API. */
final class NamedTree {
    private final Faults faults;

    NamedTree(Faults faults) {
        this.faults = faults;
    }

    Tree.Fields rename(Shape shape, Tree.Fields given) {
        Tree.Fields fields = new Tree.Fields(given.at());
        given.fields().forEach((name, field) -> {
            Shape.Attribute attribute = shape.attributes().get(name);
            Nested nested = shape.blocks().get(name);
            if (attribute != null) {
                put(name, attribute.json(), attribute.kind(), field, fields);
            } else if (nested != null) {
                block(name, nested, field, fields);
            } else {
                faults.add(
                        field.nameAt(),
                        "Unsupported argument",
                        "A key \"" + name + "\" is not expected here." + Nearest.hint(name, shape.names()));
            }
        });
        for (String name : shape.required()) {
            if (!given.fields().containsKey(name)) {
                faults.add(
                        given.at(),
                        "Missing argument",
                        "A %s has \"%s\"; there is none here.".formatted(shape.name(), name));
            }
        }
        return fields;
    }

    private void put(String name, String json, Kind kind, Tree.Field field, Tree.Fields to) {
        Value value = value(field.value());
        if (value instanceof Value.Null) {
            return;
        }
        Span at = field.value().at();
        try {
            to.put(json, field.nameAt(), kind.read(value, at));
        } catch (Misuse e) {
            faults.add(at, "Invalid value for \"" + name + "\"", e.detail());
        }
    }

    private void block(String name, Nested nested, Tree.Field field, Tree.Fields to) {
        if (nested.repeat().isMap()) {
            put(name, nested.json(), nested.repeat().whole(), field, to);
            return;
        }
        List<Tree> given = field.value() instanceof Tree.Many many ? many.items() : List.of(field.value());
        List<Tree> blocks = new ArrayList<>();
        for (Tree block : given) {
            if (block instanceof Tree.Fields fields) {
                blocks.add(rename(nested.shape(), fields));
            } else {
                faults.add(
                        block.at(),
                        "Invalid value for \"" + name + "\"",
                        "Expected an object, given " + value(block).kind() + ".");
            }
        }
        if (nested.repeat() == Repeat.LIST) {
            to.put(
                    nested.json(),
                    field.nameAt(),
                    new Tree.Many(blocks, field.value().at()));
        } else if (blocks.size() > 1) {
            faults.add(
                    field.value().at(),
                    "Duplicate block",
                    "\"" + name + "\" can be there once, given " + blocks.size() + ".");
        } else if (blocks.size() == 1 && blocks.getFirst() instanceof Tree.Fields one) {
            Tree unwrapped = one.get(Shape.UNWRAPPED);
            to.put(nested.json(), field.nameAt(), unwrapped == null ? one : unwrapped);
        }
    }

    /** A tree as a value of the language. */
    static Value value(Tree tree) {
        return switch (tree) {
            case Tree.Scalar(Object value, var _) ->
                switch (value) {
                    case null -> new Value.Null();
                    case Boolean bool -> new Value.Bool(bool);
                    case BigDecimal number -> new Value.Num(number);
                    default -> new Value.Str(value.toString());
                };
            case Tree.Many many ->
                new Value.Items(many.items().stream().map(NamedTree::value).toList());
            case Tree.Fields fields -> {
                Map<String, Value> values = new LinkedHashMap<>();
                fields.fields().forEach((name, field) -> values.put(name, value(field.value())));
                yield new Value.Fields(values);
            }
        };
    }
}
