package io.cleat.artifact;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.compressors.CompressorException;
import org.apache.commons.compress.compressors.CompressorStreamFactory;

/** Real archives of the tests, made by hand. */
final class Archives {
    private Archives() {}

    /** Entries of one archive, in order. */
    static final class Tar {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes);

        Tar() {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
        }

        Tar file(String name, int mode, String content) throws IOException {
            byte[] body = content.getBytes(StandardCharsets.UTF_8);
            TarArchiveEntry entry = new TarArchiveEntry(name, true);
            entry.setMode(0100000 | mode);
            entry.setSize(body.length);
            tar.putArchiveEntry(entry);
            tar.write(body);
            tar.closeArchiveEntry();
            return this;
        }

        Tar zeros(String name, long size) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name, true);
            entry.setSize(size);
            tar.putArchiveEntry(entry);
            byte[] piece = new byte[1 << 16];
            for (long left = size; left > 0; left -= piece.length) {
                tar.write(piece, 0, (int) Math.min(left, piece.length));
            }
            tar.closeArchiveEntry();
            return this;
        }

        Tar directory(String name, int mode) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name + "/", true);
            entry.setMode(0040000 | mode);
            tar.putArchiveEntry(entry);
            tar.closeArchiveEntry();
            return this;
        }

        Tar link(String name, String target) throws IOException {
            return special(name, TarConstants.LF_SYMLINK, target);
        }

        Tar hardLink(String name, String target) throws IOException {
            return special(name, TarConstants.LF_LINK, target);
        }

        /** An entry of a type without content. */
        Tar special(String name, byte type, String target) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name, type, true);
            entry.setLinkName(target);
            tar.putArchiveEntry(entry);
            tar.closeArchiveEntry();
            return this;
        }

        byte[] bytes() throws IOException {
            tar.close();
            return bytes.toByteArray();
        }

        byte[] gzipped() throws IOException {
            return packed(bytes(), CompressorStreamFactory.GZIP);
        }
    }

    /** Entries of one zip file, in order. */
    static final class Zip {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final ZipArchiveOutputStream zip = new ZipArchiveOutputStream(bytes);

        Zip entry(String name, int mode, String content) throws IOException {
            ZipArchiveEntry entry = new ZipArchiveEntry(name);
            entry.setUnixMode(mode);
            zip.putArchiveEntry(entry);
            zip.write(content.getBytes(StandardCharsets.UTF_8));
            zip.closeArchiveEntry();
            return this;
        }

        byte[] bytes() throws IOException {
            zip.close();
            return bytes.toByteArray();
        }
    }

    static byte[] packed(byte[] plain, String compression) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream stream = new CompressorStreamFactory().createCompressorOutputStream(compression, packed)) {
            stream.write(plain);
        } catch (CompressorException absent) {
            throw new IOException(absent);
        }
        return packed.toByteArray();
    }

    /** As the program of that name packs it. */
    static byte[] packedBy(String program, byte[] plain) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(program, "-c").start();
        Thread feed = Thread.ofVirtual().start(() -> {
            try (OutputStream input = process.getOutputStream()) {
                input.write(plain);
            } catch (IOException gone) {
                // Its exit code says it.
            }
        });
        try (InputStream output = process.getInputStream()) {
            byte[] packed = output.readAllBytes();
            feed.join();
            if (process.waitFor() != 0) {
                throw new IOException(program + " failed");
            }
            return packed;
        }
    }
}
