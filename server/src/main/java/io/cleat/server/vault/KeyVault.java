package io.cleat.server.vault;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.InvariantBroken;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Secrets;
import io.cleat.codec.RecordCodec;
import io.cleat.state.Encrypted;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * AES-256-GCM by the JDK, with the key of a {@link KeyFile}.
 *
 * <p>The format, in base64: version (1 byte, 1), the key's id (8 bytes), nonce (12 bytes), then ciphertext and tag (16
 * bytes). Authenticated with it, and not stored: everything before the nonce, and the purpose. The plain text is an
 * envelope of its own.
 *
 * <p>Any thread.
 */
public final class KeyVault implements Vault {
    private static final byte VERSION = 1;
    private static final int HEAD = 1 + KeyFile.ID_BYTES;
    private static final int NONCE = 12;
    private static final int TAG = 16;
    private static final RecordCodec<Plain> CODEC = RecordCodec.sent("scrt", 1, Plain.class);

    private static final int SHOWN = 3;

    private final KeyFile.Key key;
    private final Path file;

    /** Whether a person has said that this key is the one. */
    private final boolean isChosen;

    private final SecureRandom random = new SecureRandom();

    /** Why nothing is encrypted with this key; null if it is. */
    private volatile @Nullable String foreign;

    /** What is encrypted. */
    record Plain(Map<String, String> byName) {}

    private KeyVault(Path file, KeyFile.Key key, boolean isChosen) {
        this.file = file;
        this.key = key;
        this.isChosen = isChosen;
    }

    /**
     * As {@link #open(Path)}; but where a server has been before, no other key is made in the place of one that is
     * gone: then nothing is encrypted or decrypted, and each try says why. A file {@code FILE.anew} beside it says that
     * another one is to be made, or that the one that is there is to be used whatever was stored with another one. Then
     * {@code FILE.chosen} holds that key's id.
     */
    public static Vault open(Path file, boolean isFirst) throws DiskTrouble {
        Path anew = beside(file, ".anew");
        Path chosen = beside(file, ".chosen");
        try {
            boolean isAsked = Files.exists(anew);
            if (!isFirst && Files.notExists(file) && !isAsked) {
                return new LostVault(file, anew);
            }
            KeyFile.Key key = KeyFile.open(file);
            if (isAsked) {
                Files.writeString(chosen, key.id() + "\n");
                Files.delete(anew);
            }
            boolean isChosen =
                    Files.exists(chosen) && Files.readString(chosen).strip().equals(key.id());
            return new KeyVault(file, key, isChosen);
        } catch (IOException failed) {
            throw new DiskTrouble(
                    anew + " or " + chosen + " cannot be read or written: " + failed,
                    Effect.NONE,
                    Retry.SAME_CALL,
                    failed);
        }
    }

    private static Path beside(Path file, String end) {
        return file.resolveSibling(file.getFileName() + end);
    }

    /**
     * With the key in {@code file}, which is made if it is not there.
     *
     * @throws DiskTrouble it cannot be read or made, or others may read it
     */
    public static KeyVault open(Path file) throws DiskTrouble {
        return new KeyVault(file, KeyFile.open(file), false);
    }

    @Override
    public void stored(Stream<Encrypted> all) {
        Set<String> others = new TreeSet<>();
        for (String id : (Iterable<String>) all.flatMap(each -> idOf(each).stream())::iterator) {
            if (id.equals(key.id())) {
                others.clear();
                break;
            }
            others.add(id);
        }
        foreign = others.isEmpty() || isChosen ? null : foreignWords(others);
    }

    private String foreignWords(Set<String> others) {
        return "the key of the secrets, "
                + file
                + ", is "
                + key.id()
                + ", and what is stored was encrypted with "
                + others.stream().limit(SHOWN).collect(Collectors.joining(", "))
                + ": put that one back from a copy. To go on with this one, with which all secrets"
                + " have to be given again, make the file "
                + beside(file, ".anew")
                + ", and start the server again";
    }

