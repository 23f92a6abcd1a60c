package io.cleat.state;

import io.cleat.model.HostVolumeNames;
import io.cleat.model.VolumeId;

/** What messages call a volume. */
public final class VolumeLabel {
    private static final int SHORT_ID = 8;

    private VolumeLabel() {}

    /**
     * The id of a CSI volume, which people chose; the name of a host volume, with the beginning of its id where another
     * has that name, or where only the id is known any more.
     */
    public static String of(ClusterState state, VolumeId volume) {
        if (!HostVolumeNames.isFor(volume)) {
            return volume.id();
        }
        String id = HostVolumeNames.id(volume);
        String brief = id.substring(0, Math.min(SHORT_ID, id.length()));
        return HostVolumeRow.find(state, volume)
                .map(row -> state.hostVolumes().hasNamesake(row)
                        ? row.spec().name() + " (" + brief + ")"
                        : row.spec().name())
                .orElse(brief);
    }
}
