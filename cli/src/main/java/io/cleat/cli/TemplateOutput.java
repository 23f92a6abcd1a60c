package io.cleat.cli;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.template.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Answers as a user's template prints them. */
final class TemplateOutput {
    private TemplateOutput() {}

    /** What {@code template} prints of {@code value}, whose fields are those of its JSON. */
    static String of(String template, Object value) throws Failure {
        try {
            return Template.parse("-t", template, Map.of()).render(plain(Json.toTree(value)), Template.Options.STRICT);
        } catch (Refused refused) {
            throw new Failure(refused.refusal().message(), "what fields there are: -json");
        }
    }

    private static @Nullable Object plain(JsonNode node) {
        if (node.isObject()) {
            Map<String, @Nullable Object> fields = new TreeMap<>();
            node.properties().forEach(each -> fields.put(each.getKey(), plain(each.getValue())));
            return fields;
        }
        if (node.isArray()) {
            List<@Nullable Object> items = new ArrayList<>();
            node.forEach(item -> items.add(plain(item)));
            return items;
        }
        if (node.isNull()) {
            return null;
        }
        if (node.isNumber()) {
            return node.numberValue();
        }
        return node.isBoolean() ? (Object) node.booleanValue() : node.asString();
    }
}
