package io.cleat.clusterapi.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.PreemptionConfig;
import io.cleat.api.SchedulerConfiguration;
import io.cleat.base.Refused;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.evaluations.EvaluationView;
import io.cleat.state.Change;
import io.cleat.state.EvaluationRow;
import io.cleat.state.SchedulingRow;
import io.cleat.state.SchedulingRow.Algorithm;
import io.cleat.state.Trigger;
import org.junit.jupiter.api.Test;

/** How jobs are placed, as clients say and see it. */
final class SchedulerViewTest {
    private static SchedulerConfiguration asking(
            String algorithm, boolean oversubscription, int nodes, boolean preemption) {
        return new SchedulerConfiguration(
                7,
                oversubscription,
                8,
                nodes,
                true,
                new PreemptionConfig(false, preemption, false, false),
                true,
                algorithm);
    }

    @Test
    void whatIsServed_isRead() throws Refused {
        assertEquals(
                new SchedulingRow(Algorithm.SPREAD, true, true, 0, 0),
                SchedulerView.read(asking("spread", false, 0, false)));
        assertEquals(
                SchedulingRow.USUAL,
                SchedulerView.read(new SchedulerConfiguration(0, false, 0, 0, false, null, false, "")));
    }

    @Test
    void whatIsNotServed_isRefused_allOfItAtOnce() {
        Refused refused = assertThrows(Refused.class, () -> SchedulerView.read(asking("random", true, 5, true)));
        String words = refused.refusal().message();
        for (String part : new String[] {
            "\"random\": expected binpack or spread",
            "preemption is not served here",
            "memory oversubscription is not served here",
            "NodeLimitForFeasibilityChecks to 0, not 5"
        }) {
            assertTrue(words.contains(part), words);
        }
    }

    @Test
    void anEvaluationThatWaitsForAnOperator_saysSo() throws Refused {
        SampleCluster sample = SampleCluster.whole();
        EvaluationRow waiting = EvaluationRow.pending(
                "e-7", sample.state().jobs().iterator().next(), 50, Trigger.JOB_REGISTER, "", SampleCluster.AT);
        sample.apply(
                new Change.EvaluationPut(waiting),
                new Change.SchedulingPut(new SchedulingRow(Algorithm.BINPACK, false, true, 0, 0)));
        String words = EvaluationView.one(sample.state(), waiting, false).StatusDescription();
        assertTrue(words.contains("set-config -pause-eval-broker=false"), words);
        EvaluationRow done =
                sample.state().evaluations().get(SampleCluster.WEB_EVAL).orElseThrow();
        assertEquals("", EvaluationView.one(sample.state(), done, false).StatusDescription());
    }
}
