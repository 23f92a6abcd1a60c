package io.cleat.agent.host;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import io.cleat.model.HostVolumeNames;
import io.cleat.model.NameRule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The programs in the directory that a node's operator has named for them. They run as root, so
 * nobody but root may have written them, or be able to put others in their place: neither the file
 * nor a directory on the way to it is another's, or may be written by others, or is a link.
 */
final class PluginFiles {
    /** How many are looked at. */
    static final int MOST = 50;

    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final Path MACHINE = Path.of("/");
    private static final int WRITABLE_BY_OTHERS = 022;

    /** Of a directory in which nobody removes what is another's, as /tmp is. */
    private static final int STICKY = 01000;

    private static final int EXECUTABLE = 0100;

    private final Path directory;
    private final Paths paths;
    private final Time time;

    PluginFiles(Path directory, Paths paths, Time time) {
        this.directory = directory;
        this.paths = paths;
        this.time = time;
    }

    /**
     * What was found.
     *
     * @param programs by name, with what changes when the file does
     * @param refused words about what is not used, each naming it
     */
    record Found(Map<String, Program> programs, List<String> refused) {}

    /**
     * One that may be run.
     *
     * @param mark another once the file is another
     */
    record Program(Path path, String mark) {}

    /**
     * @throws KernelTrouble the directory is not one of root's alone, or cannot be looked at
     */
    Found look() throws KernelTrouble, InterruptedException {
        for (Path path : way()) {
            PathStat there = stat(path).orElse(null);
            if (there == null) {
                throw refused(path + " is not there");
            }
            if (!there.isDirectory()) {
                throw refused(path + " is no directory, or a link to one");
            }
            boolean isKeeping = (there.mode() & STICKY) != 0 && !path.equals(directory);
            Optional<String> fault =
                    isKeeping && there.user() == 0 ? Optional.empty() : fault(there);
            if (fault.isPresent()) {
                throw refused(path + " " + fault.get());
            }
        }
        Map<String, Program> programs = new TreeMap<>();
        List<String> refused = new ArrayList<>();
        for (String name :
                paths.list(Place.of(MACHINE, directory), Deadline.in(time, WITHIN)).sorted()) {
            Path path = directory.resolve(name);
            Optional<String> fault =
                    programs.size() >= MOST
                            ? Optional.of("is one more than the " + MOST + " that are looked at")
                            : nameFault(name);
            Optional<PathStat> there = fault.isPresent() ? Optional.empty() : stat(path);
            if (fault.isEmpty() && there.isEmpty()) {
                continue;
            }
            fault = fault.or(() -> there.flatMap(PluginFiles::programFault));
            if (fault.isPresent()) {
                refused.add(path + " " + fault.get());
            } else {
                PathStat file = there.orElseThrow();
                programs.put(name, new Program(path, file.inode() + " " + file.size()));
            }
        }
        return new Found(programs, refused);
    }

    /** From / on to the directory. */
    private List<Path> way() {
        List<Path> way = new ArrayList<>();
        for (Path path = directory; path != null; path = path.getParent()) {
            way.addFirst(path);
        }
        return way;
    }

    private Optional<PathStat> stat(Path path) throws KernelTrouble, InterruptedException {
        return paths.stat(Place.of(MACHINE, path), Deadline.in(time, WITHIN));
    }

    private static Optional<String> nameFault(String name) {
        if (name.equals(HostVolumeNames.MKDIR)) {
            return Optional.of("has the name of the built-in plugin: give it another one");
        }
        return NameRule.isPart(name)
                ? Optional.empty()
                : Optional.of("has a name that no plugin may have");
    }

    private static Optional<String> programFault(PathStat file) {
        if (file.type() != PathStat.Type.FILE) {
            return Optional.of("is no file: links are not followed");
        }
        Optional<String> fault = fault(file);
        if (fault.isPresent()) {
            return fault;
        }
        return (file.mode() & EXECUTABLE) == 0
                ? Optional.of("may not be executed: chmod u+x it")
                : Optional.empty();
    }

    private static Optional<String> fault(PathStat there) {
        if (there.user() != 0) {
            return Optional.of("belongs to user " + there.user() + ": chown it to root");
        }
        return (there.mode() & WRITABLE_BY_OTHERS) == 0
                ? Optional.empty()
                : Optional.of("may be written by others than root: chmod go-w it");
    }

    private KernelTrouble refused(String why) {
        return new KernelTrouble(
                "no host volume plugins are taken from " + directory + ": " + why,
                Effect.NONE,
                Retry.AFTER_OBSERVING);
    }
}
