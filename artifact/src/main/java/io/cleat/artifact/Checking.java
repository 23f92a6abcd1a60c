package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.model.ArtifactChecksum;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Holds a fetched file to its checksum. */
final class Checking {
    private static final int LONGEST_LIST = 1 << 20;

    /** {@code digest name} of the GNU programs, {@code digest *name} for binary files. */
    private static final Pattern GNU = Pattern.compile("([0-9A-Fa-f]{32,128})\\s+[*]?(.+)");

    /** {@code SHA256 (name) = digest} of the BSD programs. */
    private static final Pattern BSD = Pattern.compile("([A-Za-z0-9]+) \\((.+)\\) = ([0-9A-Fa-f]{32,128})");

    private Checking() {}

    /**
     * @param name of the file at its source
     * @param http for a file of checksums
     */
    static void check(Path file, String name, ArtifactChecksum wanted, HttpDownload http)
            throws IOException, ArtifactTrouble, InterruptedException {
        ArtifactChecksum known = wanted;
        if (!wanted.file().isEmpty()) {
            known = find(http.text(wanted.file(), LONGEST_LIST), name);
        }
        String algorithm = known.algorithm().orElseThrow().standard();
        String found = digest(file, algorithm);
        if (!found.equals(known.digest())) {
            throw new ArtifactTrouble(
                    "its checksum is not the one that the job names: expected "
                            + algorithm
                            + " "
                            + known.digest()
                            + ", got "
                            + found
                            + "; nothing of it was kept. If the file was changed on purpose, give its new checksum",
                    Retry.SAME_CALL);
        }
    }

    /** The line of a file of checksums that is about a name; the only line where there is one. */
    static ArtifactChecksum find(String list, String name) throws ArtifactTrouble {
        String only = list.strip();
        try {
            if (only.matches("[0-9A-Fa-f]+")) {
                return ArtifactChecksum.parse(only);
            }
            for (String line : list.lines().map(String::strip).toList()) {
                Matcher gnu = GNU.matcher(line);
                Matcher bsd = BSD.matcher(line);
                if (gnu.matches() && isOf(gnu.group(2), name)) {
                    return ArtifactChecksum.parse(gnu.group(1));
                }
                if (bsd.matches() && isOf(bsd.group(2), name)) {
                    return ArtifactChecksum.parse(bsd.group(1).toLowerCase(Locale.ROOT) + ":" + bsd.group(3));
                }
            }
        } catch (Refused unreadable) {
            throw FreshTree.refused("the file of checksums cannot be read: "
                    + unreadable.refusal().message());
        }
        throw FreshTree.refused("the file of checksums says nothing about " + name);
    }

    private static boolean isOf(String listed, String name) {
        return listed.equals(name) || listed.endsWith("/" + name);
    }

    private static String digest(Path file, String algorithm) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            byte[] piece = new byte[1 << 16];
            for (int got = content.read(piece); got >= 0; got = content.read(piece)) {
                digest.update(piece, 0, got);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException absent) {
            throw new IOException("this Java has no " + algorithm, absent);
        }
    }
}
