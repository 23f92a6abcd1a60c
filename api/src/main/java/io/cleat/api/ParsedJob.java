package io.cleat.api;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The JSON of a job that was only parsed: other than a stored job it shows the blocks that are folded into groups, and
 * leaves out the plugin block where there is none.
 */
public final class ParsedJob {
    private ParsedJob() {}

    /** {@code job} as {@code /v1/jobs/parse} answers it. */
    public static JsonNode json(Job job) {
        ObjectNode object = (ObjectNode) Json.toTree(job);
        showNull(object, "Migrate");
        showNull(object, "Reschedule");
        for (JsonNode group : object.path("TaskGroups")) {
            for (JsonNode task : group.path("Tasks")) {
                if (task.path("CSIPluginConfig").isNull()) {
                    ((ObjectNode) task).remove("CSIPluginConfig");
                }
                if (task.path("LogConfig") instanceof ObjectNode logs) {
                    showNull(logs, "Enabled");
                }
            }
        }
        return object;
    }

    /** Adds a null where the name belongs in the order of names. */
    private static void showNull(ObjectNode object, String name) {
        if (object.has(name)) {
            return;
        }
        object.putNull(name);
        List<String> names = new ArrayList<>(object.propertyNames());
        for (String later : names) {
            if (later.compareTo(name) > 0) {
                JsonNode value = object.remove(later);
                object.set(later, value);
            }
        }
    }
}
