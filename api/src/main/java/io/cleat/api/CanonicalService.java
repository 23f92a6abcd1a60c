package io.cleat.api;

import static io.cleat.api.Canonical.each;
import static io.cleat.api.Canonical.orElse;

import io.cleat.model.NamespaceName;
import io.cleat.model.OnUpdate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@link Canonical} for services: of one group, or of one of its tasks. */
final class CanonicalService {
    private final String namespace;
    private final String job;
    private final String group;
    private final String task;

    /** @param task empty for services of the group */
    CanonicalService(Job job, String group, String task) {
        this.namespace = orElse(job.Namespace(), NamespaceName.DEFAULT);
        this.job = orElse(job.Name(), job.ID());
        this.group = group;
        this.task = task;
    }

    @Nullable
    List<Service> filledIn(@Nullable List<Service> given) {
        return each(given, this::filledIn);
    }

    private Service filledIn(Service given) {
        String name = named(orElse(given.Name(), base()));
        String onUpdate = orElse(given.OnUpdate(), OnUpdate.REQUIRE_HEALTHY.wire());
        return Edit.of(given)
                .orElse(Service::Namespace, namespace)
                .orElse(Service::TaskName, task)
                .set(Service::Name, name)
                .set(Service::Checks, each(given.Checks(), one -> check(one, name, onUpdate, given.CheckRestart())))
                // Each check has its own.
                .set(Service::CheckRestart, null)
                .done();
    }

    private static ServiceCheck check(
            ServiceCheck given, String service, String onUpdate, @Nullable CheckRestart ofService) {
        return Edit.of(given)
                .orElse(ServiceCheck::Name, "service: \"" + service + "\" check")
                .orElse(ServiceCheck::OnUpdate, onUpdate)
                .set(ServiceCheck::CheckRestart, given.CheckRestart() == null ? ofService : given.CheckRestart())
                .done();
    }

    private String base() {
        return task.isEmpty() ? job + "-" + group : job + "-" + group + "-" + task;
    }

    /** The names that are known when a job is sent; others are known to its allocations. */
    private String named(String given) {
        return given.replace("${JOB}", job)
                .replace("${TASKGROUP}", group)
                .replace("${TASK}", task)
                .replace("${BASE}", base());
    }
}
