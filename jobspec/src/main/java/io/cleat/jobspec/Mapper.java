package io.cleat.jobspec;

import io.cleat.jobspec.Shape.Nested;
import io.cleat.jobspec.Shape.Repeat;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.LiveBody;
import io.cleat.jobspec.hcl.LiveBody.LiveAttribute;
import io.cleat.jobspec.hcl.LiveBody.LiveBlock;
import io.cleat.jobspec.hcl.LiveBody.LiveLabel;
import io.cleat.jobspec.hcl.Misuse;
import io.cleat.jobspec.hcl.Nearest;
import io.cleat.jobspec.hcl.Span;
import io.cleat.jobspec.hcl.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns a file in the language into the tree that JSON would give, by its {@link Shape}. */
final class Mapper {
    private final Faults faults;

    Mapper(Faults faults) {
        this.faults = faults;
    }

    /** One block. */
    Tree.Fields map(Shape shape, LiveBlock block) {
        Tree.Fields fields = new Tree.Fields(block.typeAt());
        label(shape, block, fields);
        body(shape, block.body(), block.typeAt(), fields);
        return fields;
    }

    /** What stands in a block, or in a whole file. */
    void body(Shape shape, LiveBody body, Span at, Tree.Fields fields) {
        Set<String> given = new LinkedHashSet<>();
        for (LiveAttribute attribute : body.attributes().values()) {
            given.add(attribute.name());
            if (faults.isFull()) {
                return;
            }
            attribute(shape, attribute, fields);
        }
        Map<String, Span> first = new HashMap<>();
        for (LiveBlock block : body.blocks()) {
            given.add(block.type());
            block(shape, block, fields, first);
        }
        for (String name : shape.required()) {
            if (!given.contains(name) && !body.isBroken()) {
                boolean isBlock = shape.blocks().containsKey(name);
                faults.add(
                        at,
                        isBlock ? "Missing block" : "Missing argument",
                        "A %s has %s \"%s\"; there is none here."
                                .formatted(shape.name(), isBlock ? "a block" : "an argument", name));
            }
        }
        shape.finish().apply(fields, at, faults);
    }

    private void label(Shape shape, LiveBlock block, Tree.Fields fields) {
        int expected = shape.label().isPresent() ? 1 : 0;
        List<LiveLabel> labels = block.labels();
        if (labels.size() > expected) {
            faults.add(
                    labels.get(expected).at(),
                    "Extraneous label",
                    "A %s has %s.".formatted(shape.name(), expected == 0 ? "no label" : "one label, its name"));
        }
        if (labels.size() < expected) {
            faults.add(block.typeAt(), "Missing name", "Expected %s \"NAME\" {...}.".formatted(block.type()));
        } else if (expected == 1) {
            LiveLabel name = labels.getFirst();
            if (name.text().isEmpty()) {
                faults.add(name.at(), "Missing name", "The name is empty.");
            }
            shape.label().ifPresent(json -> fields.put(json, name.at(), new Tree.Scalar(name.text(), name.at())));
        }
    }

    private void attribute(Shape shape, LiveAttribute attribute, Tree.Fields fields) {
        Shape.Attribute known = shape.attributes().get(attribute.name());
        Nested nested = shape.blocks().get(attribute.name());
        if (known != null) {
            put(known.json(), known.kind(), attribute, fields);
        } else if (nested != null && nested.repeat().isMap()) {
            put(nested.json(), nested.repeat().whole(), attribute, fields);
        } else if (nested != null) {
            faults.add(
                    attribute.nameAt(),
                    "Unsupported argument",
                    "\"%s\" is a block; write %s {...} without \"=\".".formatted(attribute.name(), attribute.name()));
        } else {
            unknown(
                    shape,
                    attribute.name(),
                    attribute.nameAt(),
                    "Unsupported argument",
                    "An argument named \"%s\" is not expected here.".formatted(attribute.name()));
        }
    }

    private void put(String json, Kind kind, LiveAttribute attribute, Tree.Fields fields) {
        if (attribute.value().isBroken() || attribute.value() instanceof Value.Null) {
            return;
        }
        try {
            fields.put(json, attribute.nameAt(), kind.read(attribute.value(), attribute.at()));
        } catch (Misuse e) {
            faults.add(attribute.at(), "Invalid value for \"" + attribute.name() + "\"", e.detail());
        }
    }

    private void unknown(Shape shape, String name, Span at, String summary, String detail) {
        if (shape.later().contains(name)) {
            faults.addLater(
                    at,
                    "This version of Cleat does not support \"%s\" in a %s; take it out."
                            .formatted(name, shape.name()));
        } else {
            faults.add(at, summary, detail + Nearest.hint(name, shape.names()));
        }
    }

