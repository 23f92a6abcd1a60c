package io.cleat.clusterapi.operator;

import io.cleat.api.Json;
import io.cleat.api.SnapshotMeta;
import io.cleat.base.DiskTrouble;
import io.cleat.base.Effect;
import io.cleat.base.Refused;
import io.cleat.base.Retry;
import io.cleat.base.Sha256;
import io.cleat.server.Server;
import io.cleat.server.commit.Saved;
import io.cleat.state.ClusterState;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * A file that {@link SnapshotFile} wrote, read and found to be whole.
 *
 * @param meta what it says of itself
 */
public record SavedFile(SnapshotMeta meta, Saved<ClusterState> saved) {
    /** The two small parts are no larger. */
    private static final int SMALL = 1 << 20;

    private static final int BUFFER = 1 << 16;

    /**
     * Reads all of it.
     *
     * @throws DiskTrouble it is no such file, is damaged, or a newer program wrote it
     */
    public static SavedFile read(Path file) throws DiskTrouble {
        try (InputStream bytes = new BufferedInputStream(Files.newInputStream(file), BUFFER);
                GZIPInputStream unzipped = new GZIPInputStream(bytes, BUFFER);
                TarArchiveInputStream tar = new TarArchiveInputStream(unzipped, "UTF-8")) {
            byte[] meta = small(file, tar, SnapshotFile.META);
            MessageDigest digest = Sha256.begin();
            next(file, tar, SnapshotFile.STATE);
            InputStream state = new BufferedInputStream(new DigestInputStream(tar, digest), BUFFER);
            Saved<ClusterState> saved = image(file, state);
            state.transferTo(OutputStream.nullOutputStream());
            String sums = new String(small(file, tar, SnapshotFile.SUMS), StandardCharsets.US_ASCII);
            // To its end, where the sum of the whole is.
            unzipped.transferTo(OutputStream.nullOutputStream());
            require(file, sums, SnapshotFile.META, Sha256.begin().digest(meta));
            require(file, sums, SnapshotFile.STATE, digest.digest());
            return new SavedFile(Json.read(meta, SnapshotMeta.class), saved);
        } catch (Refused unreadable) {
            throw unfit(file, unreadable.refusal().message());
        } catch (IOException unreadable) {
            throw unfit(file, unreadable.toString());
        }
    }

    private static Saved<ClusterState> image(Path file, InputStream state) throws IOException, DiskTrouble {
        try {
            return Server.read(state);
        } catch (DiskTrouble unreadable) {
            throw unfit(file, unreadable.reason());
        }
    }

    private static void next(Path file, TarArchiveInputStream tar, String name) throws IOException, DiskTrouble {
        TarArchiveEntry entry = tar.getNextEntry();
        if (entry == null || !entry.getName().equals(name)) {
            throw unfit(file, "it has no " + name + " where that belongs");
        }
    }

    private static byte[] small(Path file, TarArchiveInputStream tar, String name) throws IOException, DiskTrouble {
        next(file, tar, name);
        byte[] bytes = tar.readNBytes(SMALL + 1);
        if (bytes.length > SMALL) {
            throw unfit(file, "its " + name + " is larger than " + SMALL + " bytes");
        }
        return bytes;
    }

    private static void require(Path file, String sums, String name, byte[] sum) throws DiskTrouble {
        if (!sums.contains(SnapshotFile.line(name, sum))) {
            throw unfit(file, "its " + name + " does not fit its sum");
        }
    }

    private static DiskTrouble unfit(Path file, String why) {
        return new DiskTrouble(
                file + " is no whole snapshot of a cluster: " + why + "; \"cleat operator snapshot save\" writes one",
                Effect.NONE,
                Retry.NEVER);
    }
}
