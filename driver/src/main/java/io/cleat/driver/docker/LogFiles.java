package io.cleat.driver.docker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files of one stream of a task: {@code NAME.N}, N from 0, of which the newest few are kept. No link is opened.
 *
 * <p>Of one thread.
 */
final class LogFiles implements AutoCloseable {
    private static final Pattern NUMBERED = Pattern.compile("(.*)\\.(\\d{1,9})");
    private static final Set<OpenOption> APPEND =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    private static final FileAttribute<Set<PosixFilePermission>> OURS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;
    private final String name;
    private final int most;
    private final long largest;
    private int number;
    private long size;
    private @Nullable FileChannel open;

    /**
     * Where the newest file ends.
     *
     * @param number its N
     * @param size bytes
     */
    record End(int number, long size) {
        static final End START = new End(0, 0);
    }

    /**
     * @param name such as {@code web.stdout}
     * @param most how many files are kept
     * @param largest bytes of one
     */
    LogFiles(Path directory, String name, int most, long largest) {
        this.directory = directory;
        this.name = name;
        this.most = Math.max(1, most);
        this.largest = Math.max(1, largest);
    }

    /** Goes on behind what is there. */
    void goOn() throws IOException {
        close();
        TreeMap<Integer, Path> there = there();
        number = there.isEmpty() ? 0 : there.lastKey();
        size = open().size();
    }

    /** Goes on behind that end; what is behind it is cut off. */
    void goOn(End end) throws IOException {
        close();
        for (Path later : there().tailMap(end.number(), false).values()) {
            Files.deleteIfExists(later);
        }
        number = end.number();
        FileChannel channel = open();
        if (channel.size() > end.size()) {
            channel.truncate(end.size());
        }
        size = channel.size();
    }

    End end() {
        return new End(number, size);
    }

    private TreeMap<Integer, Path> there() throws IOException {
        TreeMap<Integer, Path> files = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            for (Path file : all) {
                Matcher form = NUMBERED.matcher(String.valueOf(file.getFileName()));
                if (form.matches() && form.group(1).equals(name)) {
                    files.put(Integer.parseInt(form.group(2)), file);
                }
            }
        }
        return files;
    }

    private FileChannel open() throws IOException {
        FileChannel now = open;
        if (now == null) {
            now = FileChannel.open(directory.resolve(name + "." + number), APPEND, OURS);
            open = now;
        }
        return now;
    }

    /** Appends; a line may go on in the next file. */
    void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (size >= largest) {
                close();
                number++;
                size = 0;
                for (Path old : there().headMap(number - most, true).values()) {
                    Files.deleteIfExists(old);
                }
            }
            ByteBuffer part = bytes.slice();
            part.limit((int) Math.min(part.limit(), largest - size));
            int written = open().write(part, size);
            size += written;
            bytes.position(bytes.position() + written);
        }
    }

    @Override
    public void close() throws IOException {
        FileChannel now = open;
        open = null;
        if (now != null) {
            now.close();
        }
    }
}
