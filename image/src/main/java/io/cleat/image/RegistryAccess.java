package io.cleat.image;

import io.cleat.artifact.CheckedHttp;
import io.cleat.base.ArtifactTrouble;
import io.cleat.driver.registry.RegistryLogin;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Who this process is to one registry: the field {@code Authorization} that it takes, got as its challenge says
 * (distribution-spec, "Token Authentication Specification"). One thread.
 */
final class RegistryAccess {
    private static final int LONGEST = 1 << 20;

    private final CheckedHttp http;
    private final URI registry;
    private final String scope;
    private final Optional<RegistryLogin> login;
    private String field = "";

    RegistryAccess(CheckedHttp http, URI registry, String path, Optional<RegistryLogin> login) {
        this.http = http;
        this.registry = registry;
        this.scope = "repository:" + path + ":pull";
        this.login = login;
    }

    /** What is said now; empty before anything was asked for. */
    String field() {
        return field;
    }

    /**
     * Does as the registry wants that did not let us in.
     *
     * @throws ArtifactTrouble if there is nothing to say
     */
    void answer(Challenge challenge, Duration within) throws IOException, ArtifactTrouble, InterruptedException {
        if (challenge.scheme().equals("basic")) {
            field = basic().orElseThrow(RegistryAccess::noLogin);
            return;
        }
        URI realm = realm(challenge);
        boolean byToken = login.filter(RegistryLogin::isToken).isPresent();
        HttpResponse<InputStream> response = byToken
                ? http.ask(realm, Map.of(), Optional.of(exchange(challenge)), within)
                : http.ask(
                        URI.create(realm + (realm.getQuery() == null ? "?" : "&") + query(challenge)),
                        basic().map(it -> Map.of("Authorization", it)).orElse(Map.of()),
                        Optional.empty(),
                        within);
        try (InputStream body = response.body()) {
            if (response.statusCode() == 401 || response.statusCode() == 403) {
                throw login.isPresent() ? refusedLogin() : noLogin();
            }
            if (response.statusCode() != 200) {
                throw UnpackMeter.again(
                        realm.getHost() + ", which gives tokens for its registry, answered " + response.statusCode());
            }
            field = "Bearer " + token(body.readNBytes(LONGEST), realm);
        }
    }

    private URI realm(Challenge challenge) throws ArtifactTrouble {
        try {
            URI realm = URI.create(challenge.parameter("realm"));
            boolean isSafe = "https".equals(realm.getScheme())
                    || ("http".equals(realm.getScheme()) && "http".equals(registry.getScheme()));
            if (isSafe && realm.getHost() != null) {
                return realm;
            }
        } catch (IllegalArgumentException none) {
            // As below.
        }
        throw UnpackMeter.refused("its registry sends us for a token to "
                + TarReader.shown(challenge.parameter("realm"))
                + ", which is no address of https");
    }

    private String query(Challenge challenge) {
        String asked = challenge.parameter("scope");
        String service = challenge.parameter("service");
        return "scope="
                + encoded(asked.isEmpty() ? scope : asked)
                + (service.isEmpty() ? "" : "&service=" + encoded(service));
    }

    private String exchange(Challenge challenge) {
        return "grant_type=refresh_token&client_id=cleat&refresh_token="
                + encoded(login.map(it -> it.secret().reveal()).orElse(""))
                + "&"
                + query(challenge);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Optional<String> basic() {
        return login.filter(it -> !it.isToken())
                .map(it -> it.user() + ":" + it.secret().reveal())
                .map(it -> it.getBytes(StandardCharsets.UTF_8))
                .map(it -> "Basic " + Base64.getEncoder().encodeToString(it));
    }

    private static String token(byte[] answer, URI realm) throws ArtifactTrouble {
        JsonNode all = ImageText.parse(answer, realm.getHost() + "'s answer");
        String token = ImageText.text(all, "token");
        token = token.isEmpty() ? ImageText.text(all, "access_token") : token;
        if (token.isEmpty() || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw UnpackMeter.refused(realm.getHost() + " gave no token for its registry");
        }
        return token;
    }

    static ArtifactTrouble refusedLogin() {
        return UnpackMeter.refused("its registry did not take the credentials");
    }

    static ArtifactTrouble noLogin() {
        return UnpackMeter.refused("its registry wants credentials, or does not have it: look at its name; give"
                + " credentials with an auth block, or let the node's operator give some"
                + " with -docker-auth-config");
    }
}
