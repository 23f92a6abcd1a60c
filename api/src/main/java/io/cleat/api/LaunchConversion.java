package io.cleat.api;

import io.cleat.model.JobLaunch;
import io.cleat.model.PayloadRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@link JobConversion} and {@link Canonical} for what has a job run. */
final class LaunchConversion {
    private static final String CRON = "cron";
    private static final String UTC = "UTC";

    private LaunchConversion() {}

    static @Nullable JobLaunch toModel(Job job) {
        String parent = Canonical.orElse(job.ParentID(), "");
        if (!parent.isEmpty()) {
            return new JobLaunch.Child(parent, job.Dispatched(), Canonical.orElse(job.Payload(), ""));
        }
        PeriodicConfig periodic = job.Periodic();
        if (periodic != null) {
            return toModel(periodic);
        }
        ParameterizedJobConfig parameters = job.ParameterizedJob();
        return parameters == null
                ? null
                : new JobLaunch.Parameterized(
                        JobConversion.wire(
                                PayloadRule.class, Canonical.orElse(parameters.Payload(), PayloadRule.OPTIONAL.wire())),
                        JobConversion.listOf(parameters.MetaRequired()),
                        JobConversion.listOf(parameters.MetaOptional()));
    }

    /** @param periodic without faults */
    static JobLaunch.Periodic toModel(PeriodicConfig periodic) {
        return new JobLaunch.Periodic(
                Canonical.or(periodic.Enabled(), true),
                Canonical.orElse(periodic.Spec(), ""),
                JobConversion.listOf(periodic.Specs()),
                Canonical.or(periodic.ProhibitOverlap(), false),
                Canonical.orElse(periodic.TimeZone(), UTC));
    }

    static @Nullable PeriodicConfig periodic(@Nullable JobLaunch launch) {
        return launch instanceof JobLaunch.Periodic periodic
                ? new PeriodicConfig(
                        periodic.enabled(),
                        periodic.prohibitOverlap(),
                        periodic.cron(),
                        CRON,
                        orNull(periodic.crons()),
                        periodic.timeZone())
                : null;
    }

    static @Nullable ParameterizedJobConfig parameters(@Nullable JobLaunch launch) {
        return launch instanceof JobLaunch.Parameterized parameters
                ? new ParameterizedJobConfig(
                        orNull(parameters.metaOptional()),
                        orNull(parameters.metaRequired()),
                        parameters.payload().wire())
                : null;
    }

    static @Nullable PeriodicConfig filledIn(@Nullable PeriodicConfig given) {
        return given == null
                ? null
                : Edit.of(given)
                        .orElse(PeriodicConfig::Enabled, true)
                        .orElse(PeriodicConfig::ProhibitOverlap, false)
                        .orElse(PeriodicConfig::Spec, "")
                        .orElse(PeriodicConfig::SpecType, CRON)
                        .orElse(PeriodicConfig::TimeZone, UTC)
                        .set(PeriodicConfig::Specs, orNull(JobConversion.listOf(given.Specs())))
                        .done();
    }

    static @Nullable ParameterizedJobConfig filledIn(@Nullable ParameterizedJobConfig given) {
        return given == null
                ? null
                : new ParameterizedJobConfig(
                        orNull(JobConversion.listOf(given.MetaOptional())),
                        orNull(JobConversion.listOf(given.MetaRequired())),
                        Canonical.orElse(given.Payload(), PayloadRule.OPTIONAL.wire()));
    }

    private static @Nullable List<String> orNull(List<String> given) {
        return given.isEmpty() ? null : given;
    }
}
