package io.cleat.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Which programs of a directory an operator has named may be run as the agent's user. Nobody but root, or that user,
 * may have written them, or be able to put others in their place: neither the file nor a directory on the way to it is
 * another's, or may be written by others, or is a link.
 *
 * @param user the agent's user
 */
public record ProgramRule(long user) {
    /** For programs that run as root. */
    public static final ProgramRule OF_ROOT = new ProgramRule(0);

    /**
     * What is at a path, a link itself and not what it points to.
     *
     * @param mode permission bits
     */
    public record Look(PathStat.Type type, long user, int mode) {
        public static Look of(PathStat stat) {
            return new Look(stat.type(), stat.user(), stat.mode());
        }

        /** What is at a path of a local file system; empty for nothing. */
        public static Optional<Look> at(Path path) throws IOException {
            try {
                Map<String, Object> seen = Files.readAttributes(
                        path, "unix:mode,uid,isDirectory,isRegularFile", LinkOption.NOFOLLOW_LINKS);
                PathStat.Type type = Boolean.TRUE.equals(seen.get("isDirectory"))
                        ? PathStat.Type.DIRECTORY
                        : Boolean.TRUE.equals(seen.get("isRegularFile")) ? PathStat.Type.FILE : PathStat.Type.LINK;
                long user = Integer.toUnsignedLong((int) Objects.requireNonNull(seen.get("uid")));
                int mode = (int) Objects.requireNonNull(seen.get("mode"));
                return Optional.of(new Look(type, user, mode));
            } catch (NoSuchFileException gone) {
                return Optional.empty();
            }
        }

        /** Whether it is a file that its owner may not execute. */
        public boolean isNoProgram() {
            return type == PathStat.Type.FILE && (mode & EXECUTABLE) == 0;
        }
    }

    private static final int WRITABLE_BY_OTHERS = 022;

    /** Of a directory in which nobody removes what is another's, as /tmp is. */
    private static final int STICKY = 01000;

    private static final int EXECUTABLE = 0100;

    /** The directories to look at, from / on to the one that holds the programs. */
    public static List<Path> way(Path directory) {
        List<Path> way = new ArrayList<>();
        for (Path path = directory; path != null; path = path.getParent()) {
            way.addFirst(path);
        }
        return way;
    }

    /**
     * What is wrong with a program of a local file system or with the way to it, with the path that is at fault; empty
     * if nothing is.
     *
     * @param program absolute
     */
    public Optional<String> fault(Path program) throws IOException {
        Path directory = Objects.requireNonNull(program.getParent());
        for (Path path : way(directory)) {
            Optional<String> fault = directoryFault(Look.at(path), path.equals(directory));
            if (fault.isPresent()) {
                return Optional.of(path + " " + fault.get());
            }
        }
        Optional<Look> there = Look.at(program);
        Optional<String> fault = there.isEmpty() ? Optional.of("is not there") : programFault(there.get());
        return fault.map(words -> program + " " + words);
    }

    /**
     * What is wrong with a directory, in words that follow its path; empty if nothing is.
     *
     * @param there what is at the path; empty for nothing
     * @param holdsPrograms whether the programs lie in it, and not below it
     */
    public Optional<String> directoryFault(Optional<Look> there, boolean holdsPrograms) {
        if (there.isEmpty()) {
            return Optional.of("is not there");
        }
        if (there.get().type() != PathStat.Type.DIRECTORY) {
            return Optional.of("is no directory, or a link to one");
        }
        boolean keepsOthersOut = (there.get().mode() & STICKY) != 0 && !holdsPrograms;
        return keepsOthersOut && isOurs(there.get()) ? Optional.empty() : fault(there.get());
    }

    /** What is wrong with a program, in words that follow its path; empty if nothing is. */
    public Optional<String> programFault(Look file) {
        if (file.type() != PathStat.Type.FILE) {
            return Optional.of("is no file: links are not followed");
        }
        Optional<String> fault = fault(file);
        if (fault.isPresent()) {
            return fault;
        }
        return file.isNoProgram() ? Optional.of("may not be executed: chmod u+x it") : Optional.empty();
    }

    private boolean isOurs(Look there) {
        return there.user() == 0 || there.user() == user;
    }

    private Optional<String> fault(Look there) {
        if (!isOurs(there)) {
            return Optional.of("belongs to user " + there.user() + ": chown it to root");
        }
        return (there.mode() & WRITABLE_BY_OTHERS) == 0
                ? Optional.empty()
                : Optional.of("may be written by others than root: chmod go-w it");
    }
}
