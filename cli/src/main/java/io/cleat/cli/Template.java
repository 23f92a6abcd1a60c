package io.cleat.cli;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The part of Go's templates that scripts use to pick fields: {@code {{.ID}}}, {@code
 * {{.Stats.Free}}}, {@code {{.}}} and {@code {{range .Items}}...{{end}}}. Anything else is refused
 * by name, since half an answer would be taken for a whole one.
 */
final class Template {
    /** A piece of a template. */
    private sealed interface Part {
        record Text(String text) implements Part {}

        record Field(List<String> path) implements Part {}

        record Range(List<String> path, List<Part> body) implements Part {}
    }

    private final String source;
    private int at;
    private int open;

    private Template(String source) {
        this.source = source;
    }

    /** What {@code source} prints of {@code value}. */
    static String render(String source, JsonNode value) throws Failure {
        List<Part> parts = new Template(source).parts();
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            print(part, value, out);
        }
        return out.toString();
    }

    private List<Part> parts() throws Failure {
        List<Part> parts = new ArrayList<>();
        while (at < source.length()) {
            int start = source.indexOf("{{", at);
            if (start < 0) {
                parts.add(new Part.Text(source.substring(at)));
                at = source.length();
                break;
            }
            if (start > at) {
                parts.add(new Part.Text(source.substring(at, start)));
            }
            int end = source.indexOf("}}", start);
            if (end < 0) {
                throw new Failure("template: {{ without }}");
            }
            String action = source.substring(start + 2, end).strip();
            at = end + 2;
            if (action.equals("end")) {
                if (open == 0) {
                    throw new Failure("template: {{end}} without {{range}}");
                }
                open--;
                return parts;
            }
            if (action.startsWith("range ")) {
                open++;
                int before = open;
                List<Part> body = parts();
                if (open == before) {
                    throw new Failure("template: {{range}} without {{end}}");
                }
                parts.add(new Part.Range(path(action.substring(6).strip()), body));
            } else {
                parts.add(new Part.Field(path(action)));
            }
        }
        return parts;
    }

    private static List<String> path(String expression) throws Failure {
        if (expression.equals(".")) {
            return List.of();
        }
        if (!expression.matches("(\\.[A-Za-z_][A-Za-z0-9_]*)+")) {
            throw new Failure(
                    "template: \"{{%s}}\" is not understood".formatted(expression),
                    "fields ({{.A.B}}) and {{range .A}}...{{end}} are; for more use -json and a"
                            + " JSON tool");
        }
        return List.of(expression.substring(1).split("\\.", -1));
    }

    private static void print(Part part, JsonNode value, StringBuilder out) throws Failure {
        switch (part) {
            case Part.Text text -> out.append(text.text());
            case Part.Field field -> {
                JsonNode found = follow(field.path(), value);
                out.append(found.isValueNode() ? scalar(found) : found.toString());
            }
            case Part.Range range -> {
                for (JsonNode item : follow(range.path(), value)) {
                    for (Part inner : range.body()) {
                        print(inner, item, out);
                    }
                }
            }
        }
    }

    private static String scalar(JsonNode value) {
        return value.isNull() ? "<nil>" : value.asString();
    }

    private static JsonNode follow(List<String> path, JsonNode value) throws Failure {
        JsonNode found = value;
        for (String name : path) {
            JsonNode next = found.get(name);
            if (next == null) {
                throw new Failure(
                        found.isObject()
                                ? "template: there is no field " + name + " in the answer"
                                : "template: ." + name + " is asked of something without fields",
                        "what there is: -json");
            }
            found = next;
        }
        return found;
    }
}
