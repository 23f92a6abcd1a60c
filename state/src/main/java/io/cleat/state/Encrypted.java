package io.cleat.state;

import io.cleat.base.Secret;

/**
 * Secrets as they are stored: ciphertext in base64, which only the holder of the key file reads. An empty one stands
 * for no secrets at all. Never prints.
 */
public record Encrypted(String ciphertext) {
    public static final Encrypted NONE = new Encrypted("");

    public boolean isNone() {
        return ciphertext.isEmpty();
    }

    @Override
    public String toString() {
        return isNone() ? "none" : Secret.REDACTED;
    }
}
