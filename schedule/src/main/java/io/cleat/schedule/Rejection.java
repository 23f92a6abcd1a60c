package io.cleat.schedule;

import io.cleat.model.VolumeId;
import io.cleat.state.Fit;
import org.jspecify.annotations.Nullable;

/**
 * Why a node was left out.
 *
 * @param reason the words that users and tools see
 * @param volume the volume that is to blame; absent if none is
 * @param unusable why nobody's release helps, of a volume that is to blame; absent if one may
 */
record Rejection(String reason, @Nullable VolumeId volume, Fit.@Nullable Unusable unusable) {
    Rejection(String reason, VolumeId volume) {
        this(reason, volume, null);
    }

    static Rejection of(String reason) {
        return new Rejection(reason, null, null);
    }
}
