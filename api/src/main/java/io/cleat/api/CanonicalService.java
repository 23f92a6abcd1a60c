package io.cleat.api;

import static io.cleat.api.Canonical.or;
import static io.cleat.api.Canonical.orElse;

import io.cleat.model.OnUpdate;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@link Canonical} for services: of one group, or of one of its tasks. */
final class CanonicalService {
    private static final String USUAL_PROVIDER = "consul";

    private final String namespace;
    private final String job;
    private final String group;
    private final String task;

    /**
     * @param task empty for services of the group
     */
    CanonicalService(Job job, String group, String task) {
        this.namespace = orElse(job.Namespace(), "default");
        this.job = orElse(job.Name(), job.ID());
        this.group = group;
        this.task = task;
    }

    @Nullable List<Service> filledIn(@Nullable List<Service> given) {
        return given == null ? null : given.stream().map(this::filledIn).toList();
    }

    private Service filledIn(Service given) {
        String name = named(orElse(given.Name(), base()));
        String onUpdate = orElse(given.OnUpdate(), OnUpdate.REQUIRE_HEALTHY.wire());
        List<ServiceCheck> checks = given.Checks();
        return new Service(
                given.Address(),
                orElse(given.AddressMode(), "auto"),
                given.CanaryMeta(),
                given.CanaryTags(),
                null,
                checks == null
                        ? null
                        : checks.stream()
                                .map(one -> check(one, name, onUpdate, given.CheckRestart()))
                                .toList(),
                given.Cluster(),
                given.Connect(),
                given.EnableTagOverride(),
                given.Identity(),
                given.Kind(),
                given.Meta(),
                name,
                orElse(given.Namespace(), namespace),
                onUpdate,
                given.PortLabel(),
                orElse(given.Provider(), USUAL_PROVIDER),
                given.TaggedAddresses(),
                given.Tags(),
                orElse(given.TaskName(), task),
                given.Weights());
    }

    private static ServiceCheck check(
            ServiceCheck given, String service, String onUpdate, @Nullable CheckRestart ofService) {
        return new ServiceCheck(
                given.AddressMode(),
                given.Advertise(),
                given.Args(),
                given.Body(),
                restart(given.CheckRestart() == null ? ofService : given.CheckRestart()),
                given.Command(),
                given.Expose(),
                given.FailuresBeforeCritical(),
                given.FailuresBeforeWarning(),
                given.GRPCService(),
                given.GRPCUseTLS(),
                given.Header(),
                given.InitialStatus(),
                or(given.Interval(), 0L),
                given.Method(),
                orElse(given.Name(), "service: \"" + service + "\" check"),
                given.Notes(),
                orElse(given.OnUpdate(), onUpdate),
                given.Path(),
                given.PortLabel(),
                given.Protocol(),
                given.SuccessBeforePassing(),
                given.TLSServerName(),
                given.TLSSkipVerify(),
                given.TaskName(),
                or(given.Timeout(), 0L),
                given.Type());
    }

    private static @Nullable CheckRestart restart(@Nullable CheckRestart given) {
        return given == null
                ? null
                : new CheckRestart(
                        or(given.Grace(), PolicyDefaults.ns(Duration.ofSeconds(1))),
                        given.IgnoreWarnings(),
                        given.Limit());
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
