package io.cleat.api;

import static io.cleat.api.JobField.duration;
import static io.cleat.api.JobField.flag;
import static io.cleat.api.JobField.number;
import static io.cleat.api.JobField.text;
import static io.cleat.api.JobField.word;

import io.cleat.model.MigratePolicy;
import io.cleat.model.UpdatePolicy;
import java.time.Duration;
import java.util.List;

/** Blocks of a job that say what becomes of its allocations when they fail, move or are replaced. */
final class PolicyBlocks {
    static final List<String> DELAY_FUNCTIONS = List.of("constant", "exponential", "fibonacci");

    static final JobBlock<RestartPolicy, io.cleat.model.RestartPolicy> RESTART = JobBlock.of(
                    "restart", RestartPolicy.class, io.cleat.model.RestartPolicy.class)
            .fields(
                    number("Attempts").usually(2, 3).atLeast(0, "Restart attempts can't be negative"),
                    duration("Delay").usually(Duration.ofSeconds(15)).atLeast(0, "Restart delay can't be negative"),
                    duration("Interval").usually(Duration.ofMinutes(30), Duration.ofHours(24)),
                    word("Mode", io.cleat.model.RestartPolicy.Mode.class)
                            .usually(io.cleat.model.RestartPolicy.Mode.FAIL)
                            .elseTold("Unsupported restart mode: %s; expected fail or delay"),
                    flag("RenderTemplates").usually(false))
            .done();

    static final JobBlock<ReschedulePolicy, io.cleat.model.ReschedulePolicy> RESCHEDULE = JobBlock.of(
                    "reschedule", ReschedulePolicy.class, io.cleat.model.ReschedulePolicy.class)
            .fields(
                    number("Attempts").usually(0, 1).atLeast(0, "Reschedule attempts can't be negative"),
                    duration("Delay").usually(Duration.ofSeconds(30), Duration.ofSeconds(5)),
                    text("DelayFunction").oneOf(DELAY_FUNCTIONS).usually("exponential", "constant"),
                    duration("Interval").usually(Duration.ZERO, Duration.ofHours(24)),
                    duration("MaxDelay").usually(Duration.ofHours(1), Duration.ZERO),
                    flag("Unlimited").usually(true, false))
            .done();

    static final JobBlock<MigrateStrategy, MigratePolicy> MIGRATE = JobBlock.of(
                    "migrate", MigrateStrategy.class, MigratePolicy.class)
            .fields(
                    text("HealthCheck").usually("checks"),
                    duration("HealthyDeadline").usually(Duration.ofMinutes(5)),
                    number("MaxParallel")
                            .usually(1)
                            .atLeast(1, "migrate max_parallel must be greater than zero (got %s)"),
                    duration("MinHealthyTime")
                            .usually(Duration.ofSeconds(10))
                            .atLeast(0, "Minimum healthy time may not be less than zero"))
            .done();

    static final JobBlock<UpdateStrategy, UpdatePolicy> UPDATE = JobBlock.of(
                    "update", UpdateStrategy.class, UpdatePolicy.class)
            .fields(
                    flag("AutoPromote").usually(false),
                    flag("AutoRevert").usually(false),
                    number("Canary").usually(0).atLeast(0, "Canary count can not be less than zero"),
                    text("HealthCheck").usually("checks"),
                    duration("HealthyDeadline")
                            .usually(Duration.ofMinutes(5))
                            .atLeast(1, "Healthy deadline must be greater than zero"),
                    number("MaxParallel").usually(1).atLeast(0, "Max parallel can not be less than zero"),
                    duration("MinHealthyTime")
                            .usually(Duration.ofSeconds(10))
                            .atLeast(0, "Minimum healthy time may not be less than zero"),
                    duration("ProgressDeadline")
                            .usually(Duration.ofMinutes(10))
                            .atLeast(0, "Progress deadline must be zero or greater"),
                    duration("Stagger").usually(Duration.ofSeconds(30)))
            .done();

    private PolicyBlocks() {}
}
