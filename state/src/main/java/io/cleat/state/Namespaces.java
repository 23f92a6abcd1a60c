package io.cleat.state;

import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Which namespaces there are: the default one, those that were made, and those that something is in since before
 * namespaces were made. What is asked of an image takes as long as there are namespaces, however much is in them.
 */
public final class Namespaces {
    private Namespaces() {}

    /** Whether jobs and volumes may be in it. */
    public static boolean exists(ClusterState state, String name) {
        return find(state, name).isPresent();
    }

    /** One that there is; of one that nobody has described, its name alone is known. */
    public static Optional<NamespaceRow> find(ClusterState state, String name) {
        boolean isThere = name.equals(NamespaceRow.DEFAULT)
                || state.namespace(name).isPresent()
                || jobs(state, name).filter(name::equals).isPresent()
                || volumes(state, name).filter(name::equals).isPresent()
                || ofHosts(state, name).filter(name::equals).isPresent();
        return isThere ? Optional.of(row(state, name)) : Optional.empty();
    }

    private static NamespaceRow row(ClusterState state, String name) {
        return state.namespace(name).orElseGet(() -> NamespaceRow.plain(name));
    }

    /** All of them, by name; each as {@link #find} gives it. */
    public static Collection<NamespaceRow> all(ClusterState state) {
        SortedSet<String> names = new TreeSet<>();
        names.add(NamespaceRow.DEFAULT);
        state.namespaces().forEach(row -> names.add(row.name()));
        addUsed(names, from -> jobs(state, from));
        addUsed(names, from -> volumes(state, from));
        addUsed(names, from -> ofHosts(state, from));
        return names.stream().map(name -> row(state, name)).toList();
    }

    /** From each to the next, over all that is in it. */
    private static void addUsed(SortedSet<String> names, Function<String, Optional<String>> firstFrom) {
        Optional<String> used = firstFrom.apply("");
        while (used.isPresent()) {
            names.add(used.get());
            used = firstFrom.apply(used.get() + '\0');
        }
    }

    /** The first namespace from that name on which has a job. */
    private static Optional<String> jobs(ClusterState state, String from) {
        return state.jobsFrom(new JobId(from, "")).stream()
                .findFirst()
                .map(job -> job.id().namespace());
    }

    private static Optional<String> volumes(ClusterState state, String from) {
        return state.volumesFrom(new VolumeId(from, "")).stream()
                .findFirst()
                .map(volume -> volume.id().namespace());
    }

    private static Optional<String> ofHosts(ClusterState state, String from) {
        return state.hostVolumes().from(new VolumeId(from, "")).stream()
                .findFirst()
                .map(volume -> volume.id().namespace());
    }
}
