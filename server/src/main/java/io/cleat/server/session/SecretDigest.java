package io.cleat.server.session;

import io.cleat.base.Sha256;
import java.util.HexFormat;

/** What is kept of a node's secret: enough to know it again. */
final class SecretDigest {
    private SecretDigest() {}

    /** SHA-256, in hex. */
    static String of(String secret) {
        return HexFormat.of().formatHex(Sha256.of(secret));
    }
}
