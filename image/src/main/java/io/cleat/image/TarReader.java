package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import io.cleat.base.VisibleText;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a tar archive that nobody vouches for: POSIX ustar with pax headers, and GNU's long names (tar(5)). What is in
 * memory of it is bounded; what this reader does not understand it refuses, and guesses nothing. One thread.
 */
final class TarReader {
    static final int BLOCK = 512;

    /** Of a long name or of extended headers; they are held in memory. */
    private static final long LONGEST_HEADER = 1 << 20;

    /** Headers in front of one entry. */
    private static final int MOST_HEADERS = 8;

    /** Beyond any disk; sums of it do not overflow. */
    private static final long LARGEST = 1L << 50;

    private static final int LONGEST_LINK = 4095;
    private static final long GREATEST_ID = 0xfffffffeL;

    private final InputStream in;
    private final Map<String, String> global = new HashMap<>();
    private long position;
    private long left;
    private long padding;

    TarReader(InputStream in) {
        this.in = in;
    }

    /** Bytes read so far: where the content of the entry begins that was just returned. */
    long position() {
        return position;
    }

    /** The next entry; empty at the end. What is left of the one before is skipped. */
    Optional<TarEntry> next() throws IOException, ArtifactTrouble {
        Map<String, String> own = new HashMap<>(global);
        for (int headers = 0; headers < MOST_HEADERS; headers++) {
            skip(left + padding);
            left = 0;
            padding = 0;
            byte[] block = new byte[BLOCK];
            if (!fill(block)) {
                return Optional.empty();
            }
            TarHeader header = new TarHeader(block);
            if (header.isZero()) {
                return Optional.empty();
            }
            header.requireSum();
            switch (header.type()) {
                case 'x' -> PaxRecords.read(content(header), own);
                case 'g' -> {
                    PaxRecords.read(content(header), global);
                    own.putAll(global);
                }
                case 'L' -> own.put(PaxRecords.PATH, TarHeader.text(content(header)));
                case 'K' -> own.put(PaxRecords.LINK, TarHeader.text(content(header)));
                default -> {
                    return Optional.of(entry(header, own));
                }
            }
        }
        throw UnpackMeter.refused("an entry of it has more than " + MOST_HEADERS + " headers");
    }

    private TarEntry entry(TarHeader header, Map<String, String> own) throws ArtifactTrouble {
        String name = own.getOrDefault(PaxRecords.PATH, header.name());
        if (own.keySet().stream().anyMatch(key -> key.startsWith("GNU.sparse."))) {
            throw UnpackMeter.refused("its entry " + shown(name) + " is a sparse file, which is not read");
        }
        TarEntry.Kind kind = kind(header, name);
        long size = PaxRecords.number(own, "size", header.number(124, 12, "size"));
        if (size < 0 || size > LARGEST) {
            throw UnpackMeter.refused("its entry " + shown(name) + " has a size of " + size);
        }
        boolean hasContent = kind == TarEntry.Kind.FILE;
        left = hasContent ? size : 0;
        padding = (BLOCK - left % BLOCK) % BLOCK;
        String link = own.getOrDefault(PaxRecords.LINK, header.link());
        if (link.length() > LONGEST_LINK) {
            throw UnpackMeter.refused("its link " + shown(name) + " has a target of more than 4,095 characters");
        }
        return new TarEntry(
                name,
                kind,
                (int) (header.number(100, 8, "mode") & 07777),
                id(PaxRecords.number(own, "uid", header.number(108, 8, "uid")), name),
                id(PaxRecords.number(own, "gid", header.number(116, 8, "gid")), name),
                left,
                PaxRecords.number(own, "mtime", header.number(136, 12, "mtime")),
                link);
    }

    private static long id(long id, String name) throws ArtifactTrouble {
        if (id < 0 || id > GREATEST_ID) {
            throw UnpackMeter.refused("its entry " + shown(name) + " belongs to " + id + ", which is no user or group");
        }
        return id;
    }

    private static TarEntry.Kind kind(TarHeader header, String name) throws ArtifactTrouble {
        return switch (header.type()) {
            case 0, '0', '7' -> name.endsWith("/") ? TarEntry.Kind.DIRECTORY : TarEntry.Kind.FILE;
            case '1' -> TarEntry.Kind.HARD_LINK;
            case '2' -> TarEntry.Kind.LINK;
            case '3' -> TarEntry.Kind.CHARACTER;
            case '4' -> TarEntry.Kind.BLOCK;
            case '5' -> TarEntry.Kind.DIRECTORY;
            case '6' -> TarEntry.Kind.FIFO;
            default ->
                throw UnpackMeter.refused("its entry "
                        + shown(name)
                        + " is of the kind '"
                        + (char) header.type()
                        + "', which is not read");
        };
    }

    /** All of a header's own content, which is text. */
    private byte[] content(TarHeader header) throws IOException, ArtifactTrouble {
        long size = header.number(124, 12, "size");
        if (size < 0 || size > LONGEST_HEADER) {
            throw UnpackMeter.refused("it has a header of " + size + " bytes; 1 MiB is the most that is read");
        }
        byte[] content = new byte[(int) size];
        if (!fill(content) && size > 0) {
            throw new EOFException("it ends within a header");
        }
        skip((BLOCK - size % BLOCK) % BLOCK);
        return content;
    }

    /** The content of the entry that was returned last. */
    InputStream content() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] into, int at, int length) throws IOException {
                if (left == 0) {
                    return -1;
                }
                int got = in.read(into, at, (int) Math.min(length, left));
                if (got < 0) {
                    throw new EOFException("it ends within a file");
                }
                left -= got;
                position += got;
                return got;
            }
        };
    }

    /** Returns false at the very end. */
    private boolean fill(byte[] bytes) throws IOException {
        int got = in.readNBytes(bytes, 0, bytes.length);
        position += got;
        if (got > 0 && got < bytes.length) {
            throw new EOFException("it ends within a header");
        }
        return got == bytes.length;
    }

    private void skip(long bytes) throws IOException {
        in.skipNBytes(bytes);
        position += bytes;
    }

    /** A name as it can be shown. */
    static String shown(String name) {
        return "\"" + VisibleText.cut(name, 200) + "\"";
    }
}
