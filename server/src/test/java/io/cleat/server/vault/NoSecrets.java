package io.cleat.server.vault;

import io.cleat.base.Secrets;
import io.cleat.state.Encrypted;

/** Keeps no secret, and has none. */
public final class NoSecrets implements Vault {
    @Override
    public Encrypted encrypt(Secrets secrets, Purpose purpose) {
        return Encrypted.NONE;
    }

    @Override
    public Secrets decrypt(Encrypted encrypted, Purpose purpose) {
        return Secrets.none();
    }
}
