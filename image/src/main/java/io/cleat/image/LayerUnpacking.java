package io.cleat.image;

import io.airlift.compress.zstd.ZstdInputStream;
import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Sha256;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Unpacks the file of one layer, and holds it to its digests: as it is packed, and as the tar archive that is in it.
 */
final class LayerUnpacking {
    private static final int PIECE = 1 << 16;

    /** As the kernel has it of a file that is larger than this process may make one. */
    private static final String TOO_LARGE = "File too large";

    private static final String FULL = "No space left";

    private LayerUnpacking() {}

    /**
     * Unpacks.
     *
     * @param root absent; its parent is seen by nobody else
     * @param diffId of the tar archive
     * @return the device files that it has, which are not made
     * @throws ArtifactTrouble if what is in it is not let in, is damaged or another
     */
    static List<String> unpack(Blob file, ImageManifest.Layer layer, Digest diffId, Path root, UnpackMeter meter)
            throws IOException, ArtifactTrouble {
        meter.layer(file.size());
        LayerTree tree = new LayerTree(root, meter);
        MessageDigest packed = Sha256.begin();
        MessageDigest archive = Sha256.begin();
        boolean isNamed = layer.digest().isPresent();
        try (InputStream raw = isNamed ? new DigestInputStream(file.stream(), packed) : file.stream();
                InputStream opened = open(raw, file);
                InputStream in = new Metered(opened, archive, meter)) {
            TarReader tar = new TarReader(in);
            for (Optional<TarEntry> next = tar.next(); next.isPresent(); next = tar.next()) {
                tree.add(next.get(), tar.content());
            }
            // What follows the end belongs to the digests all the same.
            in.transferTo(OutputStream.nullOutputStream());
            raw.transferTo(OutputStream.nullOutputStream());
        } catch (MeteredTrouble refused) {
            throw refused.trouble;
        } catch (IOException | RuntimeException broken) {
            if (isOfTheDisk(broken)) {
                throw broken;
            }
            throw UnpackMeter.refused("its layer "
                    + TarReader.shown(layer.name())
                    + " cannot be unpacked, it is cut short or damaged: "
                    + broken.getMessage());
        }
        if (layer.digest().isPresent()) {
            ImageText.require(layer.digest().get(), Digest.of(packed), layer.name());
        }
        ImageText.require(diffId, Digest.of(archive), layer.name());
        tree.finish();
        return tree.leftOut();
    }

    private static boolean isOfTheDisk(Exception failed) {
        String words = String.valueOf(failed.getMessage());
        return failed instanceof FileSystemException || words.contains(FULL) || words.contains(TOO_LARGE);
    }

    /** What its first bytes say it is; names and media types may say anything. */
    private static InputStream open(InputStream raw, Blob file) throws IOException {
        byte[] magic = new byte[4];
        int got = file.size() < magic.length ? 0 : file.read(0, magic, 0, magic.length);
        boolean isGzip = got == 4 && magic[0] == 0x1f && magic[1] == (byte) 0x8b;
        boolean isZstd =
                got == 4 && magic[0] == 0x28 && magic[1] == (byte) 0xb5 && magic[2] == 0x2f && magic[3] == (byte) 0xfd;
        if (isGzip) {
            return new GZIPInputStream(raw, PIECE);
        }
        return isZstd ? new ZstdInputStream(raw) : raw;
    }

    /** A refusal on its way through streams. */
    private static final class MeteredTrouble extends IOException {
        private static final long serialVersionUID = 1;

        private final transient ArtifactTrouble trouble;

        MeteredTrouble(ArtifactTrouble trouble) {
            super(trouble);
            this.trouble = trouble;
        }
    }

    /** Counts and digests what comes out of a layer. */
    private static final class Metered extends FilterInputStream {
        private final MessageDigest digest;
        private final UnpackMeter meter;

        Metered(InputStream in, MessageDigest digest, UnpackMeter meter) {
            super(in);
            this.digest = digest;
            this.meter = meter;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int at, int length) throws IOException {
            int got = super.read(into, at, length);
            try {
                meter.unpacked(Math.max(0, got));
                digest.update(into, at, Math.max(0, got));
            } catch (ArtifactTrouble refused) {
                throw new MeteredTrouble(refused);
            }
            return got;
        }

        @Override
        public long skip(long bytes) throws IOException {
            // Through read, so that it is counted and digested.
            byte[] piece = new byte[Math.clamp(bytes, 0, PIECE)];
            return piece.length == 0 ? 0 : Math.max(0, read(piece, 0, piece.length));
        }
    }
}
