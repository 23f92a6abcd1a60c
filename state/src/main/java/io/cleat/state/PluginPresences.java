package io.cleat.state;

import io.cleat.model.PluginInstance;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/** What the instances of each plugin that has some are together; kept with each change of a node. Immutable. */
record PluginPresences(TreePMap<String, PluginPresence> byPlugin) {
    static final PluginPresences NONE = new PluginPresences(TreePMap.empty());

    PluginPresence of(String pluginId) {
        return byPlugin.getOrDefault(pluginId, PluginPresence.NONE);
    }

    /**
     * Once a node has changed.
     *
     * @param old null if it is new
     * @param row null if it goes
     */
    PluginPresences moved(@Nullable NodeRow old, @Nullable NodeRow row) {
        if (old != null && row != null && isAlike(old, row)) {
            return this;
        }
        PluginPresences without = old == null ? this : counted(old, -1);
        return row == null ? without : without.counted(row, 1);
    }

    private PluginPresences counted(NodeRow node, int more) {
        TreePMap<String, PluginPresence> counted = byPlugin;
        for (PluginInstance instance : node.facts().plugins()) {
            String id = instance.pluginId();
            PluginPresence now = counted.getOrDefault(id, PluginPresence.NONE).with(node, instance, more);
            counted = now.counts().all() == 0 ? counted.minus(id) : counted.plus(id, now);
        }
        return new PluginPresences(counted);
    }

    /** Whether a node's plugins count the same, as most changes of a node leave them. */
    static boolean isAlike(NodeRow old, NodeRow row) {
        return old.status() == row.status()
                && old.facts().plugins().equals(row.facts().plugins());
    }
}
