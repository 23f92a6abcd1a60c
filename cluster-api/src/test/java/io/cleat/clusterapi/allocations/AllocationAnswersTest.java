package io.cleat.clusterapi.allocations;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.clusterapi.FixedImages;
import io.cleat.clusterapi.Intake;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.WriteQuery;
import io.cleat.state.ClusterState;
import org.junit.jupiter.api.Test;

/** Allocations are stopped by whoever means them. */
final class AllocationAnswersTest {
    private static final WriteQuery WRITE = new WriteQuery("default", "r-1");

    @Test
    void anAllocationThatIsNotThereIsNotStopped() throws Exception {
        ClusterState state = SampleCluster.start().state();
        Refused refused = assertThrows(
                Refused.class,
                () -> SampleCluster.cluster(new FixedImages(state), Intake.idle())
                        .allocations()
                        .stop(WRITE, SampleCluster.WEB_ALLOC, false));
        assertEquals("alloc not found", refused.refusal().message());
    }

    @Test
    void anAllocationOfAnotherNamespaceIsNotStopped() throws Exception {
        ServerCluster cluster = SampleCluster.whole().cluster();
        Refused refused = assertThrows(
                Refused.class,
                () -> cluster.allocations().stop(new WriteQuery("team", ""), SampleCluster.WEB_ALLOC, false));
        assertEquals("alloc not found", refused.refusal().message());
        assertInstanceOf(Refusal.NotFound.class, refused.refusal());
    }
}
