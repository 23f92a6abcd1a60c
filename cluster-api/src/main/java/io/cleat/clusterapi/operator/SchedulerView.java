package io.cleat.clusterapi.operator;

import io.cleat.api.AnswerMeta;
import io.cleat.api.PreemptionConfig;
import io.cleat.api.SchedulerConfiguration;
import io.cleat.api.SchedulerConfigurationResponse;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.state.SchedulingRow;
import io.cleat.state.SchedulingRow.Algorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How jobs are placed, as clients see and say it. */
final class SchedulerView {
    private SchedulerView() {}

    static SchedulerConfigurationResponse shown(SchedulingRow row, AnswerMeta meta) {
        return new SchedulerConfigurationResponse(
                meta.index(),
                meta.knownLeader(),
                meta.lastContactMillis(),
                "",
                new SchedulerConfiguration(
                        row.createVersion(),
                        false,
                        row.modifyVersion(),
                        0,
                        row.paused(),
                        PreemptionConfig.NONE,
                        row.rejectsJobs(),
                        row.algorithm().name().toLowerCase(Locale.ROOT)));
    }

    /** @throws Refused it asks for what is not done here; all of that at once */
    static SchedulingRow read(SchedulerConfiguration wanted) throws Refused {
        List<String> faults = new ArrayList<>();
        Algorithm algorithm = Algorithm.BINPACK;
        switch (wanted.SchedulerAlgorithm()) {
            case "", "binpack" -> {}
            case "spread" -> algorithm = Algorithm.SPREAD;
            default ->
                faults.add("invalid scheduler algorithm "
                        + TextRule.quoted(wanted.SchedulerAlgorithm())
                        + ": expected binpack or spread");
        }
        if (wanted.PreemptionConfig() != null && !wanted.PreemptionConfig().equals(PreemptionConfig.NONE)) {
            faults.add("preemption is not served here: no allocation is stopped to make room for"
                    + " another; set each PreemptionConfig field to false");
        }
        if (wanted.MemoryOversubscriptionEnabled()) {
            faults.add("memory oversubscription is not served here: a task's memory is its limit;"
                    + " set MemoryOversubscriptionEnabled to false");
        }
        if (wanted.NodeLimitForFeasibilityChecks() != 0) {
            faults.add("each node is looked at here: set NodeLimitForFeasibilityChecks to 0, not "
                    + wanted.NodeLimitForFeasibilityChecks());
        }
        if (!faults.isEmpty()) {
            throw new Refused(new Refusal.Invalid(faults));
        }
        return new SchedulingRow(algorithm, wanted.RejectJobRegistration(), wanted.PauseEvalBroker(), 0, 0);
    }
}
