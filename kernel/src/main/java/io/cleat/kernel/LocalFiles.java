package io.cleat.kernel;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Files of the local disk, opened in this process, in directories that a workload may change at any moment: below a
 * place's root no link is followed, no other file system is entered, and what is not a regular file is not opened, so
 * nothing here can hang. Files of volumes are for {@link FileReads}.
 */
public final class LocalFiles {
    private LocalFiles() {}

    /** What is done with something that is open for the moment, under another path. */
    @FunctionalInterface
    private interface Use<T> {
        T of(Path handle) throws IOException;
    }

    /**
     * Opens a regular file for reading.
     *
     * @throws NoSuchFileException if it is not there
     */
    public static FileChannel open(Place file) throws IOException {
        return with(file, handle -> {
            if (!Files.isRegularFile(handle)) {
                throw new IOException(file + " is not a regular file");
            }
            return FileChannel.open(handle, StandardOpenOption.READ);
        });
    }

    /**
     * What tells a regular file from any other, and from itself after a change: as long as it is the same, so is what
     * is in the file.
     *
     * @throws NoSuchFileException if it is not there
     */
    public static String identity(Place file) throws IOException {
        return with(file, handle -> {
            Map<String, Object> found =
                    new TreeMap<>(Files.readAttributes(handle, "unix:dev,ino,size,lastModifiedTime,ctime"));
            return found.toString();
        });
    }

    /**
     * The sizes of the regular files in a directory, by name.
     *
     * @throws NoSuchFileException if it is not there
     */
    public static NavigableMap<String, Long> sizes(Place directory) throws IOException {
        return with(directory, handle -> {
            NavigableMap<String, Long> sizes = new TreeMap<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(handle)) {
                for (Path entry : entries) {
                    add(entry, sizes);
                }
            } catch (DirectoryIteratorException broken) {
                throw new IOException(broken);
            }
            return sizes;
        });
    }

    private static void add(Path entry, Map<String, Long> sizes) throws IOException {
        try {
            BasicFileAttributes found =
                    Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (found.isRegularFile()) {
                sizes.put(entry.getFileName().toString(), found.size());
            }
        } catch (NoSuchFileException goneMeanwhile) {
            return;
        }
    }

    /** Goes down name by name; each step is held open, so that nothing can be put in its place. */
    private static <T> T with(Place place, Use<T> use) throws IOException {
        int at = Libc.open(place.root().toString(), Libc.O_PATH);
        try {
            require(at, place.root().toString());
            Object device = device(handle(at));
            for (String name :
                    place.below().isEmpty() ? new String[0] : place.below().split("/", -1)) {
                int next = Libc.open(handle(at) + "/" + name, Libc.O_PATH | Libc.O_NOFOLLOW);
                Libc.close(at);
                at = next;
                require(at, place.toString());
                if (Files.readAttributes(handle(at), BasicFileAttributes.class).isSymbolicLink()
                        || !device(handle(at)).equals(device)) {
                    throw new IOException(place + " leads over \"" + name + "\", a link or another file system");
                }
            }
            return use.of(handle(at));
        } finally {
            if (at >= 0) {
                Libc.close(at);
            }
        }
    }

    private static Object device(Path handle) throws IOException {
        return Files.getAttribute(handle, "unix:dev");
    }

    private static Path handle(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }

    private static void require(int descriptor, String path) throws IOException {
        if (descriptor == -Errno.ENOENT) {
            throw new NoSuchFileException(path);
        }
        if (descriptor < 0) {
            throw new IOException(path + ": " + Errno.text(-descriptor));
        }
    }
}