    /** The key that it was encrypted with; empty where it is nothing, or damaged. */
    private static Optional<String> idOf(Encrypted encrypted) {
        try {
            byte[] bytes = Base64.getDecoder().decode(encrypted.ciphertext());
            return bytes.length < HEAD
                    ? Optional.empty()
                    : Optional.of(HexFormat.of().formatHex(bytes, 1, HEAD));
        } catch (IllegalArgumentException damaged) {
            return Optional.empty();
        }
    }

    @Override
    public Optional<String> fault() {
        return Optional.ofNullable(foreign);
    }

    @Override
    public Encrypted encrypt(Secrets secrets, Purpose purpose) throws Refused {
        if (secrets.isEmpty()) {
            return Encrypted.NONE;
        }
        String why = foreign;
        if (why != null) {
            throw new Refused(new Refusal.Conflict(why));
        }
        byte[] nonce = new byte[NONCE];
        random.nextBytes(nonce);
        byte[] head = ByteBuffer.allocate(HEAD)
                .put(VERSION)
                .put(HexFormat.of().parseHex(key.id()))
                .array();
        byte[] plain = CODEC.encode(new Plain(secrets.reveal()));
        try {
            byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, head, purpose).doFinal(plain);
            return new Encrypted(Base64.getEncoder()
                    .encodeToString(ByteBuffer.allocate(HEAD + NONCE + sealed.length)
                            .put(head)
                            .put(nonce)
                            .put(sealed)
                            .array()));
        } catch (GeneralSecurityException impossible) {
            throw new InvariantBroken("the JDK encrypts with AES-256-GCM", impossible);
        } finally {
            Arrays.fill(plain, (byte) 0);
        }
    }

    @Override
    public Secrets decrypt(Encrypted encrypted, Purpose purpose) throws DiskTrouble {
        if (encrypted.isNone()) {
            return Secrets.none();
        }
        byte[] bytes = bytesOf(encrypted, purpose);
        byte[] head = Arrays.copyOf(bytes, HEAD);
        String id = HexFormat.of().formatHex(bytes, 1, HEAD);
        if (!id.equals(key.id())) {
            throw unreadable(
                    purpose,
                    "they were encrypted with the key "
                            + id
                            + " and "
                            + file
                            + " holds the key "
                            + key.id()
                            + "; put that key's file back, or register them again",
                    null);
        }
        byte[] nonce = Arrays.copyOfRange(bytes, HEAD, HEAD + NONCE);
        try {
            byte[] plain = cipher(Cipher.DECRYPT_MODE, nonce, head, purpose)
                    .doFinal(bytes, HEAD + NONCE, bytes.length - HEAD - NONCE);
            try {
                return Secrets.of(CODEC.decode(plain).byName());
            } finally {
                Arrays.fill(plain, (byte) 0);
            }
        } catch (GeneralSecurityException e) {
            throw unreadable(purpose, "they are damaged, or belong to something else", e);
        }
    }

    private static byte[] bytesOf(Encrypted encrypted, Purpose purpose) throws DiskTrouble {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(encrypted.ciphertext());
        } catch (IllegalArgumentException e) {
            throw unreadable(purpose, "they are not in base64", e);
        }
        if (bytes.length > 0 && bytes[0] != VERSION) {
            throw unreadable(
                    purpose,
                    "they have format " + bytes[0] + ", and this program reads " + VERSION + ": start a newer one",
                    null);
        }
        if (bytes.length < HEAD + NONCE + TAG) {
            throw unreadable(purpose, "they end in the middle", null);
        }
        return bytes;
    }

    private Cipher cipher(int mode, byte[] nonce, byte[] head, Purpose purpose) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key.secret(), new GCMParameterSpec(TAG * 8, nonce));
        cipher.updateAAD(head);
        cipher.updateAAD(purpose.text().getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static DiskTrouble unreadable(Purpose purpose, String why, @Nullable Throwable cause) {
        return new DiskTrouble(
                "cannot read the secrets of " + purpose.text() + ": " + why, Effect.NONE, Retry.NEVER, cause);
    }
}
