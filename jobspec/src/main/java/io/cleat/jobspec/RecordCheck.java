package io.cleat.jobspec;

import io.cleat.api.RawJson;
import io.cleat.base.Secrets;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.Nearest;
import io.cleat.jobspec.hcl.Span;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Compares a JSON document with the record it is to become: all that does not fit is a fault with its place, where the
 * decoder would stop at the first and not know the place.
 */
final class RecordCheck {
    private final Faults faults;

    RecordCheck(Faults faults) {
        this.faults = faults;
    }

    /** The document with the names as the record has them, which JSON may write in any case. */
    Tree check(Tree tree, Type type) {
        if (tree instanceof Tree.Scalar(Object value, var _) && value == null) {
            return tree;
        }
        if (type instanceof ParameterizedType generic) {
            return generic.getRawType() == List.class
                    ? list(tree, generic.getActualTypeArguments()[0])
                    : map(tree, generic.getActualTypeArguments()[1]);
        }
        if (type == Secrets.class) {
            return map(tree, String.class);
        }
        if (!(type instanceof Class<?> plain) || plain == RawJson.class || plain == Object.class) {
            return tree;
        }
        if (plain.isRecord()) {
            return record(tree, plain);
        }
        if (plain == String.class) {
            expect(tree, String.class, "a string");
        } else if (plain == boolean.class || plain == Boolean.class) {
            expect(tree, Boolean.class, "true or false");
        } else if (plain == int.class || plain == Integer.class) {
            whole(tree, Integer.MIN_VALUE, Integer.MAX_VALUE);
        } else if (plain == long.class || plain == Long.class) {
            whole(tree, Long.MIN_VALUE, Long.MAX_VALUE);
        }
        return tree;
    }

    private void wrong(Tree tree, String expected) {
        faults.add(
                tree.at(),
                "Invalid value",
                "Expected " + expected + ", given " + NamedTree.value(tree).kind() + ".");
    }

    private void expect(Tree tree, Class<?> type, String words) {
        if (!(tree instanceof Tree.Scalar(Object value, var _)) || !type.isInstance(value)) {
            wrong(tree, words);
        }
    }

    private void whole(Tree tree, long least, long most) {
        if (!(tree instanceof Tree.Scalar(Object value, var _)) || !(value instanceof BigDecimal number)) {
            wrong(tree, "a whole number");
            return;
        }
        boolean fits = number.stripTrailingZeros().scale() <= 0
                && number.compareTo(BigDecimal.valueOf(least)) >= 0
                && number.compareTo(BigDecimal.valueOf(most)) <= 0;
        if (!fits) {
            faults.add(tree.at(), "Invalid value", "Expected a whole number from " + least + " to " + most + ".");
        }
    }

    private Tree list(Tree tree, Type of) {
        if (!(tree instanceof Tree.Many(List<Tree> items, Span at))) {
            wrong(tree, "a list");
            return tree;
        }
        List<Tree> checked = new ArrayList<>();
        items.forEach(item -> checked.add(check(item, of)));
        return new Tree.Many(checked, at);
    }

    private Tree map(Tree tree, Type of) {
        if (!(tree instanceof Tree.Fields given)) {
            wrong(tree, "an object");
            return tree;
        }
        Tree.Fields checked = new Tree.Fields(given.at());
        given.fields().forEach((name, field) -> checked.put(name, field.nameAt(), check(field.value(), of)));
        return checked;
    }

    private Tree record(Tree tree, Class<?> type) {
        if (!(tree instanceof Tree.Fields given)) {
            wrong(tree, "an object");
            return tree;
        }
        List<RecordComponent> components = Arrays.asList(type.getRecordComponents());
        Tree.Fields checked = new Tree.Fields(given.at());
        given.fields().forEach((name, field) -> field(name, field, components, checked));
        return checked;
    }

    private void field(String name, Tree.Field field, List<RecordComponent> known, Tree.Fields checked) {
        Optional<RecordComponent> component =
                known.stream().filter(c -> c.getName().equalsIgnoreCase(name)).findFirst();
        if (component.isPresent()) {
            RecordComponent of = component.get();
            checked.put(of.getName(), field.nameAt(), check(field.value(), of.getGenericType()));
            return;
        }
        // A null asks for nothing, so it is no harm that the name is not known.
        if (!(field.value() instanceof Tree.Scalar(Object value, var _)) || value != null) {
            List<String> names = known.stream().map(RecordComponent::getName).toList();
            faults.add(
                    field.nameAt(),
                    "Unsupported key",
                    "This version of Cleat does not know the key \"" + name + "\" here." + Nearest.hint(name, names));
        }
    }
}
