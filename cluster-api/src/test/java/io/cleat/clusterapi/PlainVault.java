package io.cleat.clusterapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cleat.api.Json;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.server.vault.Purpose;
import io.cleat.server.vault.Vault;
import io.cleat.state.Encrypted;
import java.util.Map;
import java.util.TreeMap;

/** Hides nothing: what is stored can be read in a test. */
final class PlainVault implements Vault {
    @Override
    public Encrypted encrypt(Secrets secrets, Purpose purpose) {
        return secrets.isEmpty() ? Encrypted.NONE : new Encrypted(Json.text(new TreeMap<>(secrets.reveal())));
    }

    @Override
    public Secrets decrypt(Encrypted encrypted, Purpose purpose) {
        String stored = encrypted.ciphertext();
        try {
            return Secrets.of(stored.startsWith("{") ? plain(stored) : Map.of("of", stored));
        } catch (Refused unreadable) {
            throw new AssertionError(stored, unreadable);
        }
    }

    private static Map<String, String> plain(String json) throws Refused {
        Map<String, String> plain = new TreeMap<>();
        Json.tree(json.getBytes(UTF_8))
                .properties()
                .forEach(each -> plain.put(each.getKey(), each.getValue().asString()));
        return plain;
    }
}
