package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Secret;
import io.cleat.driver.registry.ImageName;
import io.cleat.driver.registry.RegistryLogin;
import io.cleat.driver.registry.RegistryLogins;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds what a registry wants to know, in the words of an engine: in the job's {@code auth} block, else where the
 * node's operator says.
 */
final class Credentials {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final RegistryLogins logins;

    Credentials(DockerSettings settings) {
        this.logins = new RegistryLogins(settings.authConfig(), settings.authHelper());
    }

    /**
     * The value of the field {@code X-Registry-Auth}; empty if there is nothing to say.
     *
     * @throws DriverTrouble if the node's file or helper should know and cannot be asked
     */
    Optional<Secret> of(ImageName image, DockerBlock.Pulling pulling) throws DriverTrouble {
        if (pulling.auth().isPresent()) {
            DockerBlock.Auth auth = pulling.auth().get();
            return Optional.of(field(new RegistryLogin(auth.user(), auth.password(), auth.server())));
        }
        try {
            return logins.find(image.registry()).map(Credentials::field);
        } catch (DriverTrouble trouble) {
            if (pulling.isSoft()) {
                return Optional.empty();
            }
            throw trouble;
        }
    }

    private static Secret field(RegistryLogin login) {
        String secret = login.secret().reveal();
        Map<String, String> fields = login.isToken()
                ? Map.of("identitytoken", secret, "serveraddress", login.server())
                : Map.of("username", login.user(), "password", secret, "serveraddress", login.server());
        return new Secret(Base64.getUrlEncoder().encodeToString(JSON.writeValueAsBytes(fields)));
    }
}
