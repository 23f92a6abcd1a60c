package io.cleat.server.decide;

import io.cleat.base.Refusal;
import io.cleat.base.TextRule;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.Task;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.server.commit.DecideContext;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.JobRow;
import io.cleat.state.JobStatus;
import io.cleat.state.NamespaceRow;
import io.cleat.state.Namespaces;
import io.cleat.state.VariableRow;
import io.cleat.state.VolumeRow;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a namespace stands in the way of. Before all members know that namespaces are made, whatever a job or volume
 * names is there.
 */
final class NamespaceRules {
    /** How many jobs, volumes or variables are named that stand in the way of a removal. */
    private static final int NAMED = 5;

    private NamespaceRules() {}

    static Optional<Refusal> missing(ClusterState newest, DecideContext context, VolumeId volume) {
        return missing(newest, context, "volume " + TextRule.quoted(volume.id()), volume.namespace());
    }

    static Optional<Refusal> missing(ClusterState newest, DecideContext context, VariableId variable) {
        return missing(newest, context, "variable " + TextRule.quoted(variable.path()), variable.namespace());
    }

    static Optional<Refusal> missing(ClusterState newest, DecideContext context, HostVolumeSpec volume) {
        return missing(newest, context, "volume " + TextRule.quoted(volume.name()), volume.namespace());
    }

    /** Also if the namespace lets one of the job's task drivers run nothing. */
    static Optional<Refusal> unfit(ClusterState newest, DecideContext context, JobSpec job) {
        String namespace = job.id().namespace();
        return missing(newest, context, "job " + TextRule.quoted(job.id().id()), namespace)
                .or(() -> newest.namespace(namespace).flatMap(row -> forbidden(row, job)));
    }

    private static Optional<Refusal> missing(ClusterState newest, DecideContext context, String who, String namespace) {
        if (context.featureLevel() < Change.NAMESPACES_LEVEL || Namespaces.exists(newest, namespace)) {
            return Optional.empty();
        }
        return Optional.of(new Refusal.Invalid(who
                + " is in nonexistent namespace "
                + TextRule.quoted(namespace)
                + ": make it with: cleat namespace apply "
                + namespace));
    }

    private static Optional<Refusal> forbidden(NamespaceRow namespace, JobSpec job) {
        List<String> faults = job.groups().stream()
                .flatMap(group -> group.tasks().stream())
                .map(Task::driver)
                .distinct()
                .filter(driver -> !namespace.lets(driver))
                .map(driver -> "used task driver "
                        + TextRule.quoted(driver)
                        + " is not allowed in namespace "
                        + TextRule.quoted(namespace.name()))
                .toList();
        return faults.isEmpty() ? Optional.empty() : Optional.of(new Refusal.Invalid(faults));
    }

    /** Why a namespace cannot go. Looks at a few of what is in it, however much that is. */
    static Optional<Refusal> inUse(ClusterState newest, String namespace) {
        List<JobRow> jobs =
                first(newest.jobsFrom(new JobId(namespace, "")), job -> job.id().namespace(), namespace);
        List<VolumeRow> volumes = first(
                newest.volumesFrom(new VolumeId(namespace, "")),
                volume -> volume.id().namespace(),
                namespace);
        List<VariableRow> variables = first(
                newest.variables().from(new VariableId(namespace, "")),
                variable -> variable.id().namespace(),
                namespace);
        List<HostVolumeRow> ofHosts = first(
                newest.hostVolumes().from(new VolumeId(namespace, "")),
                volume -> volume.id().namespace(),
                namespace);
        String reason;
        if (jobs.stream().anyMatch(job -> newest.jobStatus(job) != JobStatus.DEAD)) {
            reason = " has jobs (" + names(jobs, job -> job.id().id()) + "): stop them first";
        } else if (!volumes.isEmpty()) {
            reason = " has volumes ("
                    + names(volumes, volume -> volume.id().id())
                    + "): delete or deregister them first";
        } else if (!variables.isEmpty()) {
            reason = " has variables ("
                    + names(variables, variable -> variable.id().path())
                    + "): purge them first";
        } else if (!ofHosts.isEmpty()) {
            reason = " has host volumes ("
                    + names(ofHosts, volume -> volume.spec().name())
                    + "): delete them first";
        } else if (!jobs.isEmpty()) {
            reason = " has jobs that have ended ("
                    + names(jobs, job -> job.id().id())
                    + "): forget them with: cleat system gc";
        } else {
            return Optional.empty();
        }
        return Optional.of(new Refusal.Conflict("namespace " + TextRule.quoted(namespace) + reason));
    }

    private static <R> List<R> first(Collection<R> rows, Function<R, String> namespaceOf, String namespace) {
        return rows.stream()
                .takeWhile(row -> namespaceOf.apply(row).equals(namespace))
                .limit(NAMED + 1L)
                .toList();
    }

    /** The first of them, and that there are more. */
    private static <R> String names(List<R> rows, Function<R, String> name) {
        String named =
                rows.stream().limit(NAMED).map(name).map(TextRule::quoted).collect(Collectors.joining(", "));
        return rows.size() > NAMED ? named + ", ..." : named;
    }
}
