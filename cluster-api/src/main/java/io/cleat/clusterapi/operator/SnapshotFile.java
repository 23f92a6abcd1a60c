package io.cleat.clusterapi.operator;

import io.cleat.api.Json;
import io.cleat.api.SnapshotMeta;
import io.cleat.base.Sha256;
import io.cleat.server.commit.Applied;
import io.cleat.server.commit.Saved;
import io.cleat.state.ClusterState;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * The cluster's image as a file, as clients of the API take it: a tar archive, compressed by gzip, of
 * {@code meta.json}, {@code state.bin} and {@code SHA256SUMS}, which has the sums of the two. {@link SavedFile} reads
 * it.
 *
 * <p>The image is written as often as something of it has to be known before its bytes (its length and sum, those of
 * the whole, the whole), so that no copy of it is held.
 */
final class SnapshotFile {
    static final String META = "meta.json";
    static final String STATE = "state.bin";
    static final String SUMS = "SHA256SUMS";

    private static final int BUFFER = 1 << 16;

    private final Saved<ClusterState> saved;
    private final byte[] meta;
    private final byte[] sums;
    private final long length;

    private SnapshotFile(Saved<ClusterState> saved, byte[] meta, byte[] sums, long length) {
        this.saved = saved;
        this.meta = meta;
        this.sums = sums;
        this.length = length;
    }

    static SnapshotFile of(Saved<ClusterState> saved) throws IOException {
        Counted state = new Counted();
        saved.writeTo(state);
        Applied<ClusterState> applied = saved.applied();
        byte[] meta = Json.text(new SnapshotMeta(
                        1,
                        applied.version() + "-" + applied.reign(),
                        applied.version(),
                        applied.reigns().size(),
                        state.length,
                        applied.image().clusterId().orElse(""),
                        applied.decidedAt(),
                        applied.featureLevel()))
                .getBytes(StandardCharsets.UTF_8);
        String sums = line(META, Sha256.begin().digest(meta)) + line(STATE, state.digest.digest());
        return new SnapshotFile(saved, meta, sums.getBytes(StandardCharsets.US_ASCII), state.length);
    }

    /** A line of {@link #SUMS}, as the program {@code sha256sum} writes it, with its end. */
    static String line(String name, byte[] sum) {
        return HexFormat.of().formatHex(sum) + "  " + name + "\n";
    }

    /** SHA-256 of the whole. */
    byte[] digest() throws IOException {
        MessageDigest digest = Sha256.begin();
        write(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
        return digest.digest();
    }

    /** Writes the whole; {@code to} is neither flushed nor closed. */
    void write(OutputStream to) throws IOException {
        GZIPOutputStream zipped = new GZIPOutputStream(to, BUFFER);
        TarArchiveOutputStream tar = new TarArchiveOutputStream(zipped, "UTF-8");
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        begin(tar, META, meta.length);
        tar.write(meta);
        tar.closeArchiveEntry();
        begin(tar, STATE, length);
        OutputStream buffered = new BufferedOutputStream(tar, BUFFER);
        saved.writeTo(buffered);
        buffered.flush();
        tar.closeArchiveEntry();
        begin(tar, SUMS, sums.length);
        tar.write(sums);
        tar.closeArchiveEntry();
        tar.finish();
        zipped.finish();
    }

    private void begin(TarArchiveOutputStream tar, String name, long size) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(size);
        entry.setMode(0100600);
        entry.setLastModifiedTime(FileTime.from(saved.applied().decidedAt()));
        tar.putArchiveEntry(entry);
    }

    /** Counts and sums what is written, and keeps nothing of it. */
    private static final class Counted extends OutputStream {
        private final MessageDigest digest = Sha256.begin();
        private long length;

        @Override
        public void write(int each) {
            digest.update((byte) each);
            length++;
        }

        @Override
        public void write(byte[] bytes, int from, int count) {
            digest.update(bytes, from, count);
            length += count;
        }
    }
}
