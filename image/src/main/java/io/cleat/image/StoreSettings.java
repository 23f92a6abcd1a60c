package io.cleat.image;

import io.cleat.artifact.AddressRange;
import io.cleat.artifact.Confinement;
import io.cleat.driver.registry.RegistryLogins;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What an operator says of images.
 *
 * @param limits of one image
 * @param user as whom images are unpacked: a number of user and group that nobody else has
 * @param allowed the addresses of the machine and its link that images may be pulled from
 * @param authConfig a file in the form of Docker's {@code config.json}; empty for none
 * @param authHelper of {@code docker-credential-NAME} the name; empty for none
 * @param keep how long a layer stays that no task uses; empty for ever
 */
public record StoreSettings(
        UnpackLimits limits,
        long user,
        List<AddressRange> allowed,
        Optional<Path> authConfig,
        String authHelper,
        Optional<Duration> keep) {
    public StoreSettings {
        allowed = List.copyOf(allowed);
    }

    /** The usual limits and user; an hour. */
    public static StoreSettings standard() {
        return new StoreSettings(
                UnpackLimits.standard(),
                Confinement.USUAL_USER,
                List.of(),
                Optional.empty(),
                "",
                Optional.of(Duration.ofHours(1)));
    }

    /** The same, from some addresses of the machine. */
    public StoreSettings allowing(List<AddressRange> addresses) {
        return new StoreSettings(limits, user, addresses, authConfig, authHelper, keep);
    }

    RegistryLogins logins() {
        return new RegistryLogins(authConfig, authHelper);
    }
}
