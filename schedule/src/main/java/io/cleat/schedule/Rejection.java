package io.cleat.schedule;

import io.cleat.model.VolumeId;
import org.jspecify.annotations.Nullable;

/**
 * Why a node was left out.
 *
 * @param reason the words that users and tools see
 * @param volume the volume that is to blame; absent if none is
 */
record Rejection(String reason, @Nullable VolumeId volume) {
    static Rejection of(String reason) {
        return new Rejection(reason, null);
    }
}
