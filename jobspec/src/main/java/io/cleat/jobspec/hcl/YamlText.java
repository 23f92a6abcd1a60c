package io.cleat.jobspec.hcl;

import io.cleat.jobspec.hcl.Value.Fields;
import io.cleat.jobspec.hcl.Value.Items;
import java.util.Map;

/** Values as YAML: lists and objects as indented blocks, all else as JSON, which is YAML too. */
final class YamlText {
    private YamlText() {}

    static String of(Value value) throws Misuse {
        BoundedText out = new BoundedText();
        if (isBlock(value)) {
            block(value, 0, "", out);
        } else {
            out.add(JsonText.of(value)).add("\n");
        }
        return out.toString();
    }

    private static boolean isBlock(Value value) {
        return switch (value) {
            case Items items -> !items.items().isEmpty();
            case Fields fields -> !fields.fields().isEmpty();
            default -> false;
        };
    }

    /** {@code lead} stands before the first line instead of the indentation. */
    private static void block(Value value, int indent, String lead, BoundedText out) throws Misuse {
        String before = lead.isEmpty() ? " ".repeat(indent) : lead;
        switch (value) {
            case Items items -> {
                for (Value item : items.items()) {
                    out.add(before).add("-");
                    if (isBlock(item)) {
                        block(item, indent + 2, " ", out);
                    } else {
                        out.add(" ").add(JsonText.of(item)).add("\n");
                    }
                    before = " ".repeat(indent);
                }
            }
            case Fields fields -> {
                for (Map.Entry<String, Value> field : fields.fields().entrySet()) {
                    out.add(before).add(JsonText.quoted(field.getKey())).add(":");
                    Value inner = field.getValue();
                    if (isBlock(inner)) {
                        out.add("\n");
                        block(inner, inner instanceof Items ? indent : indent + 2, "", out);
                    } else {
                        out.add(" ").add(JsonText.of(inner)).add("\n");
                    }
                    before = " ".repeat(indent);
                }
            }
            default -> out.add(before).add(JsonText.of(value)).add("\n");
        }
    }
}
