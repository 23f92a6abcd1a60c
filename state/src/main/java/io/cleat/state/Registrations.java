package io.cleat.state;

import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobId;
import io.cleat.model.Service;
import io.cleat.model.ServiceWords;
import io.cleat.model.TaskGroup;
import io.cleat.model.TaskState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The services of an image that others find: those of allocations that run, and of tasks that do. They are read from
 * the allocations, and so can never say anything else than these.
 */
public final class Registrations {
    private static final Comparator<Registration> ORDER = Comparator.comparing(Registration::namespace)
            .thenComparing(Registration::name)
            .thenComparing(Registration::id);

    private final Tables tables;

    Registrations(Tables tables) {
        this.tables = tables;
    }

    /** All, by namespace, name and id. */
    public List<Registration> all() {
        Set<JobId> jobs = new LinkedHashSet<>();
        tables.jobVersions.each(Tables.VERSIONS_WITH_SERVICES, true).forEach(jobVersion -> jobs.add(jobVersion.job()));
        List<Registration> found = new ArrayList<>();
        jobs.forEach(job -> collect(job, found));
        found.sort(ORDER);
        return found;
    }

    /** Those of one name in one namespace, by id. */
    public List<Registration> named(String namespace, String name) {
        Set<JobId> jobs = new LinkedHashSet<>();
        for (String each : List.of(name, "")) {
            tables.jobVersions
                    .each(Tables.VERSIONS_BY_SERVICE, new ServiceName(namespace, each))
                    .forEach(jobVersion -> jobs.add(jobVersion.job()));
        }
        List<Registration> found = new ArrayList<>();
        jobs.forEach(job -> collect(job, found));
        found.removeIf(each -> !each.name().equals(name));
        found.sort(ORDER);
        return found;
    }

    /** Those of a job's allocations, by name and id. */
    public List<Registration> ofJob(JobId job) {
        List<Registration> found = new ArrayList<>();
        collect(job, found);
        found.sort(ORDER);
        return found;
    }

    /** Those of one allocation, by name and id. */
    public List<Registration> ofAllocation(AllocationRow allocation) {
        List<Registration> found = new ArrayList<>();
        collect(allocation, found);
        found.sort(ORDER);
        return found;
    }

    private void collect(JobId job, List<Registration> into) {
        tables.allocations.each(Tables.ALLOCATIONS_BY_JOB, job).forEach(allocation -> collect(allocation, into));
    }

    private void collect(AllocationRow allocation, List<Registration> into) {
        if (allocation.desired() != DesiredStatus.RUN || allocation.status() != ClientStatus.RUNNING) {
            return;
        }
        JobVersionRow jobVersion = tables.jobVersions.get(allocation.jobVersion());
        NodeRow node = tables.nodes.get(allocation.nodeId());
        if (jobVersion == null || node == null) {
            return;
        }
        Optional<TaskGroup> group = jobVersion.spec().group(allocation.group());
        if (group.isEmpty() || group.get().allServices().isEmpty()) {
            return;
        }
        ServiceWords words = new ServiceWords(new ServiceWords.Facts(
                allocation.id(),
                allocation.name(),
                allocation.identity().index(),
                jobVersion.spec(),
                group.get(),
                node.facts(),
                allocation.placed().ports(),
                allocation.seen().address(),
                ServiceWords.Facts.networks(allocation.seen().tasks()),
                isCanary(allocation)));
        for (Service service : group.get().allServices()) {
            if (runs(allocation, service)) {
                words.place(service)
                        .filter(place -> !allocation.byVersion().withdrawn().contains(place.id()))
                        .ifPresent(place -> into.add(
                                new Registration(place, allocation, node.facts().datacenter())));
            }
        }
    }

    /** Whether it is one that nobody has promoted. */
    private boolean isCanary(AllocationRow allocation) {
        if (!allocation.isCanary()) {
            return false;
        }
        DeploymentRow deployment = tables.deployments.get(allocation.deploymentId());
        DeploymentRow.Group group =
                deployment == null ? null : deployment.groups().get(allocation.group());
        return group != null && group.isUnpromoted();
    }

    private static boolean runs(AllocationRow allocation, Service service) {
        return service.task().isEmpty()
                || allocation
                                .seen()
                                .tasks()
                                .getOrDefault(service.task(), TaskState.PENDING)
                                .phase()
                        == TaskState.Phase.RUNNING;
    }
}