    private void block(Shape shape, LiveBlock block, Tree.Fields fields, Map<String, Span> first) {
        Nested nested = shape.blocks().get(block.type());
        if (nested == null) {
            boolean isAttribute = shape.attributes().containsKey(block.type());
            unknown(
                    shape,
                    block.type(),
                    block.typeAt(),
                    "Unsupported block type",
                    isAttribute
                            ? "\"%s\" is an argument; write %s = ...".formatted(block.type(), block.type())
                            : "Blocks of type \"%s\" are not expected here.".formatted(block.type()));
            return;
        }
        boolean once = nested.repeat() != Repeat.LIST && nested.repeat() != Repeat.BY_LABEL;
        String identity = block.type();
        if (!once && nested.shape().label().isPresent() && !block.labels().isEmpty()) {
            identity += " \"" + block.labels().getFirst().text() + "\"";
            once = true;
        }
        Span place = block.labels().isEmpty()
                ? block.typeAt()
                : block.labels().getFirst().at();
        Span earlier = once ? first.putIfAbsent(identity, place) : null;
        Tree.Field asAttribute = nested.repeat().isMap() ? fields.fields().get(nested.json()) : null;
        if (earlier == null && asAttribute != null) {
            earlier = asAttribute.nameAt();
        }
        if (earlier != null) {
            faults.add(
                    place,
                    "Duplicate block",
                    "%s was already given at %s; it can be there once.".formatted(identity, earlier.place()));
            return;
        }
        switch (nested.repeat()) {
            case ONCE -> {
                Tree.Fields inner = map(nested.shape(), block);
                Tree unwrapped = inner.get(Shape.UNWRAPPED);
                fields.put(nested.json(), block.typeAt(), unwrapped == null ? inner : unwrapped);
            }
            case LIST -> list(fields, nested, block).add(map(nested.shape(), block));
            case BY_LABEL -> {
                Tree.Fields inner = map(nested.shape(), block);
                if (!block.labels().isEmpty()) {
                    String label = block.labels().getFirst().text();
                    byLabel(fields, nested, block).put(label, place, inner);
                }
            }
            case MAP, LISTS -> texts(fields, nested, block);
            case OPAQUE -> {
                label(nested.shape(), block, fields);
                fields.put(nested.json(), block.typeAt(), opaque(block.body(), block.typeAt()));
            }
        }
    }

    private static List<Tree> list(Tree.Fields fields, Nested nested, LiveBlock block) {
        if (fields.get(nested.json()) instanceof Tree.Many many) {
            return many.items();
        }
        Tree.Many many = new Tree.Many(new ArrayList<>(), block.typeAt());
        fields.put(nested.json(), block.typeAt(), many);
        return many.items();
    }

    private static Tree.Fields byLabel(Tree.Fields fields, Nested nested, LiveBlock block) {
        if (fields.get(nested.json()) instanceof Tree.Fields known) {
            return known;
        }
        Tree.Fields made = new Tree.Fields(block.typeAt());
        fields.put(nested.json(), block.typeAt(), made);
        return made;
    }

    private void texts(Tree.Fields fields, Nested nested, LiveBlock block) {
        label(nested.shape(), block, fields);
        Tree.Fields texts = new Tree.Fields(block.typeAt());
        for (LiveAttribute attribute : block.body().attributes().values()) {
            put(attribute.name(), nested.repeat().each(), attribute, texts);
        }
        for (LiveBlock inner : block.body().blocks()) {
            faults.add(
                    inner.typeAt(),
                    "Unsupported block type",
                    "\"%s\" has only lines NAME = VALUE in it.".formatted(block.type()));
        }
        fields.put(nested.json(), block.typeAt(), texts);
    }

    /** What a driver reads: attributes as they are, blocks as lists of objects. */
    private Tree.Fields opaque(LiveBody body, Span at) {
        Tree.Fields fields = new Tree.Fields(at);
        for (LiveAttribute attribute : body.attributes().values()) {
            fields.put(attribute.name(), attribute.nameAt(), Kind.tree(attribute.value(), attribute.at()));
        }
        Map<String, List<Tree>> blocks = new LinkedHashMap<>();
        for (LiveBlock block : body.blocks()) {
            LiveAttribute twin = body.attributes().get(block.type());
            if (twin != null) {
                faults.add(
                        block.typeAt(),
                        "Duplicate block",
                        "\"%s\" was already set as an argument at %s."
                                .formatted(block.type(), twin.nameAt().place()));
                continue;
            }
            Tree inner = opaque(block.body(), block.typeAt());
            for (LiveLabel label : block.labels().reversed()) {
                Tree.Fields outer = new Tree.Fields(block.typeAt());
                outer.put(label.text(), label.at(), new Tree.Many(new ArrayList<>(List.of(inner)), block.typeAt()));
                inner = outer;
            }
            blocks.computeIfAbsent(block.type(), _ -> new ArrayList<>()).add(inner);
        }
        blocks.forEach((type, all) -> fields.put(type, at, new Tree.Many(all, at)));
        return fields;
    }
}
