package io.cleat.state;

import io.cleat.model.VolumeId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The host volumes of one image that nodes make. */
public final class HostVolumeRows {
    private final Table<VolumeId, HostVolumeRow> table;

    HostVolumeRows(Table<VolumeId, HostVolumeRow> table) {
        this.table = table;
    }

    /** The one with that key, of which there is one at most. */
    public Optional<HostVolumeRow> find(VolumeKey key) {
        return table.find(Tables.HOST_VOLUMES_BY_KEY, key).stream().findFirst();
    }

    /** By namespace and id; all from {@link HostVolumeRow#FIRST} on. */
    public Collection<HostVolumeRow> from(VolumeId id) {
        return table.from(id);
    }

    /** Those of which a node has not answered yet. */
    public Collection<HostVolumeRow> ordered() {
        return table.each(Tables.HOST_VOLUMES_BY_ORDER, true);
    }

    public List<HostVolumeRow> onNode(String nodeId) {
        return table.find(Tables.HOST_VOLUMES_BY_NODE, nodeId);
    }
}
