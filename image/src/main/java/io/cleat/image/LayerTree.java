package io.cleat.image;

import io.cleat.base.ArtifactTrouble;
import io.cleat.kernel.SpecialFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * One layer as a tree of files, as overlayfs shows it on top of others, made from names that nobody vouches for.
 *
 * <p>Invariant: each directory above what is made was made here, so no link is ever followed; no name leads out; and
 * there is an end to entries and bytes. Directories are given to their owners last, from below, since until then this
 * process must be able to make what is in them. One thread.
 */
final class LayerTree {
    private static final String WHITEOUT = ".wh.";
    private static final String OF_AUFS = ".wh..wh.";
    private static final String OPAQUE = ".wh..wh..opq";

    /** As {@code user.overlay.opaque}. */
    private static final String OPAQUE_ATTRIBUTE = "overlay.opaque";

    /** Less than what the agent removes again. */
    private static final int MOST_DEPTH = 200;

    /** With the directory of layers before it less than what the kernel takes. */
    private static final int LONGEST_NAME = 3000;

    private static final int MOST_LEFT_OUT = 20;

    private final Path root;
    private final UnpackMeter meter;

    /** By path below the root; the deepest of each branch last. */
    private final TreeMap<String, Directory> directories = new TreeMap<>();

    private final TreeSet<String> gone = new TreeSet<>();
    private final TreeSet<String> opaque = new TreeSet<>();
    private final List<String> leftOut = new ArrayList<>();

    private record Directory(long uid, long gid, int mode, long modified) {
        static final Directory UNNAMED = new Directory(0, 0, 0755, 0);
    }

    /** @param root absent; its parent is seen by nobody else */
    LayerTree(Path root, UnpackMeter meter) throws IOException {
        this.root = root;
        this.meter = meter;
        Files.createDirectory(root);
        directories.put("", Directory.UNNAMED);
    }

    /** The device files that it has, which are not made; at most twenty of their names. */
    List<String> leftOut() {
        return List.copyOf(leftOut);
    }

    /** @param content of a file */
    void add(TarEntry entry, InputStream content) throws IOException, ArtifactTrouble {
        String name = name(entry.name());
        meter.entry();
        int slash = name.lastIndexOf('/');
        String above = slash < 0 ? "" : name.substring(0, slash);
        String last = name.substring(slash + 1);
        makeDirectories(above, entry.name());
        if (last.startsWith(WHITEOUT)) {
            hide(above, last, entry.name());
            return;
        }
        switch (entry.kind()) {
            case DIRECTORY -> directory(name, entry);
            case FILE -> file(name, entry, content);
            case LINK -> {
                Path path = fresh(name);
                Files.createSymbolicLink(path, target(entry));
                give(path, entry);
            }
            case HARD_LINK -> hardLink(name, entry);
            case FIFO -> {
                Path path = fresh(name);
                SpecialFiles.fifo(path, 0600);
                give(path, entry);
                // Over the name: to open it would wait for somebody at its other end.
                Files.setAttribute(path, "unix:mode", entry.mode());
            }
            case CHARACTER, BLOCK -> {
                if (leftOut.size() < MOST_LEFT_OUT) {
                    leftOut.add(name);
                }
            }
        }
    }

    private void directory(String name, TarEntry entry) throws IOException {
        if (!directories.containsKey(name)) {
            Path path = path(name);
            Files.deleteIfExists(path);
            Files.createDirectory(path);
        }
        directories.put(name, new Directory(entry.uid(), entry.gid(), entry.mode(), entry.modified()));
    }

