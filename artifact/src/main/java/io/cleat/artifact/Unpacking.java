package io.cleat.artifact;

import io.airlift.compress.zstd.ZstdInputStream;
import io.cleat.base.ArtifactTrouble;
import io.cleat.base.Retry;
import io.cleat.model.ArtifactPacking;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;
import org.jspecify.annotations.Nullable;

/** Unpacks one file into a {@link FreshTree}. */
final class Unpacking {
    /** More than the strongest setting of xz asks for. */
    private static final int XZ_MEMORY_KIB = 100 << 10;

    /** Long names and extended headers of one entry; they are read into memory as a whole. */
    private static final long LONGEST_HEADER = 1 << 20;

    private static final int FILE_MODE = 0644;

    private Unpacking() {}

    /**
     * @param name what the one file is called that is only compressed
     * @throws ArtifactTrouble if what is in it is not let in, or it is broken
     */
    static void unpack(Path packed, ArtifactPacking packing, String name, FreshTree tree)
            throws IOException, ArtifactTrouble {
        try {
            switch (packing.container()) {
                case ZIP -> new ZipReading(packed, tree).run();
                case TAR -> {
                    try (InputStream stream = open(packed, packing.compression())) {
                        tar(stream, tree);
                    }
                }
                case NONE -> {
                    try (InputStream stream = open(packed, packing.compression())) {
                        tree.file(name, FILE_MODE, null, stream);
                    }
                }
            }
        } catch (IOException | RuntimeException broken) {
            if (Thread.currentThread().isInterrupted() || isOfTheDisk(broken)) {
                throw broken;
            }
            throw new ArtifactTrouble(
                    "it cannot be unpacked as "
                            + words(packing)
                            + ", it is cut short or no such archive: "
                            + broken.getMessage()
                            + "; if it is to stay as it is, say archive = false",
                    Retry.SAME_CALL,
                    broken);
        }
    }

    private static boolean isOfTheDisk(Exception failed) {
        return failed instanceof FileSystemException
                || String.valueOf(failed.getMessage()).contains("No space left")
                || String.valueOf(failed.getMessage()).contains(Bounds.TOO_LARGE);
    }

    private static String words(ArtifactPacking packing) {
        String container = packing.container() == ArtifactPacking.Container.NONE
                ? ""
                : packing.container().name().toLowerCase(Locale.ROOT);
        String compression = packing.compression() == ArtifactPacking.Compression.NONE
                ? ""
                : packing.compression().name().toLowerCase(Locale.ROOT);
        return container.isEmpty() || compression.isEmpty()
                ? container + compression
                : container + " and " + compression;
    }

    private static InputStream open(Path packed, ArtifactPacking.Compression compression) throws IOException {
        InputStream file = new BufferedInputStream(Files.newInputStream(packed), 1 << 16);
        try {
            return switch (compression) {
                case NONE -> file;
                case GZIP ->
                    GzipCompressorInputStream.builder()
                            .setInputStream(file)
                            .setDecompressConcatenated(true)
                            .get();
                case BZIP2 -> new BZip2CompressorInputStream(file, true);
                case XZ ->
                    XZCompressorInputStream.builder()
                            .setInputStream(file)
                            .setDecompressConcatenated(true)
                            .setMemoryLimitKiB(XZ_MEMORY_KIB)
                            .get();
                case ZSTD -> new ZstdInputStream(file);
            };
        } catch (IOException | RuntimeException failed) {
            file.close();
            throw failed;
        }
    }

    private static void tar(InputStream stream, FreshTree tree) throws IOException, ArtifactTrouble {
        Metered metered = new Metered(stream);
        try (TarArchiveInputStream tar = new TarArchiveInputStream(metered)) {
            TarArchiveEntry entry = next(tar, metered);
            while (entry != null) {
                entry(entry, tar, tree);
                // What is left of it, so that the next header alone is measured.
                tar.transferTo(OutputStream.nullOutputStream());
                entry = next(tar, metered);
            }
        }
    }

    private static @Nullable TarArchiveEntry next(TarArchiveInputStream tar, Metered metered) throws IOException {
        metered.allow(LONGEST_HEADER);
        TarArchiveEntry entry = tar.getNextEntry();
        metered.allow(Long.MAX_VALUE);
        return entry;
    }

    private static void entry(TarArchiveEntry entry, InputStream content, FreshTree tree)
            throws IOException, ArtifactTrouble {
        String name = entry.getName();
        if (entry.isDirectory()) {
            tree.directory(name, entry.getMode());
        } else if (entry.isSymbolicLink()) {
            tree.link(name, entry.getLinkName());
        } else if (entry.isLink()) {
            tree.hardLink(name, entry.getLinkName());
        } else if (entry.isCharacterDevice() || entry.isBlockDevice()) {
            throw FreshTree.special(name, "a device");
        } else if (entry.isFIFO()) {
            throw FreshTree.special(name, "a fifo");
        } else if (entry.isFile()) {
            FileTime modified = entry.getLastModifiedTime();
            tree.file(name, entry.getMode(), modified, content);
        } else {
            throw FreshTree.special(name, "of a kind of its own");
        }
    }

    /** Ends with an error where more is read than is allowed from now on. */
    private static final class Metered extends FilterInputStream {
        private long left = Long.MAX_VALUE;

        Metered(InputStream stream) {
            super(stream);
        }

        void allow(long bytes) {
            left = bytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int from, int most) throws IOException {
            int got = super.read(bytes, from, most);
            left -= Math.max(0, got);
            if (left < 0) {
                throw new IOException("the header of an entry is longer than 1 MiB");
            }
            return got;
        }

        @Override
        public long skip(long bytes) throws IOException {
            long skipped = super.skip(Math.min(bytes, Math.max(0, left)));
            left -= skipped;
            return skipped;
        }
    }
}
