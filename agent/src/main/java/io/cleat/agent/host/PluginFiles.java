package io.cleat.agent.host;

import io.cleat.base.Deadline;
import io.cleat.base.Effect;
import io.cleat.base.KernelTrouble;
import io.cleat.base.Retry;
import io.cleat.base.Time;
import io.cleat.kernel.PathStat;
import io.cleat.kernel.Paths;
import io.cleat.kernel.Place;
import io.cleat.kernel.ProgramRule;
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
 * The programs in the directory that a node's operator has named for them. They run as root, so that
 * {@link ProgramRule} holds for each.
 */
final class PluginFiles {
    /** How many are looked at. */
    static final int MOST = 50;

    private static final Duration WITHIN = Duration.ofSeconds(10);
    private static final Path MACHINE = Path.of("/");
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

    /** @throws KernelTrouble the directory is not one of root's alone, or cannot be looked at */
    Found look() throws KernelTrouble, InterruptedException {
        for (Path path : ProgramRule.way(directory)) {
            Optional<String> fault =
                    ProgramRule.OF_ROOT.directoryFault(stat(path).map(ProgramRule.Look::of), path.equals(directory));
            if (fault.isPresent()) {
                throw refused(path + " " + fault.get());
            }
        }
        Map<String, Program> programs = new TreeMap<>();
        List<String> refused = new ArrayList<>();
        for (String name : paths.list(Place.of(MACHINE, directory), Deadline.in(time, WITHIN))
                .sorted()) {
            Path path = directory.resolve(name);
            Optional<String> fault = programs.size() >= MOST
                    ? Optional.of("is one more than the " + MOST + " that are looked at")
                    : nameFault(name);
            Optional<PathStat> there = fault.isPresent() ? Optional.empty() : stat(path);
            if (fault.isEmpty() && there.isEmpty()) {
                continue;
            }
            fault = fault.or(() -> there.map(ProgramRule.Look::of).flatMap(ProgramRule.OF_ROOT::programFault));
            if (fault.isPresent()) {
                refused.add(path + " " + fault.get());
            } else {
                PathStat file = there.orElseThrow();
                programs.put(name, new Program(path, file.inode() + " " + file.size()));
            }
        }
        return new Found(programs, refused);
    }

    private Optional<PathStat> stat(Path path) throws KernelTrouble, InterruptedException {
        return paths.stat(Place.of(MACHINE, path), Deadline.in(time, WITHIN));
    }

    private static Optional<String> nameFault(String name) {
        if (name.equals(HostVolumeNames.MKDIR)) {
            return Optional.of("has the name of the built-in plugin: give it another one");
        }
        return NameRule.isPart(name) ? Optional.empty() : Optional.of("has a name that no plugin may have");
    }

    private KernelTrouble refused(String why) {
        return new KernelTrouble(
                "no host volume plugins are taken from " + directory + ": " + why, Effect.NONE, Retry.AFTER_OBSERVING);
    }
}
