package io.cleat.api;

import static io.cleat.api.JobField.flag;
import static io.cleat.api.JobField.text;
import static io.cleat.api.JobField.texts;
import static io.cleat.api.JobField.word;

import io.cleat.model.JobLaunch;
import io.cleat.model.JobSpec;
import io.cleat.model.PayloadRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Blocks of a job that say when copies of it are run. */
final class LaunchBlocks {
    private static final JobLaunch.Child NO_CHILD = new JobLaunch.Child("", false, "");

    static final JobBlock<PeriodicConfig, JobLaunch.Periodic> PERIODIC = JobBlock.of(
                    "periodic", PeriodicConfig.class, JobLaunch.Periodic.class)
            .fields(
                    text("Spec").inFile("cron").inModel("cron").usually(""),
                    texts("Specs").inFile("crons").inModel("crons").noneIfEmpty(),
                    flag("Enabled").usually(true),
                    flag("ProhibitOverlap").usually(false),
                    text("TimeZone").usually("UTC"),
                    text("SpecType")
                            .onlyOnWire()
                            .oneOf(List.of("cron"))
                            .usually("cron")
                            .elseTold("Unknown periodic specification type %s; expected \"cron\""))
            .done();

    static final JobBlock<ParameterizedJobConfig, JobLaunch.Parameterized> PARAMETERIZED = JobBlock.of(
                    "parameterized", ParameterizedJobConfig.class, JobLaunch.Parameterized.class)
            .fields(
                    word("Payload", PayloadRule.class)
                            .usually(PayloadRule.OPTIONAL)
                            .elseTold("Unknown payload requirement: %s; expected optional, required or forbidden"),
                    texts("MetaRequired").noneIfEmpty(),
                    texts("MetaOptional").noneIfEmpty())
            .done();

    private LaunchBlocks() {}

    /** What has a job run; null for a job that runs once it is registered. */
    static @Nullable JobLaunch launch(Job job) {
        String parent = Canonical.orElse(job.ParentID(), "");
        if (!parent.isEmpty()) {
            return new JobLaunch.Child(parent, job.Dispatched(), Canonical.orElse(job.Payload(), ""));
        }
        PeriodicConfig periodic = job.Periodic();
        if (periodic != null) {
            return PERIODIC.toModel(periodic);
        }
        ParameterizedJobConfig parameters = job.ParameterizedJob();
        return parameters == null ? null : PARAMETERIZED.toModel(parameters);
    }

    static @Nullable PeriodicConfig periodic(JobSpec job) {
        return job.launch() instanceof JobLaunch.Periodic periodic ? PERIODIC.toWire(periodic) : null;
    }

    static @Nullable ParameterizedJobConfig parameters(JobSpec job) {
        return job.launch() instanceof JobLaunch.Parameterized given ? PARAMETERIZED.toWire(given) : null;
    }

    /** What a copy says of itself; of another job, what says nothing. */
    static JobLaunch.Child child(JobSpec job) {
        return job.launch() instanceof JobLaunch.Child is ? is : NO_CHILD;
    }
}
