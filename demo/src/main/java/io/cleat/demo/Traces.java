package io.cleat.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The names by which what the demo made can be found again. */
final class Traces {
    private final Set<String> ids = new TreeSet<>();
    private final List<String> jobs = new ArrayList<>();
    private final Map<String, String> volumes = new LinkedHashMap<>();
    private final Set<String> cgroups = new TreeSet<>();

    /** Ids of allocations, and the plugin's ids of volumes. */
    void add(Collection<String> more) {
        ids.addAll(more);
    }

    /** A job that is there to be stopped at the end. */
    void job(String id) {
        jobs.add(id);
    }

    /**
     * A volume that is there to be deleted at the end.
     *
     * @param externalId the plugin's id of it
     */
    void volume(String id, String externalId) {
        volumes.put(id, externalId);
        ids.add(externalId);
    }

    List<String> jobs() {
        return List.copyOf(jobs);
    }

    /** The plugin's ids of the volumes, by their own. */
    Map<String, String> volumes() {
        return Collections.unmodifiableMap(volumes);
    }

    /** A node, by whose id its control groups are called. */
    void node(String id) {
        cgroups.add("cleat-" + Cluster.brief(id));
    }

    /** The control groups that {@code processes} are in, with our names. */
    void addGroupsOf(List<OurProcess> processes) throws CheckFailed {
        for (OurProcess process : processes) {
            cgroups.addAll(process.cgroups());
        }
    }

    /** The live processes that name {@code root} or one of the ids, or are in a group of ours. */
    List<OurProcess> processes(Path root) throws CheckFailed {
        List<OurProcess> found = new ArrayList<>();
        for (OurProcess process : OurProcess.all()) {
            if (process.names(root.toString())
                    || ids.stream().anyMatch(process::names)
                    || process.cgroups().stream().anyMatch(cgroups::contains)) {
                found.add(process);
            }
        }
        return found;
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
                    .filter(entry -> isNamedIn(entry.getFileName().toString()))
                    .map(Path::toString)
                    .forEach(found::add);
        } catch (IOException unreadable) {
            throw CheckFailed.unseen(root.toString(), unreadable);
        } catch (UncheckedIOException vanished) {
            throw CheckFailed.unseen(root.toString(), new IOException(vanished));
        }
        return found;
    }

    /** Whether one of the ids is in {@code name}. */
    boolean isNamedIn(String name) {
        return ids.stream().anyMatch(name::contains);
    }
}
