package io.cleat.base;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 (FIPS 180-4), which each Java has. */
public final class Sha256 {
    private Sha256() {}

    /** One that nothing was put into yet. */
    public static MessageDigest begin() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new InvariantBroken("each Java has SHA-256", impossible);
        }
    }

    /** The digest of {@code text} in UTF-8, 32 bytes. */
    public static byte[] of(String text) {
        return begin().digest(text.getBytes(StandardCharsets.UTF_8));
    }
}
