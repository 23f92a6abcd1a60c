package io.cleat.cli;

import io.cleat.api.PreemptionConfig;
import io.cleat.api.SchedulerConfiguration;
import io.cleat.api.SchedulerConfigurationResponse;
import io.cleat.api.UnexpectedAnswer;
import io.cleat.base.LinkTrouble;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** How jobs are placed: shown, and said anew. */
final class SchedulerVerbs {
    private static final String ALGORITHM = "scheduler-algorithm";
    private static final String REJECT = "reject-job-registration";
    private static final String PAUSE = "pause-eval-broker";
    private static final String OVERSUBSCRIPTION = "memory-oversubscription";
    private static final String CHECK_INDEX = "check-index";
    private static final String UNSERVED = "Not served: false is all that is taken.";

    private SchedulerVerbs() {}

    static List<Verb> all() {
        return List.of(
                Verb.named("operator scheduler get-config", "Show how jobs are placed")
                        .flags(Flag.JSON, Flag.TEMPLATE)
                        .examples("cleat operator scheduler get-config")
                        .does(SchedulerVerbs::show),
                Verb.named("operator scheduler set-config", "Say how jobs are placed")
                        .about("Says how jobs are placed from now on; what is placed already stays"
                                + " where it is, and what no flag names stays as it was."
                                + " While evaluations are paused nothing is placed, moved"
                                + " or stopped, also after the loss of a node.")
                        .flags(
                                Flag.value(
                                        ALGORITHM,
                                        "name",
                                        "binpack fills one node after the other; spread takes the emptiest."),
                                bool(REJECT, "Refuse jobs, also new versions of known ones."),
                                bool(PAUSE, "Have evaluations wait."),
                                bool(OVERSUBSCRIPTION, UNSERVED),
                                bool("preempt-batch-scheduler", UNSERVED),
                                bool("preempt-service-scheduler", UNSERVED),
                                bool("preempt-sysbatch-scheduler", UNSERVED),
                                bool("preempt-system-scheduler", UNSERVED),
                                Flag.value(
                                        CHECK_INDEX,
                                        "index",
                                        "Change nothing unless this is the Modify Index that is shown."))
                        .examples(
                                "cleat operator scheduler set-config -scheduler-algorithm=spread",
                                "cleat operator scheduler set-config -pause-eval-broker=true")
                        .does(SchedulerVerbs::change));
    }

    private static Flag bool(String name, String about) {
        return Flag.value(name, "true|false", about);
    }

    private static int show(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        SchedulerConfigurationResponse answer = call.client().agent().scheduler();
        if (call.machine(answer)) {
            return 0;
        }
        SchedulerConfiguration config = answer.SchedulerConfig();
        PreemptionConfig preemption = Objects.requireNonNullElse(config.PreemptionConfig(), PreemptionConfig.NONE);
        call.out(new Rows()
                .put("Scheduler Algorithm", config.SchedulerAlgorithm())
                .put("Memory Oversubscription", text(config.MemoryOversubscriptionEnabled()))
                .put("Reject Job Registration", text(config.RejectJobRegistration()))
                .put("Pause Eval Broker", text(config.PauseEvalBroker()))
                .put("Preemption System Scheduler", text(preemption.SystemSchedulerEnabled()))
                .put("Preemption Service Scheduler", text(preemption.ServiceSchedulerEnabled()))
                .put("Preemption Batch Scheduler", text(preemption.BatchSchedulerEnabled()))
                .put("Preemption SysBatch Scheduler", text(preemption.SysBatchSchedulerEnabled()))
                .put("Modify Index", String.valueOf(config.ModifyIndex()))
                .text());
        return 0;
    }

    private static String text(boolean is) {
        return String.valueOf(is);
    }

    private static int change(Call call) throws Failure, UnexpectedAnswer, LinkTrouble {
        long checked = call.flags().number(CHECK_INDEX, Long.MAX_VALUE);
        SchedulerConfiguration now = call.client().agent().scheduler().SchedulerConfig();
        PreemptionConfig preemption = Objects.requireNonNullElse(now.PreemptionConfig(), PreemptionConfig.NONE);
        SchedulerConfiguration wanted = new SchedulerConfiguration(
                0,
                said(call, OVERSUBSCRIPTION, now.MemoryOversubscriptionEnabled()),
                0,
                now.NodeLimitForFeasibilityChecks(),
                said(call, PAUSE, now.PauseEvalBroker()),
                new PreemptionConfig(
                        said(call, "preempt-batch-scheduler", preemption.BatchSchedulerEnabled()),
                        said(call, "preempt-service-scheduler", preemption.ServiceSchedulerEnabled()),
                        said(call, "preempt-sysbatch-scheduler", preemption.SysBatchSchedulerEnabled()),
                        said(call, "preempt-system-scheduler", preemption.SystemSchedulerEnabled())),
                said(call, REJECT, now.RejectJobRegistration()),
                call.flags().value(ALGORITHM).orElse(now.SchedulerAlgorithm()));
        // Of what was read here, so that nobody's words of meanwhile are undone.
        long index = call.flags().value(CHECK_INDEX).isPresent() ? checked : now.ModifyIndex();
        if (!call.client().agent().setScheduler(wanted, OptionalLong.of(index)).Updated()) {
            throw new Failure(
                    "the configuration was changed meanwhile, and is no longer that of index " + index,
                    "look at it with: cleat operator scheduler get-config");
        }
        call.out("Scheduler configuration updated!");
        return 0;
    }

    private static boolean said(Call call, String flag, boolean now) throws Failure {
        Optional<String> text = call.flags().value(flag);
        if (text.isEmpty()) {
            return now;
        }
        return switch (text.get()) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new Failure("-" + flag + " is true or false, and not \"" + text.get() + "\"", "nothing was sent");
        };
    }
}
