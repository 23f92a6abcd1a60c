package io.cleat.model;

import io.cleat.base.Refused;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a fetched file's digest must be.
 *
 * @param algorithm empty when a file says it
 * @param digest hexadecimal, in lower case; empty when a file says it
 * @param file the URL of a file of checksums; empty when the digest is given
 */
public record ArtifactChecksum(Optional<Algorithm> algorithm, String digest, String file) {
    private static final String EXPECTED =
            "; expected one such as sha256:<64 hex digits>, sha512:.., sha1:.., md5:.. or"
                    + " file:<URL of a file of checksums>";

    /** Which digest. */
    public enum Algorithm {
        MD5("MD5", 32),
        SHA1("SHA-1", 40),
        SHA256("SHA-256", 64),
        SHA512("SHA-512", 128);

        private final String standard;
        private final int digits;

        Algorithm(String standard, int digits) {
            this.standard = standard;
            this.digits = digits;
        }

        /** The name that the platform knows it by. */
        public String standard() {
            return standard;
        }

        /** The one whose digests have so many hexadecimal digits. */
        public static Optional<Algorithm> ofDigits(int digits) {
            return Arrays.stream(values()).filter(each -> each.digits == digits).findFirst();
        }
    }

    /** @param text as in a job: {@code sha256:..}, {@code file:URL}, or the digest alone */
    public static ArtifactChecksum parse(String text) throws Refused {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
        String rest = text.substring(colon + 1).strip();
        if (kind.equals("file")) {
            if (!rest.startsWith("http://") && !rest.startsWith("https://")) {
                throw ArtifactSource.refused("checksum \"file:..\" is followed by an http or https URL, not " + rest);
            }
            return new ArtifactChecksum(Optional.empty(), "", rest);
        }
        String digest = rest.toLowerCase(Locale.ROOT);
        Optional<Algorithm> algorithm = kind.isEmpty()
                ? Algorithm.ofDigits(digest.length())
                : Stream.of(Algorithm.values())
                        .filter(each -> each.name().equalsIgnoreCase(kind))
                        .findFirst();
        if (algorithm.isEmpty()) {
            throw ArtifactSource.refused("checksum \"" + text + "\" is of no known kind" + EXPECTED);
        }
        if (!digest.matches("[0-9a-f]*") || digest.length() != algorithm.get().digits) {
            throw ArtifactSource.refused("checksum \""
                    + text
                    + "\" has "
                    + digest.length()
                    + " characters, not "
                    + algorithm.get().digits
                    + " hexadecimal digits"
                    + EXPECTED);
        }
        return new ArtifactChecksum(algorithm, digest, "");
    }
}
