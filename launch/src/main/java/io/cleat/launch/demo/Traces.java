package io.cleat.launch.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The names by which what the demo made can be found again. */
final class Traces {
    private final Set<String> ids = new TreeSet<>();
    private final Set<String> cgroups = new TreeSet<>();

    /** Ids of allocations, and the plugin's ids of volumes. */
    void add(Collection<String> more) {
        ids.addAll(more);
    }

    /** The control groups that {@code processes} are in, with our names. */
    void addGroupsOf(List<OurProcess> processes) throws CheckFailed {
        for (OurProcess process : processes) {
            cgroups.addAll(process.cgroups());
        }
    }

    /** Names of control groups that are ours alone. */
    List<String> cgroups() {
        return List.copyOf(cgroups);
    }

    /** The directories below {@code root} whose name has one of the ids in it. */
    List<String> directories(Path root) throws CheckFailed {
        List<String> found = new ArrayList<>();
        try (Stream<Path> entries = Files.walk(root)) {
            entries.filter(Files::isDirectory)
                    .filter(entry -> isNamed(entry.getFileName().toString()))
                    .map(Path::toString)
                    .forEach(found::add);
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(root.toString(), unreadable);
        } catch (UncheckedIOException vanished) {
            throw CheckFailed.unseen(root.toString(), new IOException(vanished));
        }
        return found;
    }

    private boolean isNamed(String name) {
        return ids.stream().anyMatch(name::contains);
    }
}
