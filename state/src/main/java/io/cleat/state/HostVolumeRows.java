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

    /** Whether another of its namespace has its name, as one of another node may. */
    boolean hasNamesake(HostVolumeRow row) {
        VolumeId name = new VolumeId(row.spec().namespace(), row.spec().name());
        return table.find(Tables.HOST_VOLUMES_BY_NAME, name).size() > 1;
    }

    public List<HostVolumeRow> onNode(String nodeId) {
        return table.find(Tables.HOST_VOLUMES_BY_NODE, nodeId);
    }
}
