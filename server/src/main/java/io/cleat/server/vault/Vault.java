package io.cleat.server.vault;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.state.Encrypted;
import java.util.Optional;
import java.util.stream.Stream;

/** The port for keeping secrets. */
public interface Vault {
    /**
     * @param purpose what they are for; only for the same they can be decrypted
     * @throws Refused they hold what could not be read back
     */
    Encrypted encrypt(Secrets secrets, Purpose purpose) throws Refused;

    /** @throws DiskTrouble they were encrypted with another key, for another purpose, or are damaged */
    Secrets decrypt(Encrypted encrypted, Purpose purpose) throws DiskTrouble;

    /**
     * Told what is stored, as soon as that is known. Where nothing of it is this vault's, its key is another one than
     * it was stored with, and {@link #fault} says so.
     */
    default void stored(Stream<Encrypted> all) {}

    /** Why it keeps none, and what to do; empty if it does. */
    default Optional<String> fault() {
        return Optional.empty();
    }
}
