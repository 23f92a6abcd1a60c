package io.cleat.driver.docker;

import io.cleat.base.DriverTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Secret;
import io.cleat.base.VisibleText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds what a registry wants to know: in the job's {@code auth} block, else in the node's file in
 * the form of Docker's {@code config.json}, else by its helper, a program {@code
 * docker-credential-NAME}.
 *
 * <p>Holds nothing; called on threads of the kernel, since a helper may take its time.
 */
final class Credentials {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String HUB = "https://index.docker.io/v1/";
    private static final int HELPER_SECONDS = 10;
    private static final int LONGEST = 1 << 20;

    private final DockerSettings settings;

    Credentials(DockerSettings settings) {
        this.settings = settings;
    }

    /**
     * The value of the field {@code X-Registry-Auth}; empty if there is nothing to say.
     *
     * @throws DriverTrouble if the node's file or helper should know and cannot be asked
     */
    Optional<Secret> of(ImageName image, DockerBlock.Pulling pulling) throws DriverTrouble {
        if (pulling.auth().isPresent()) {
            DockerBlock.Auth auth = pulling.auth().get();
            return Optional.of(field(auth.user(), auth.password().reveal(), auth.server()));
        }
        try {
            Optional<Secret> found = fromFile(image.registry());
            return found.isPresent() || settings.authHelper().isEmpty()
                    ? found
                    : fromHelper(settings.authHelper(), image.registry());
        } catch (DriverTrouble trouble) {
            if (pulling.isSoft()) {
                return Optional.empty();
            }
            throw trouble;
        }
    }

    private static Secret field(String user, String password, String server) {
        return encoded(Map.of("username", user, "password", password, "serveraddress", server));
    }

    private static Secret encoded(Map<String, String> fields) {
        return new Secret(Base64.getUrlEncoder().encodeToString(JSON.writeValueAsBytes(fields)));
    }

    /** The names under which files and helpers know a registry. */
    private static List<String> names(String registry) {
        return registry.equals(ImageName.USUAL_REGISTRY)
                ? List.of(HUB, "docker.io", "index.docker.io", "https://docker.io")
                : List.of(registry, "https://" + registry, "http://" + registry);
    }

    private Optional<Secret> fromFile(String registry) throws DriverTrouble {
        if (settings.authConfig().isEmpty()) {
            return Optional.empty();
        }
        Path file = settings.authConfig().get();
        JsonNode config;
        try (InputStream in = Files.newInputStream(file)) {
            config = JSON.readTree(in.readNBytes(LONGEST));
        } catch (IOException | JacksonException unreadable) {
            throw trouble("the file of credentials " + file + " cannot be read", unreadable);
        }
        for (String name : names(registry)) {
            JsonNode entry = config.path("auths").path(name);
            String token = entry.path("identitytoken").asString("");
            if (!token.isEmpty()) {
                return Optional.of(encoded(Map.of("identitytoken", token, "serveraddress", name)));
            }
            String auth = entry.path("auth").asString("");
            if (!auth.isEmpty()) {
                return Optional.of(plain(file, name, auth));
            }
        }
        for (String name : names(registry)) {
            String helper = config.path("credHelpers").path(name).asString("");
            if (!helper.isEmpty()) {
                return fromHelper(helper, registry);
            }
        }
        String store = config.path("credsStore").asString("");
        return store.isEmpty() ? Optional.empty() : fromHelper(store, registry);
    }

    private static Secret plain(Path file, String name, String auth) throws DriverTrouble {
        try {
            String pair = new String(Base64.getDecoder().decode(auth), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            if (colon > 0) {
                return field(pair.substring(0, colon), pair.substring(colon + 1), name);
            }
        } catch (IllegalArgumentException unreadable) {
            throw trouble("the auth of " + name + " in " + file + " is not base64", unreadable);
        }
        throw trouble(
                "the auth of " + name + " in " + file + " is not USER:PASSWORD in base64", null);
    }

    /** Asks a program by the protocol of Docker's credential helpers. */
    private static Optional<Secret> fromHelper(String helper, String registry)
            throws DriverTrouble {
        if (!helper.matches("[A-Za-z0-9._-]{1,100}")) {
            throw trouble("the name of the credential helper \"" + helper + "\" is none", null);
        }
        String program = "docker-credential-" + helper;
        String server = registry.equals(ImageName.USUAL_REGISTRY) ? HUB : registry;
        Process process = null;
        try {
            process = new ProcessBuilder(program, "get").redirectErrorStream(true).start();
            try (OutputStream in = process.getOutputStream()) {
                in.write(server.getBytes(StandardCharsets.UTF_8));
            }
            if (!process.waitFor(HELPER_SECONDS, TimeUnit.SECONDS)) {
                throw trouble(program + " gave no answer within " + HELPER_SECONDS + " s", null);
            }
            String said;
            try (InputStream out = process.getInputStream()) {
                said = new String(out.readNBytes(LONGEST), StandardCharsets.UTF_8);
            }
            if (process.exitValue() != 0) {
                if (said.contains("credentials not found")) {
                    return Optional.empty();
                }
                throw trouble(
                        program
                                + " ended with "
                                + process.exitValue()
                                + ": "
                                + VisibleText.cut(said.strip(), 200),
                        null);
            }
            JsonNode entry = JSON.readTree(said);
            String user = entry.path("Username").asString("");
            String secret = entry.path("Secret").asString("");
            return Optional.of(
                    user.equals("<token>")
                            ? encoded(Map.of("identitytoken", secret, "serveraddress", server))
                            : field(user, secret, server));
        } catch (IOException absent) {
            throw trouble(program + " could not be run: " + absent.getMessage(), absent);
        } catch (JacksonException garbage) {
            // Its words may hold the secret.
            throw trouble(program + " gave no JSON", null);
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
            throw trouble(program + " was interrupted", end);
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }

    private static DriverTrouble trouble(String words, @Nullable Exception cause) {
        return new DriverTrouble(words, Effect.NONE, Retry.AFTER_OBSERVING, cause);
    }
}
