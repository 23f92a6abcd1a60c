package io.cleat.server.vault;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Retry;
import io.cleat.base.Sha256;
import io.cleat.base.SummedText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The file that holds the key: a line with the format's version, one with 32 random bytes in base64, and from version 2
 * one with a checksum of both. Readable by its owner only; whoever has it and the log reads the secrets.
 */
final class KeyFile {
    static final int ID_BYTES = 8;
    private static final int KEY_BYTES = 32;
    private static final String FIRST_HEAD = "cleat-key 1";
    private static final String HEAD = "cleat-key 2";
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private KeyFile() {}

    /**
     * A key.
     *
     * @param id in hex; derived from it, and tells nothing of it
     */
    record Key(String id, SecretKey secret) {}

    static Key open(Path file) throws DiskTrouble {
        try {
            // What the disk does not give is no file that is not there: another key would be lost.
            if (Files.notExists(file)) {
                make(file);
            }
            Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
            if (!OWNER_ONLY.containsAll(mode)) {
                throw trouble(
                        file
                                + " has the mode "
                                + PosixFilePermissions.toString(mode)
                                + ", and only its owner may read it: chmod 600 it, once you are sure that nobody has "
                                + "read it",
                        null);
            }
            return read(file);
        } catch (IOException e) {
            throw trouble("cannot read or make the key file " + file + ": " + e, e);
        }
    }

    private static void make(Path file) throws IOException {
        byte[] bytes = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(bytes);
        String text = SummedText.with(HEAD + "\n" + Base64.getEncoder().encodeToString(bytes) + "\n");
        Path fresh = file.resolveSibling(file.getFileName() + ".tmp");
        Path directory = Objects.requireNonNull(fresh.toAbsolutePath().getParent());
        Files.createDirectories(directory);
        Files.deleteIfExists(fresh);
        try (FileChannel channel = FileChannel.open(
                fresh,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
            ByteBuffer buffer = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Key read(Path file) throws IOException, DiskTrouble {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        List<String> lines = text.lines().toList();
        String head = lines.isEmpty() ? "" : lines.getFirst();
        if (!head.equals(HEAD) && !head.equals(FIRST_HEAD)) {
            throw trouble(
                    file
                            + " does not begin with '"
                            + HEAD
                            + "': it is no key file, or that of another version of this program",
                    null);
        }
        byte[] bytes = lines.size() == (head.equals(HEAD) ? 3 : 2) ? key(lines.get(1)) : new byte[0];
        boolean isWhole = head.equals(FIRST_HEAD) || SummedText.isWhole(text);
        if (bytes.length != KEY_BYTES || !isWhole) {
            throw trouble(
                    file
                            + " is damaged: expected a key of 32 bytes in base64, and its checksum. Put it back from "
                            + "a copy",
                    null);
        }
        return new Key(idOf(bytes), new SecretKeySpec(bytes, "AES"));
    }

    private static byte[] key(String line) {
        try {
            return Base64.getDecoder().decode(line);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    private static String idOf(byte[] key) {
        MessageDigest digest = Sha256.begin();
        digest.update("cleat key id".getBytes(StandardCharsets.US_ASCII));
        return HexFormat.of().formatHex(digest.digest(key), 0, ID_BYTES);
    }

    private static DiskTrouble trouble(String message, @Nullable Throwable cause) {
        return new DiskTrouble(message, Effect.NONE, Retry.NEVER, cause);
    }
}
