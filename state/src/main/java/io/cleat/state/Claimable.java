package io.cleat.state;

import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import java.util.List;
import java.util.Optional;

/** A volume that allocations claim: of a CSI plugin, or of a node. */
public interface Claimable {
    /** The id that claims of it name. */
    VolumeId id();

    /** What excludes other users. */
    VolumeKey key();

    /** In which ways it may be used. */
    List<VolumeModes> capabilities();

    /** The volume that a claim names. */
    static Optional<Claimable> find(ClusterState state, VolumeId id) {
        Optional<Claimable> ofHost = HostVolumeRow.find(state, id).map(Claimable.class::cast);
        return ofHost.isPresent() ? ofHost : state.volume(id).map(Claimable.class::cast);
    }
}
