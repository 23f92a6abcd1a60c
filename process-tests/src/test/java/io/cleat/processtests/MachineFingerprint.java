package io.cleat.processtests;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the files of this machine are that nobody changes while a battery runs, and those of the battery's own that
 * nobody may touch: their kind, mode, owner, size, number and time of change.
 */
final class MachineFingerprint {
    private static final int DEEP = 6;
    private static final List<String> QUIET =
            List.of("/etc", "/usr/local", "/usr/bin", "/boot", "/home", "/srv", "/var/spool");

    /** Looked at for what carries the mark of the battery, one level deep. */
    private static final List<String> BUSY =
            List.of("/", "/root", "/usr", "/usr/lib", "/var/lib", "/run", "/dev", "/dev/shm", "/tmp", "/var/tmp");

    private final Map<Path, String> files = new TreeMap<>();

    private MachineFingerprint() {}

    /** @param own a directory of the battery's that nobody may touch */
    static MachineFingerprint of(Path own) throws IOException {
        MachineFingerprint print = new MachineFingerprint();
        for (String directory : QUIET) {
            print.add(Path.of(directory));
        }
        print.add(own);
        return print;
    }

    /** Of one directory alone. */
    static MachineFingerprint ofOnly(Path own) throws IOException {
        MachineFingerprint print = new MachineFingerprint();
        print.add(own);
        return print;
    }

    private void add(Path directory) throws IOException {
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                directory, EnumSet.noneOf(java.nio.file.FileVisitOption.class), DEEP, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
                            throws IOException {
                        // Its time of change is that of its newest name, which is looked at itself.
                        files.put(path, look(path, "unix:mode,uid,gid,ino"));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                        files.put(path, look(path, "unix:mode,uid,gid,ino,size,nlink,ctime"));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path path, IOException gone) {
                        files.put(path, "unreadable");
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static String look(Path path, String attributes) throws IOException {
        return new TreeMap<>(Files.readAttributes(path, attributes, LinkOption.NOFOLLOW_LINKS)).toString();
    }

    /** In words, what another one has that this has not, and the other way round. */
    List<String> changes(MachineFingerprint after) {
        List<String> found = new ArrayList<>();
        files.forEach((path, was) -> {
            String is = after.files.get(path);
            if (is == null) {
                found.add(path + " is gone");
            } else if (!is.equals(was)) {
                found.add(path + " was " + was + " and is " + is);
            }
        });
        after.files.keySet().stream()
                .filter(path -> !files.containsKey(path))
                .forEach(path -> found.add(path + " is new"));
        return found;
    }

    /** Files with a name that only attempts give, in places where all sorts of programs write. */
    static List<String> marked(String mark) throws IOException {
        List<String> found = new ArrayList<>();
        for (String directory : BUSY) {
            if (Files.isDirectory(Path.of(directory))) {
                try (Stream<Path> entries = Files.list(Path.of(directory))) {
                    entries.map(Path::toString)
                            .filter(name -> name.contains(mark))
                            .forEach(found::add);
                }
            }
        }
        return found;
    }
}
