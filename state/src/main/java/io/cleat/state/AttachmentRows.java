package io.cleat.state;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The attachments of one image. */
public final class AttachmentRows {
    private final Table<AttachmentId, AttachmentRow> table;

    AttachmentRows(Table<AttachmentId, AttachmentRow> table) {
        this.table = table;
    }

    public Optional<AttachmentRow> get(AttachmentId id) {
        return Optional.ofNullable(table.get(id));
    }

    public Collection<AttachmentRow> all() {
        return table.all();
    }

    public List<AttachmentRow> of(VolumeKey key) {
        return table.find(Tables.ATTACHMENTS_BY_KEY, key);
    }

    public List<AttachmentRow> onNode(String nodeId) {
        return table.find(Tables.ATTACHMENTS_BY_NODE, nodeId);
    }

    /** Whether something is attached by the plugin, or is on its way to or from there. */
    public boolean hasAny(String pluginId) {
        return table.has(Tables.ATTACHMENTS_BY_PLUGIN, pluginId);
    }
}
