package io.cleat.server.vault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.model.VolumeId;
import io.cleat.state.Encrypted;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeyVaultTest {
    private static final Purpose PURPOSE = Purpose.volume(new VolumeId("default", "data"));
    private static final Secrets SECRETS = Secrets.of(Map.of("password", "correct horse"));

    @TempDir
    Path directory;

    @Test
    void whatIsEncryptedIsReadByTheSameKeyAlsoLater() throws Exception {
        Encrypted encrypted = KeyVault.open(key()).encrypt(SECRETS, PURPOSE);
        assertFalse(encrypted.ciphertext().contains("horse"));
        assertEquals(SECRETS, KeyVault.open(key()).decrypt(encrypted, PURPOSE));
    }

    @Test
    void theSameIsNeverEncryptedTwiceTheSame() throws Exception {
        KeyVault vault = KeyVault.open(key());
        assertNotEquals(vault.encrypt(SECRETS, PURPOSE), vault.encrypt(SECRETS, PURPOSE));
    }

    @Test
    void noSecretsAreNoCiphertext() throws Exception {
        KeyVault vault = KeyVault.open(key());
        assertEquals(Encrypted.NONE, vault.encrypt(Secrets.none(), PURPOSE));
        assertEquals(Secrets.none(), vault.decrypt(Encrypted.NONE, PURPOSE));
    }

    @Test
    void theSecretsOfOneVolumeAreNotThoseOfAnother() throws Exception {
        KeyVault vault = KeyVault.open(key());
        Encrypted encrypted = vault.encrypt(SECRETS, PURPOSE);
        Purpose other = Purpose.volume(new VolumeId("default", "other"));
        assertThrows(DiskTrouble.class, () -> vault.decrypt(encrypted, other));
    }

    @Test
    void aChangedByteIsNoticedWhereverItIs() throws Exception {
        KeyVault vault = KeyVault.open(key());
        byte[] bytes =
                Base64.getDecoder().decode(vault.encrypt(SECRETS, PURPOSE).ciphertext());
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            Encrypted damaged = new Encrypted(Base64.getEncoder().encodeToString(changed));
            assertThrows(DiskTrouble.class, () -> vault.decrypt(damaged, PURPOSE));
        }
    }

    @Test
    void anotherKeyIsNamedAndSoIsTheOneThatIsNeeded() throws Exception {
        Encrypted encrypted = KeyVault.open(key()).encrypt(SECRETS, PURPOSE);
        KeyVault other = KeyVault.open(directory.resolve("other.key"));
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> other.decrypt(encrypted, PURPOSE));
        assertTrue(trouble.reason().contains("put that key's file back"), trouble::reason);
        assertFalse(trouble.reason().contains("horse"));
    }

    @Test
    void aKeyThatOthersMayReadIsRefused() throws Exception {
        KeyVault.open(key());
        Files.setPosixFilePermissions(key(), PosixFilePermissions.fromString("rw-r-----"));
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> KeyVault.open(key()));
        assertTrue(trouble.reason().contains("chmod 600"), trouble::reason);
    }

    @Test
    void aKeyFileIsMadeForItsOwnerOnly() throws Exception {
        KeyVault.open(key());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key())));
    }

    @Test
    void aNewerFormatIsRefusedWithItsNumber() throws Exception {
        byte[] newer = new byte[64];
        newer[0] = 2;
        Encrypted encrypted = new Encrypted(Base64.getEncoder().encodeToString(newer));
        KeyVault vault = KeyVault.open(key());
        DiskTrouble trouble = assertThrows(DiskTrouble.class, () -> vault.decrypt(encrypted, PURPOSE));
        assertTrue(trouble.reason().contains("format 2"), trouble::reason);
    }

    @Test
    void aDamagedKeyFileIsSaid() throws Exception {
        Files.writeString(key(), "cleat-key 1\nAAAA\n");
        Files.setPosixFilePermissions(key(), PosixFilePermissions.fromString("rw-------"));
        assertThrows(DiskTrouble.class, () -> KeyVault.open(key()));
    }

    @Test
    void aChangeOfAnyLetterOfAKey_isSaid() throws Exception {
        KeyVault.open(key());
        byte[] whole = Files.readAllBytes(key());
        for (int at = 0; at < whole.length - 1; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 1;
            Files.write(key(), changed);
            assertThrows(DiskTrouble.class, () -> KeyVault.open(key()), "byte " + at);
        }
    }

    /** It was taken for one that is not there, and another one was made in its place. */
    @Test
    void aKeyThatTheDiskDoesNotGive_isRefusedAndNotReplaced() throws Exception {
        Files.createSymbolicLink(key(), key());
        for (boolean isFirst : List.of(true, false)) {
            DiskTrouble refused = assertThrows(DiskTrouble.class, () -> KeyVault.open(key(), isFirst));
            assertTrue(refused.reason().contains(key().toString()), refused.reason());
            assertTrue(Files.isSymbolicLink(key()));
        }
    }

    /** Without a word another key was made, and what came next was encrypted with that. */
    @Test
    void aKeyThatIsGoneWhereAServerWas_isNotReplaced() throws Exception {
        Encrypted before = KeyVault.open(key(), true).encrypt(SECRETS, PURPOSE);
        Files.delete(key());
        Vault lost = KeyVault.open(key(), false);
        assertTrue(lost.fault().orElseThrow().contains(key().toString()));
        assertThrows(Refused.class, () -> lost.encrypt(SECRETS, PURPOSE));
        assertEquals(Encrypted.NONE, lost.encrypt(Secrets.none(), PURPOSE));
        assertEquals(Secrets.none(), lost.decrypt(Encrypted.NONE, PURPOSE));
        DiskTrouble why = assertThrows(DiskTrouble.class, () -> lost.decrypt(before, PURPOSE));
        assertTrue(why.reason().contains("secrets.key.anew"), why.reason());
        assertFalse(Files.exists(key()));

        Path anew = directory.resolve("secrets.key.anew");
        Files.createFile(anew);
        Vault begun = KeyVault.open(key(), false);
        assertEquals(Optional.empty(), begun.fault());
        assertEquals(SECRETS, begun.decrypt(begun.encrypt(SECRETS, PURPOSE), PURPOSE));
        assertFalse(Files.exists(anew), "it was obeyed, and is no order any more");
        Files.delete(key());
        assertTrue(KeyVault.open(key(), false).fault().isPresent());
        Files.createFile(anew);
        assertEquals(Optional.empty(), KeyVault.open(key(), false).fault());
    }

    /** What came next was encrypted with it, beside what nobody could read any more. */
    @Test
    void anotherKeyInThePlaceOfTheOneThatWas_isToldAtOnce_andUsedOnlyIfAPersonSaysSo() throws Exception {
        Encrypted before = KeyVault.open(key(), true).encrypt(SECRETS, PURPOSE);
        Files.delete(key());
        KeyVault.open(key(), true);

        Vault other = KeyVault.open(key(), false);
        other.stored(Stream.of(Encrypted.NONE, new Encrypted("damaged")));
        assertEquals(Optional.empty(), other.fault());
        other.stored(Stream.of(Encrypted.NONE, before));
        String why = other.fault().orElseThrow();
        assertTrue(why.contains("secrets.key.anew"), why);
        assertThrows(Refused.class, () -> other.encrypt(SECRETS, PURPOSE));
        assertEquals(Encrypted.NONE, other.encrypt(Secrets.none(), PURPOSE));

        Files.createFile(directory.resolve("secrets.key.anew"));
        for (int starts = 0; starts < 2; starts++) {
            Vault chosen = KeyVault.open(key(), false);
            chosen.stored(Stream.of(before));
            assertEquals(Optional.empty(), chosen.fault());
            Encrypted after = chosen.encrypt(SECRETS, PURPOSE);
            assertEquals(SECRETS, chosen.decrypt(after, PURPOSE));
        }
    }

    @Test
    void aKeyThatSomeOfItWasStoredWith_isTheOne() throws Exception {
        Encrypted before = KeyVault.open(key(), true).encrypt(SECRETS, PURPOSE);
        Files.delete(key());
        Vault other = KeyVault.open(key(), true);
        Encrypted after = other.encrypt(SECRETS, PURPOSE);
        other.stored(Stream.of(before, after));
        assertEquals(Optional.empty(), other.fault());
    }

    @Test
    void theSampleOfVersionTwoIsRead() throws Exception {
        Files.writeString(key(), sample("secrets-v2.key"));
        Files.setPosixFilePermissions(key(), PosixFilePermissions.fromString("rw-------"));
        Encrypted encrypted = new Encrypted(sample("secrets-v1.txt").strip());
        assertEquals(SECRETS, KeyVault.open(key()).decrypt(encrypted, PURPOSE));
    }

    /** Never edited: what version 1 wrote is read for ever. */
    @Test
    void theSampleOfVersionOneIsRead() throws Exception {
        Files.writeString(key(), sample("secrets-v1.key"));
        Files.setPosixFilePermissions(key(), PosixFilePermissions.fromString("rw-------"));
        Encrypted encrypted = new Encrypted(sample("secrets-v1.txt").strip());
        assertEquals(SECRETS, KeyVault.open(key()).decrypt(encrypted, PURPOSE));
    }

    private Path key() {
        return directory.resolve("secrets.key");
    }

    private static String sample(String name) throws Exception {
        try (var in = Objects.requireNonNull(KeyVaultTest.class.getResourceAsStream("/history/" + name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
