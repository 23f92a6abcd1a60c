package io.cleat.server.session;

import io.cleat.base.InvariantBroken;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** What is kept of a node's secret: enough to know it again. */
final class SecretDigest {
    private SecretDigest() {}

    /** SHA-256, in hex. */
    static String of(String secret) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new InvariantBroken("the JDK has SHA-256", impossible);
        }
    }
}
