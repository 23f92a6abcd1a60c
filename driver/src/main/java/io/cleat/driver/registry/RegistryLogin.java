package io.cleat.driver.registry;

import io.cleat.base.Secret;

/**
 * What a registry wants to know of whoever pulls from it.
 *
 * @param user empty where the secret is a token that stands for user and password
 * @param secret a password, or that token
 * @param server the name under which it was found; may be empty
 */
public record RegistryLogin(String user, Secret secret, String server) {
    /** Whether the secret is an identity token (OAuth 2, a refresh token). */
    public boolean isToken() {
        return user.isEmpty();
    }
}
