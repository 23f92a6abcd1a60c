package io.cleat.http;

import io.cleat.base.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;

/**
 * What a client over TCP must know: 256 bits of chance, which it sends as {@code X-Nomad-Token} or as
 * {@code Authorization: Bearer}. It is only ever compared, in a time that does not tell how much of a guess was right.
 */
public final class AccessToken {
    private static final int BYTES = 32;
    private static final String BEARER = "bearer ";

    private final Secret secret;

    /** @param secret not empty */
    AccessToken(Secret secret) {
        this.secret = secret;
    }

    /** A new one, which nobody knows yet. */
    public static AccessToken make() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return new AccessToken(new Secret(HexFormat.of().formatHex(bytes)));
    }

    /** The token itself, for the file that its owner's commands read: 64 hexadecimal digits. */
    public Secret secret() {
        return secret;
    }

    /** Whether a request has it; {@code X-Nomad-Token} counts if it has both fields. */
    boolean isWith(Request request) {
        return MessageDigest.isEqual(utf8(secret.reveal()), utf8(sent(request)));
    }

    private static String sent(Request request) {
        String token = request.header("X-Nomad-Token").strip();
        if (!token.isEmpty()) {
            return token;
        }
        String authorization = request.header("Authorization").strip();
        return authorization.toLowerCase(Locale.ROOT).startsWith(BEARER)
                ? authorization.substring(BEARER.length()).strip()
                : "";
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return Secret.REDACTED;
    }
}
