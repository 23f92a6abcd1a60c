package io.cleat.server.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobType;
import io.cleat.server.commit.Applied;
import io.cleat.server.decide.Cluster;
import io.cleat.server.decide.StopAllocation;
import io.cleat.server.vault.NoSecrets;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.wire.ToNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That what is said fits, and is no more than what is different, is in properties too. */
final class SentAssignmentsTest {
    private static final int LARGE = 200 << 10;

    private final Cluster cluster = new Cluster();
    private final List<ToNode> said = new ArrayList<>();
    private final SentAssignments told = new SentAssignments("n1", new NoSecrets(), said::add);

    SentAssignmentsTest() {
        cluster.node("n1");
    }

    private void tell(String... ids) throws Exception {
        ClusterState state = cluster.state();
        Applied<ClusterState> seen = new Applied<>(state, state.version(), cluster.now(), 1, List.of());
        if (ids.length == 0) {
            told.tell(seen);
        } else {
            told.tell(seen, List.of(ids));
        }
    }

    private void runLarge(String id, int count) {
        cluster.run(Cluster.job(id, JobType.SERVICE, count, null, "x".repeat(LARGE)));
    }

    @Test
    void allIsSaidInPartsOfABound() throws Exception {
        runLarge("a", 15);
        tell();
        long sum = 0;
        for (ToNode message : said) {
            ToNode.Assignments part = (ToNode.Assignments) message;
            assertEquals(!part.equals(said.getLast()), part.more());
            assertEquals(cluster.state().version(), part.version());
            assertTrue(Outgoing.bytes(part) < SentAssignments.PART + 2 * LARGE);
            sum += part.allocations().size();
        }
        assertEquals(15, sum);
        assertTrue(said.size() >= 3, "parts: " + said.size());
    }

    @Test
    void soIsWhatIsDifferent() throws Exception {
        tell();
        runLarge("a", 15);
        said.clear();
        tell();
        long since = 0;
        long sum = 0;
        for (ToNode message : said) {
            ToNode.AssignmentChanges part = (ToNode.AssignmentChanges) message;
            assertTrue(since == 0 || since == part.since(), part.since() + " after " + since);
            since = part.version();
            assertTrue(Outgoing.bytes(part) < SentAssignments.PART + 2 * LARGE);
            sum += part.allocations().size();
        }
        assertEquals(15, sum);
        assertTrue(said.size() >= 3, "parts: " + said.size());
    }

    /** All of a node was said at each change of one of them, with thousands that had ended. */
    @Test
    void aChangeOfOneAllocation_saysThatOneAlone() throws Exception {
        cluster.run(Cluster.job("a", JobType.SERVICE, 15));
        tell();
        said.clear();
        AllocationRow stopped = cluster.allocation("a");
        cluster.accept(new StopAllocation(stopped.id(), false, cluster.id()));
        tell(stopped.id());
        ToNode.AssignmentChanges only = (ToNode.AssignmentChanges) said.getFirst();
        assertEquals(1, said.size());
        assertEquals(
                List.of(stopped.id()),
                only.allocations().stream().map(ToNode.Assignment::allocId).toList());
        assertEquals(List.of(), only.gone());
    }

    @Test
    void whatIsAsItWas_isNotSaid() throws Exception {
        cluster.run(Cluster.job("a", JobType.SERVICE, 1));
        tell();
        said.clear();
        cluster.runs("a");
        tell(cluster.allocation("a").id(), "none of this node");
        tell();
        assertEquals(List.of(), said);
    }
}
