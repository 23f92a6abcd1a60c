package io.cleat.server.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.ClientStatus;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimState;
import io.cleat.state.Trigger;
import io.cleat.state.VolumeProgress.Phase;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node gives up mounting: the allocation has failed before it is known what is mounted. */
final class FailedMountTest {
    private final Cluster cluster = new Cluster();

    @ParameterizedTest
    @EnumSource(
            value = Phase.class,
            names = {"MOUNTING", "PUBLISHED", "UNMOUNTING"})
    void itIsReplacedAndItsClaimIsReleasedOnlyOnceTheNodeHasUndoneIt(Phase phase) {
        cluster.node("n1");
        cluster.node("n2");
        cluster.volume("v", Cluster.WRITER);
        cluster.writer("a", "v");
        AllocationRow failed = cluster.allocation("a");
        cluster.report(failed, ClientStatus.FAILED, phase);
        assertEquals(
                List.of(ClaimState.RELEASING),
                cluster.claims("v").stream().map(claim -> claim.state()).toList());
        assertTrue(cluster.state().evaluations().ofJob(failed.job()).stream()
                .anyMatch(row -> row.asked().triggeredBy() == Trigger.ALLOC_FAILURE));
        // Said again, it is no more proof than before.
        cluster.report(failed, ClientStatus.FAILED, phase);
        assertEquals(failed.id(), cluster.claims("v").getFirst().allocId());
        cluster.ends(failed, ClientStatus.FAILED);
        assertTrue(
                cluster.claims("v").stream().noneMatch(claim -> claim.allocId().equals(failed.id())));
    }
}
