package io.cleat.server.vault;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Secrets;
import io.cleat.state.Encrypted;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A vault whose key is gone: what has no secrets goes on. Another key would be used without a word for what is stored
 * next, beside what nobody can read any more.
 */
final class LostVault implements Vault {
    private final String why;

    LostVault(Path file, Path anew) {
        this.why = "the key of the secrets, "
                + file
                + ", is gone: put it back from a copy. To begin another one, with which all"
                + " secrets have to be given again, make the file "
                + anew
                + ", and start the server again";
    }

    @Override
    public Encrypted encrypt(Secrets secrets, Purpose purpose) throws Refused {
        if (secrets.isEmpty()) {
            return Encrypted.NONE;
        }
        throw new Refused(new Refusal.Conflict(why));
    }

    @Override
    public Secrets decrypt(Encrypted encrypted, Purpose purpose) throws DiskTrouble {
        if (encrypted.isNone()) {
            return Secrets.none();
        }
        throw new DiskTrouble("cannot read the secrets of " + purpose.text() + ": " + why, Effect.NONE, Retry.NEVER);
    }

    @Override
    public Optional<String> fault() {
        return Optional.of(why);
    }
}
