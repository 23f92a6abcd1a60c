package io.cleat.driver.registry;

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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Finds what a registry wants to know: in the node's file in the form of Docker's {@code config.json}, else by its
 * helper, a program {@code docker-credential-NAME}.
 *
 * <p>Holds nothing; called on threads of the kernel, since a helper may take its time.
 */
public final class RegistryLogins {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String HUB = "https://index.docker.io/v1/";
    private static final int HELPER_SECONDS = 10;
    private static final int LONGEST = 1 << 20;

    private final Optional<Path> config;
    private final String helper;

    /**
     * @param config a file in the form of Docker's {@code config.json}; empty for none
     * @param helper of {@code docker-credential-NAME} the name; empty for none
     */
    public RegistryLogins(Optional<Path> config, String helper) {
        this.config = config;
        this.helper = helper;
    }

    /**
     * For a registry; empty if there is nothing to say.
     *
     * @throws DriverTrouble if the node's file or helper should know and cannot be asked
     */
    public Optional<RegistryLogin> find(String registry) throws DriverTrouble {
        Optional<RegistryLogin> found = fromFile(registry);
        return found.isPresent() || helper.isEmpty() ? found : fromHelper(helper, registry);
    }

    /** The names under which files and helpers know a registry. */
    private static List<String> names(String registry) {
        return registry.equals(ImageName.USUAL_REGISTRY)
                ? List.of(HUB, "docker.io", "index.docker.io", "https://docker.io")
                : List.of(registry, "https://" + registry, "http://" + registry);
    }

    private Optional<RegistryLogin> fromFile(String registry) throws DriverTrouble {
        if (config.isEmpty()) {
            return Optional.empty();
        }
        Path file = config.get();
        JsonNode all;
        try (InputStream in = Files.newInputStream(file)) {
            all = JSON.readTree(in.readNBytes(LONGEST));
        } catch (IOException | JacksonException unreadable) {
            throw trouble("the file of credentials " + file + " cannot be read", unreadable);
        }
        for (String name : names(registry)) {
            JsonNode entry = all.path("auths").path(name);
            String token = entry.path("identitytoken").asString("");
            if (!token.isEmpty()) {
                return Optional.of(token(token, name));
            }
            String auth = entry.path("auth").asString("");
            if (!auth.isEmpty()) {
                return Optional.of(plain(file, name, auth));
            }
        }
        for (String name : names(registry)) {
            String own = all.path("credHelpers").path(name).asString("");
            if (!own.isEmpty()) {
                return fromHelper(own, registry);
            }
        }
        String store = all.path("credsStore").asString("");
        return store.isEmpty() ? Optional.empty() : fromHelper(store, registry);
    }

    private static RegistryLogin plain(Path file, String name, String auth) throws DriverTrouble {
        try {
            String pair = new String(Base64.getDecoder().decode(auth), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            if (colon > 0) {
                return login(pair.substring(0, colon), pair.substring(colon + 1), name);
            }
        } catch (IllegalArgumentException unreadable) {
            throw trouble("the auth of " + name + " in " + file + " is not base64", unreadable);
        }
        throw trouble("the auth of " + name + " in " + file + " is not USER:PASSWORD in base64", null);
    }

    /** Asks a program by the protocol of Docker's credential helpers. */
    private static Optional<RegistryLogin> fromHelper(String helper, String registry) throws DriverTrouble {
        if (!helper.matches("[A-Za-z0-9._-]{1,100}")) {
            throw trouble("the name of the credential helper \"" + helper + "\" is none", null);
        }
        String program = "docker-credential-" + helper;
        String server = registry.equals(ImageName.USUAL_REGISTRY) ? HUB : registry;
        Process process = null;
        try {
            process =
                    new ProcessBuilder(program, "get").redirectErrorStream(true).start();
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
                        program + " ended with " + process.exitValue() + ": " + VisibleText.cut(said.strip(), 200),
                        null);
            }
            JsonNode entry = JSON.readTree(said);
            String user = entry.path("Username").asString("");
            String secret = entry.path("Secret").asString("");
            return Optional.of(user.equals("<token>") ? token(secret, server) : login(user, secret, server));
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

    private static RegistryLogin login(String user, String password, String server) {
        return new RegistryLogin(user, new Secret(password), server);
    }

    private static RegistryLogin token(String token, String server) {
        return new RegistryLogin("", new Secret(token), server);
    }

    private static DriverTrouble trouble(String words, @Nullable Exception cause) {
        return new DriverTrouble(words, Effect.NONE, Retry.AFTER_OBSERVING, cause);
    }
}
