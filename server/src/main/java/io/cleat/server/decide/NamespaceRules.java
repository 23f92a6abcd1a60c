package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.Task;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.NamespaceRow;
import io.cleat.state.Namespaces;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a namespace stands in the way of. Before all members know that namespaces are made, whatever
 * a job or volume names is there.
 */
final class NamespaceRules {
    /** How many jobs or volumes are named that stand in the way of a removal. */
    private static final int NAMED = 5;

    private NamespaceRules() {}

    static Optional<Refusal> missing(ClusterState newest, DecideContext context, VolumeId volume) {
        return missing(
                newest, context, "volume " + TextRule.quoted(volume.id()), volume.namespace());
    }

    /** Also if the namespace lets one of the job's task drivers run nothing. */
    static Optional<Refusal> unfit(ClusterState newest, DecideContext context, JobSpec job) {
        String namespace = job.id().namespace();
        return missing(newest, context, "job " + TextRule.quoted(job.id().id()), namespace)
                .or(() -> newest.namespace(namespace).flatMap(row -> forbidden(row, job)));
    }

    private static Optional<Refusal> missing(
            ClusterState newest, DecideContext context, String who, String namespace) {
        if (context.featureLevel() < Change.NAMESPACES_LEVEL
                || Namespaces.exists(newest, namespace)) {
            return Optional.empty();
        }
        return Optional.of(
                new Refusal.Invalid(
                        who
                                + " is in nonexistent namespace "
                                + TextRule.quoted(namespace)
                                + ": make it with: cleat namespace apply "
                                + namespace));
    }

    private static Optional<Refusal> forbidden(NamespaceRow namespace, JobSpec job) {
        List<String> faults =
                job.groups().stream()
                        .flatMap(group -> group.tasks().stream())
                        .map(Task::driver)
                        .distinct()
                        .filter(driver -> !namespace.lets(driver))
                        .map(
                                driver ->
                                        "used task driver "
                                                + TextRule.quoted(driver)
                                                + " is not allowed in namespace "
                                                + TextRule.quoted(namespace.name()))
                        .toList();
        return faults.isEmpty() ? Optional.empty() : Optional.of(new Refusal.Invalid(faults));
    }

    /** Why a namespace cannot go. */
    static Optional<Refusal> inUse(ClusterState newest, String namespace) {
        String quoted = "namespace " + TextRule.quoted(namespace);
        List<String> live =
                names(
                        jobs(newest, namespace)
                                .filter(job -> newest.jobStatus(job) != JobStatus.DEAD),
                        job -> job.id().id());
        if (!live.isEmpty()) {
            return Optional.of(
                    new Refusal.Conflict(
                            quoted
                                    + " has jobs that have not ended ("
                                    + String.join(", ", live)
                                    + "): stop them first"));
        }
        List<String> volumes =
                names(
                        newest.volumesFrom(new VolumeId(namespace, "")).stream()
                                .takeWhile(row -> row.id().namespace().equals(namespace)),
                        row -> row.id().id());
        if (!volumes.isEmpty()) {
            return Optional.of(
                    new Refusal.Conflict(
                            quoted
                                    + " has volumes ("
                                    + String.join(", ", volumes)
                                    + "): delete or deregister them first"));
        }
        List<String> ended = names(jobs(newest, namespace), job -> job.id().id());
        return ended.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Refusal.Conflict(
                                quoted
                                        + " has jobs that have ended ("
                                        + String.join(", ", ended)
                                        + "): forget them with: cleat system gc"));
    }

    private static Stream<JobRow> jobs(ClusterState state, String namespace) {
        return state.jobsFrom(new JobId(namespace, "")).stream()
                .takeWhile(row -> row.id().namespace().equals(namespace));
    }

    /** The first, and that there are more. */
    private static <R> List<String> names(Stream<R> rows, Function<R, String> name) {
        List<String> names = rows.limit(NAMED + 1L).map(name).map(TextRule::quoted).toList();
        return names.size() <= NAMED
                ? names
                : Stream.concat(names.stream().limit(NAMED), Stream.of("...")).toList();
    }
}