    private void file(String name, TarEntry entry, InputStream content) throws IOException, ArtifactTrouble {
        Path path = fresh(name);
        try (OutputStream file = Files.newOutputStream(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            content.transferTo(file);
        }
        Files.setLastModifiedTime(path, time(entry.modified()));
        give(path, entry);
        // After its owner, whose change takes setuid away.
        Files.setAttribute(path, "unix:mode", entry.mode());
    }

    private void hardLink(String name, TarEntry entry) throws IOException, ArtifactTrouble {
        String existing = name(entry.link());
        int slash = existing.lastIndexOf('/');
        Path path = path(existing);
        boolean isThere = directories.containsKey(slash < 0 ? "" : existing.substring(0, slash))
                && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
        if (!isThere) {
            throw UnpackMeter.refused("its entry "
                    + TarReader.shown(entry.name())
                    + " is a hard link to "
                    + TarReader.shown(entry.link())
                    + ", which is no file of the layer");
        }
        if (!existing.equals(name)) {
            Files.createLink(fresh(name), path);
        }
    }

    private static Path target(TarEntry entry) throws ArtifactTrouble {
        if (entry.link().isEmpty() || entry.link().indexOf('\0') >= 0) {
            throw UnpackMeter.refused("its link " + TarReader.shown(entry.name()) + " has no readable target");
        }
        return Path.of(entry.link());
    }

    /** What the layer says of those below it. */
    private void hide(String above, String last, String shown) throws ArtifactTrouble {
        if (last.equals(OPAQUE)) {
            opaque.add(above);
            return;
        }
        if (last.startsWith(OF_AUFS)) {
            // Of an engine's own use, and no file.
            return;
        }
        String hidden = last.substring(WHITEOUT.length());
        if (hidden.isEmpty() || hidden.equals(".") || hidden.equals("..")) {
            throw UnpackMeter.refused("its entry " + TarReader.shown(shown) + " hides nothing that has a name");
        }
        gone.add(above.isEmpty() ? hidden : above + "/" + hidden);
    }

    /** Gives all to whose it is. */
    void finish() throws IOException, ArtifactTrouble {
        for (String name : gone) {
            if (directories.containsKey(name)) {
                // What the layer itself has of that name stays.
                opaque.add(name);
            } else {
                makeWhiteout(path(name));
            }
        }
        for (Map.Entry<String, Directory> each : directories.descendingMap().entrySet()) {
            meter.requireTime();
            Path path = path(each.getKey());
            if (opaque.contains(each.getKey())) {
                attributes(path).write(OPAQUE_ATTRIBUTE, ByteBuffer.wrap(new byte[] {'y'}));
            }
            Directory directory = each.getValue();
            Files.setLastModifiedTime(path, time(directory.modified()));
            give(path, directory.uid(), directory.gid());
            Files.setAttribute(path, "unix:mode", directory.mode());
        }
    }

    private static void makeWhiteout(Path path) throws IOException {
        try {
            SpecialFiles.whiteout(path);
        } catch (FileAlreadyExistsException own) {
            // A file of the layer itself hides that of the others.
        }
    }

    private static UserDefinedFileAttributeView attributes(Path path) throws IOException {
        UserDefinedFileAttributeView view = Files.getFileAttributeView(path, UserDefinedFileAttributeView.class);
        if (view == null) {
            throw new IOException("the file system of " + path + " keeps no attributes of users");
        }
        return view;
    }

    private static void give(Path path, TarEntry entry) throws IOException {
        give(path, entry.uid(), entry.gid());
    }

    private static void give(Path path, long uid, long gid) throws IOException {
        Files.setAttribute(path, "unix:gid", (int) gid, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:uid", (int) uid, LinkOption.NOFOLLOW_LINKS);
    }

    private static FileTime time(long seconds) {
        // What ext4 can keep.
        return FileTime.from(Math.clamp(seconds, 0, (1L << 33) - 1), TimeUnit.SECONDS);
    }

    /** Where a file of that name can be made; an earlier one of the layer goes. */
    private Path fresh(String name) throws IOException, ArtifactTrouble {
        if (directories.containsKey(name)) {
            throw UnpackMeter.refused("its entry " + TarReader.shown(name) + " is a directory as well");
        }
        Path path = path(name);
        Files.deleteIfExists(path);
        return path;
    }

    private void makeDirectories(String name, String shown) throws IOException, ArtifactTrouble {
        if (directories.containsKey(name)) {
            return;
        }
        int slash = name.lastIndexOf('/');
        makeDirectories(slash < 0 ? "" : name.substring(0, slash), shown);
        meter.entry();
        try {
            Files.createDirectory(path(name));
        } catch (FileAlreadyExistsException other) {
            throw UnpackMeter.refused("its entry "
                    + TarReader.shown(shown)
                    + " lies below "
                    + TarReader.shown(name)
                    + ", which is a link or a file");
        }
        directories.put(name, Directory.UNNAMED);
    }

    private Path path(String name) {
        return name.isEmpty() ? root : root.resolve(name);
    }

    /** Plain names with single slashes between them; empty for the root. */
    private static String name(String text) throws ArtifactTrouble {
        StringBuilder name = new StringBuilder();
        int depth = 0;
        for (String part : text.split("/", -1)) {
            if (part.equals("..")) {
                throw UnpackMeter.refused("its entry " + TarReader.shown(text) + " leads out of it");
            }
            if (part.isEmpty() || part.equals(".")) {
                continue;
            }
            if (part.getBytes(StandardCharsets.UTF_8).length > 255) {
                throw UnpackMeter.refused("its entry " + TarReader.shown(text) + " has a name of more than 255 bytes");
            }
            name.append(name.isEmpty() ? "" : "/").append(part);
            depth++;
        }
        if (depth > MOST_DEPTH) {
            throw UnpackMeter.refused("an entry of it lies deeper than 200 directories");
        }
        if (name.length() > LONGEST_NAME) {
            throw UnpackMeter.refused(
                    "its entry " + TarReader.shown(text) + " has a path of more than 3,000 characters");
        }
        return name.toString();
    }
}
