package io.cleat.state;

import io.cleat.model.Scaling;
import io.cleat.model.TaskGroup;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * How a group of a job may be scaled, under an id of its own.
 *
 * @param id see {@link Scaling#idOf}
 */
public record ScalingPolicy(String id, JobRow job, TaskGroup group, Scaling scaling) {
    /** What jobs that have a policy are found under too; no id of one. */
    static final String ANY = "";

    /** The policies of a job, as it names its groups. */
    public static Stream<ScalingPolicy> of(JobRow job) {
        return job.spec().groups().stream()
                .filter(group -> group.scaling() != null)
                .map(group -> new ScalingPolicy(
                        Scaling.idOf(job.id(), group.name()), job, group, Objects.requireNonNull(group.scaling())));
    }

    static SortedSet<String> keysOf(JobRow job) {
        SortedSet<String> keys = new TreeSet<>();
        of(job).forEach(policy -> keys.add(policy.id()));
        if (!keys.isEmpty()) {
            keys.add(ANY);
        }
        return keys;
    }
}
