package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Body.Attribute;
import io.cleat.jobspec.hcl.Body.Block;
import io.cleat.jobspec.hcl.Body.Label;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What stands between two braces, as values: names looked up, dynamic blocks unfolded. Computed when asked for. Not
 * thread-safe.
 */
public final class LiveBody {
    private static final Set<String> DYNAMIC = Set.of("for_each", "iterator", "labels");

    private final Body body;
    private final Scope scope;
    private final Evaluator evaluator;
    private @Nullable Map<String, LiveAttribute> attributes;
    private @Nullable List<LiveBlock> blocks;
    private boolean incomplete;

    /** {@code name = value}. */
    public record LiveAttribute(String name, Span nameAt, Value value, Span at) {}

    /** A block with its body. Blocks that a dynamic one made share their places. */
    public record LiveBlock(String type, Span typeAt, List<LiveLabel> labels, LiveBody body) {}

    /** A label of a block. */
    public record LiveLabel(String text, Span at) {}

    LiveBody(Body body, Scope scope, Evaluator evaluator) {
        this.body = body;
        this.scope = scope;
        this.evaluator = evaluator;
    }

    /** A part could not be read or computed, so what seems to be missing may be there. */
    public boolean isBroken() {
        blocks();
        return body.broken() || incomplete;
    }

    /** The attributes, in the order of the file. A value that cannot be computed is broken. */
    public Map<String, LiveAttribute> attributes() {
        Map<String, LiveAttribute> known = attributes;
        if (known == null) {
            known = new LinkedHashMap<>();
            for (Attribute a : body.attributes().values()) {
                Value value = evaluator.eval(a.value(), scope);
                // Many attributes may share one large value, which is written out for each.
                if (!evaluator.spend(value.weight(), a.nameAt())) {
                    value = new Value.Broken();
                }
                known.put(
                        a.name(),
                        new LiveAttribute(a.name(), a.nameAt(), value, a.value().at()));
            }
            attributes = known;
        }
        return known;
    }

    /** The blocks, in the order of the file. */
    public List<LiveBlock> blocks() {
        List<LiveBlock> known = blocks;
        if (known == null) {
            known = new ArrayList<>();
            for (Block block : body.blocks()) {
                if (block.type().equals("dynamic")) {
                    unfold(block, known);
                } else {
                    LiveBody inner = new LiveBody(block.body(), scope, evaluator);
                    known.add(new LiveBlock(block.type(), block.typeAt(), live(block.labels()), inner));
                }
            }
            blocks = known;
        }
        return known;
    }

    private static List<LiveLabel> live(List<Label> labels) {
        return labels.stream().map(l -> new LiveLabel(l.text(), l.at())).toList();
    }

    private void unfold(Block dynamic, List<LiveBlock> to) {
        if (dynamic.labels().size() != 1) {
            evaluator.fault(
                    dynamic.typeAt(),
                    "Invalid dynamic block",
                    "Expected dynamic \"BLOCK\", given " + dynamic.labels().size() + " labels.");
            return;
        }
        Map<String, Attribute> given = dynamic.body().attributes();
        for (Attribute attribute : given.values()) {
            if (!DYNAMIC.contains(attribute.name())) {
                evaluator.fault(
                        attribute.nameAt(),
                        "Unsupported argument",
                        "An argument named \""
                                + attribute.name()
                                + "\" is not expected in a dynamic block; what the blocks hold stands in content {...}."
                                + Nearest.hint(attribute.name(), DYNAMIC));
            }
        }
        List<Block> content = dynamic.body().blocks();
        Attribute each = given.get("for_each");
        if (each == null || content.size() != 1 || !content.getFirst().type().equals("content")) {
            if (!dynamic.body().broken()) {
                evaluator.fault(
                        dynamic.typeAt(),
                        "Invalid dynamic block",
                        "A dynamic block has for_each = ... and one content {...}.");
            }
            return;
        }
        Label type = dynamic.labels().getFirst();
        String iterator = iterator(given.get("iterator"), type.text());
        for (Scope inner : elements(each, iterator)) {
            List<LiveLabel> labels = labels(given.get("labels"), inner);
            LiveBody one = new LiveBody(content.getFirst().body(), inner, evaluator);
            to.add(new LiveBlock(type.text(), type.at(), labels, one));
        }
    }

    private String iterator(@Nullable Attribute attribute, String missing) {
        if (attribute == null) {
            return missing;
        }
        if (attribute.value() instanceof Expr.Root(String name, var _)) {
            return name;
        }
        evaluator.fault(attribute.value().at(), "Invalid dynamic block", "Expected iterator = NAME.");
        return missing;
    }

    private List<Scope> elements(Attribute each, String iterator) {
        Value of = evaluator.eval(each.value(), scope);
        List<Scope> scopes = new ArrayList<>();
        incomplete |= of.isBroken();
        if (of instanceof Value.Broken) {
            return scopes;
        }
        try {
            List<Convert.Element> elements = Convert.elements(of);
            if (!evaluator.spend((long) elements.size() * Limits.STEPS_PER_BLOCK, each.nameAt())) {
                incomplete = true;
                return scopes;
            }
            for (Convert.Element element : elements) {
                Value pair = new Value.Fields(Map.of("key", element.key(), "value", element.value()));
                scopes.add(scope.with(iterator, pair));
            }
        } catch (Misuse e) {
            evaluator.fault(each.value().at(), "Invalid dynamic block", e.detail());
        }
        return scopes;
    }

    private List<LiveLabel> labels(@Nullable Attribute attribute, Scope inner) {
        List<LiveLabel> labels = new ArrayList<>();
        if (attribute == null) {
            return labels;
        }
        Span at = attribute.value().at();
        Value value = evaluator.eval(attribute.value(), inner);
        try {
            if (!value.isBroken()) {
                for (Value label : Convert.items(value)) {
                    labels.add(new LiveLabel(Convert.text(label), at));
                }
            }
        } catch (Misuse e) {
            evaluator.fault(at, "Invalid label", e.detail());
        }
        return labels;
    }
}
