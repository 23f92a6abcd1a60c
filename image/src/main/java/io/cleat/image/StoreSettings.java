package io.cleat.image;

import io.cleat.artifact.Confinement;
import java.time.Duration;
import java.util.Optional;

/**
 * What an operator says of images.
 *
 * @param limits of one image
 * @param user as whom images are unpacked: a number of user and group that nobody else has
 * @param keep how long a layer stays that no task uses; empty for ever
 */
public record StoreSettings(UnpackLimits limits, long user, Optional<Duration> keep) {
    /** The usual limits and user; an hour. */
    public static StoreSettings standard() {
        return new StoreSettings(
                UnpackLimits.standard(), Confinement.USUAL_USER, Optional.of(Duration.ofHours(1)));
    }
}
