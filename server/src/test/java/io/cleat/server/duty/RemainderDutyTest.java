package io.cleat.server.duty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobType;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.ContinueRemainder;
import io.cleat.state.EvaluationStatus;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RemainderDutyTest {
    private final Cluster cluster = new Cluster();
    private final ScriptedDeciding deciding = ScriptedDeciding.of(cluster);

    /** A node joins beside more blocked evaluations than one decision wakes. */
    private void joins() {
        cluster.node("n1");
        for (int i = 0; i < 20 + 1200; i++) {
            cluster.run(Cluster.job("j" + i, JobType.SERVICE, 1));
        }
        cluster.node("n2");
        assertEquals(
                700, cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());
    }

    @Test
    void whatADecisionLeft_isDoneInPartsUntilNothingIsLeft() throws Exception {
        joins();
        assertEquals(Duration.ofHours(1), new RemainderDuty(deciding).turn());
        assertEquals(0, cluster.state().remainders().size());
        assertEquals(
                0, cluster.state().evaluations().in(EvaluationStatus.BLOCKED).size());
        assertTrue(deciding.asked.stream().allMatch(ContinueRemainder.class::isInstance), deciding.asked::toString);
    }

    @Test
    void whatIsRefused_isTriedAgainSoon() throws Exception {
        joins();
        deciding.leadsElsewhere = true;
        assertEquals(Duration.ofSeconds(1), new RemainderDuty(deciding).turn());
        assertEquals(1, deciding.asked.size());
        deciding.leadsElsewhere = false;
        assertEquals(Duration.ofHours(1), new RemainderDuty(deciding).turn());
        assertEquals(0, cluster.state().remainders().size());
    }
}
