package io.cleat.artifact;

import io.cleat.base.ArtifactTrouble;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Enumeration;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * Unpacks a zip file by its directory, which is at its end. How large that is is looked at before the library reads it
 * as a whole.
 */
final class ZipReading {
    private static final int END_SIGNATURE = 0x06054b50;
    private static final int END_SIZE = 22;
    private static final int LONGEST_COMMENT = 0xffff;

    /** A generous entry of the directory, names and extra fields included. */
    private static final int ENTRY_BYTES = 1 << 10;

    private static final int TYPE = 0170000;
    private static final int FILE_TYPE = 0100000;
    private static final int DIRECTORY_TYPE = 0040000;
    private static final int LONGEST_TARGET = 4096;

    private final Path packed;
    private final FreshTree tree;

    ZipReading(Path packed, FreshTree tree) {
        this.packed = packed;
        this.tree = tree;
    }

    void run() throws IOException, ArtifactTrouble {
        tree.requireRoom(directoryBytes() / ENTRY_BYTES);
        try (ZipFile zip = ZipFile.builder().setPath(packed).get()) {
            Enumeration<ZipArchiveEntry> entries = zip.getEntriesInPhysicalOrder();
            while (entries.hasMoreElements()) {
                entry(zip, entries.nextElement());
            }
        }
    }

    private void entry(ZipFile zip, ZipArchiveEntry entry) throws IOException, ArtifactTrouble {
        String name = entry.getName();
        int mode = entry.getUnixMode();
        if (!zip.canReadEntryData(entry)) {
            throw FreshTree.refused("its entry " + name + " is encrypted, or packed in a way that is not known");
        }
        if (entry.isUnixSymlink()) {
            try (InputStream content = zip.getInputStream(entry)) {
                byte[] target = content.readNBytes(LONGEST_TARGET + 1);
                tree.link(name, new String(target, StandardCharsets.UTF_8));
            }
        } else if (entry.isDirectory() || (mode & TYPE) == DIRECTORY_TYPE) {
            tree.directory(name, (mode & 0777) == 0 ? 0755 : mode);
        } else if ((mode & TYPE) == FILE_TYPE || (mode & TYPE) == 0) {
            try (InputStream content = zip.getInputStream(entry)) {
                tree.file(name, (mode & 0777) == 0 ? 0644 : mode, entry.getLastModifiedTime(), content);
            }
        } else {
            throw FreshTree.special(name, "a device or a fifo");
        }
    }

    /** The length of the directory: from where its end record says it begins to that record. */
    private long directoryBytes() throws IOException {
        try (FileChannel file = FileChannel.open(packed, StandardOpenOption.READ)) {
            long size = file.size();
            int length = (int) Math.min(size, END_SIZE + LONGEST_COMMENT);
            ByteBuffer tail = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
            file.read(tail, size - length);
            for (int at = length - END_SIZE; at >= 0; at--) {
                if (tail.getInt(at) == END_SIGNATURE) {
                    long begin = Integer.toUnsignedLong(tail.getInt(at + 16));
                    long end = size - length + at;
                    // In the larger form it is somewhere else; what counts is how much there is.
                    return begin == 0xffffffffL
                            ? Integer.toUnsignedLong(tail.getInt(at + 12))
                            : Math.max(0, end - begin);
                }
            }
            throw new IOException("it has no directory at its end");
        }
    }
}
