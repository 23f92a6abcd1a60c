package io.cleat.clusterapi.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.cleat.api.Json;
import io.cleat.api.SearchRequest;
import io.cleat.base.Refused;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.ReadQuery;
import io.cleat.state.Change;
import io.cleat.state.VolumeRow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ids that begin with some letters. */
final class SearchTest {
    private static final ReadQuery NOW = ReadQuery.now("default");

    @Test
    void searchCutsAtTwenty() throws Exception {
        SampleCluster sample = SampleCluster.start();
        sample.volume();
        VolumeRow row = sample.state().volume(SampleCluster.VOLUME).orElseThrow();
        for (int i = 0; i < 30; i++) {
            sample.apply(new Change.VolumePut(SampleCluster.renamed(row, "x" + i)));
        }
        var found = sample.cluster()
                .search()
                .find(NOW, new SearchRequest("volumes", "x"))
                .body();
        assertEquals(20, Json.toTree(found).at("/Matches/volumes").size());
        assertEquals(Map.of("volumes", true), found.Truncations());
        assertThrows(Refused.class, () -> sample.cluster().search().find(NOW, new SearchRequest("odd", "x")));
    }

    /** Completion offered "default" alone, whatever pools nodes were started in. */
    @Test
    void theSearchKnowsTheSamePoolsAsTheirList() throws Exception {
        ServerCluster cluster = SampleCluster.whole().cluster();
        var found =
                cluster.search().find(NOW, new SearchRequest("node_pools", "")).body();
        assertEquals(Map.of("node_pools", List.of("all", "default")), found.Matches());
    }
}
