package io.cleat.image;

import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What names the content of a blob: its SHA-256, the one algorithm that images use (OCI image-spec, "Digests").
 *
 * @param hex 64 lower-case digits, so that it can be a name in a path
 */
record Digest(String hex) {
    private static final String ALGORITHM = "sha256:";
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

    Digest {
        if (!HEX.matcher(hex).matches()) {
            throw new IllegalArgumentException("not a SHA-256: " + hex);
        }
    }

    /** As manifests have it, {@code sha256:...}; empty if it is none. */
    static Optional<Digest> parse(String text) {
        return text.startsWith(ALGORITHM) ? ofHex(text.substring(ALGORITHM.length())) : Optional.empty();
    }

    /** Of digits alone; empty if they are none. */
    static Optional<Digest> ofHex(String hex) {
        return HEX.matcher(hex).matches() ? Optional.of(new Digest(hex)) : Optional.empty();
    }

    /** Of what was put in. */
    static Digest of(MessageDigest digest) {
        return new Digest(HexFormat.of().formatHex(digest.digest()));
    }

    @Override
    public String toString() {
        return ALGORITHM + hex;
    }
}
