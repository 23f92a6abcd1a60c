package io.cleat.clusterapi.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.JobStub;
import io.cleat.api.NodePool;
import io.cleat.api.NodeStub;
import io.cleat.api.Rows;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.jobs.JobAnswers;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Pools are what nodes were started in. */
final class NodePoolAnswersTest {
    private static final ReadQuery READ = ReadQuery.now("default");
    private static final ListQuery LIST = new ListQuery(READ, "", Filter.ALL, 0, "", false);

    private final NodePoolAnswers pools;
    private final JobAnswers jobs;

    NodePoolAnswersTest() throws Exception {
        SampleCluster sample = SampleCluster.whole();
        pools = sample.cluster().nodePools();
        jobs = sample.cluster().jobs();
    }

    private static <T> List<String> names(Rows<T> rows, Function<T, String> name) {
        List<String> names = new ArrayList<>();
        rows.forEach(row -> names.add(name.apply(row)));
        return names;
    }

    @Test
    void thoseOfNodesAreThere_withTheTwoThatAlwaysAre() throws Exception {
        assertEquals(List.of("all", "default"), names(pools.list(LIST).body(), NodePool::Name));
        assertTrue(pools.get(READ, "all").body().isPresent());
        assertTrue(pools.get(READ, "gpu").body().isEmpty());
    }

    @Test
    void nodesAndJobsAreThoseThatNameIt_andAllHasEachNode() throws Exception {
        for (String pool : List.of("all", "default")) {
            assertEquals(
                    List.of(SampleCluster.NODE), names(pools.nodes(LIST, pool).body(), NodeStub::ID));
        }
        assertEquals(List.of(), names(pools.nodes(LIST, "gpu").body(), NodeStub::ID));
        assertTrue(names(jobs.inPool(LIST, "default").body(), JobStub::ID).contains("web"));
        assertEquals(List.of(), names(jobs.inPool(LIST, "gpu").body(), JobStub::ID));
    }
}
