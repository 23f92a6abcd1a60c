package io.cleat.clusterapi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CsiVolumeStub;
import io.cleat.api.Json;
import io.cleat.api.Rows;
import io.cleat.api.SearchRequest;
import io.cleat.base.EarlyEnd;
import io.cleat.http.Filter;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.model.JobId;
import io.cleat.state.Change;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What holds for all resources. */
final class ServerClusterTest {
    private static final ReadQuery NOW = ReadQuery.now("default");

    private static final ListQuery ALL = ListQuery.all("default");

    @Test
    void noViewTellsASecret() throws Exception {
        ServerCluster cluster = SampleCluster.whole().secondWriter().cluster();
        List<Object> views = new ArrayList<>();
        views.add(cluster.volumes().list(ALL, "", "").body());
        views.add(cluster.volumes().get(NOW, "v1").body().orElseThrow());
        views.add(cluster.volumes().why(NOW, "v1").body().orElseThrow());
        views.add(cluster.plugins().get(NOW, "hp").body().orElseThrow());
        views.add(cluster.jobs().list(ALL, true).body());
        views.add(cluster.jobs().get(NOW, "web").body().orElseThrow());
        views.add(cluster.allocations().get(NOW, SampleCluster.WEB_ALLOC).body().orElseThrow());
        views.add(cluster.evaluations().list(ALL, "", "").body());
        views.add(cluster.nodes().get(NOW, SampleCluster.NODE).body().orElseThrow());
        views.add(cluster.allocations().ofNode(NOW, SampleCluster.NODE).body());
        for (Object view : views) {
            assertFalse(Json.text(view).contains(SampleCluster.SECRET), () -> Json.text(view));
            assertFalse(Json.text(view).contains(SampleCluster.DIGEST), () -> Json.text(view));
        }
    }

    @Test
    void aBlockedQueryWaitsForItsTable() throws Exception {
        SampleCluster sample = SampleCluster.start().node().plugin();
        FixedImages images = new FixedImages(sample.state());
        long before = sample.state().version();
        images.then(sample.web().state());
        images.then(sample.volume().state());
        ServerCluster cluster = SampleCluster.cluster(images, Intake.idle());
        var answer = cluster.volumes()
                .list(
                        new ListQuery(
                                new ReadQuery("default", before, Duration.ofSeconds(1), false, EarlyEnd.NEVER),
                                "",
                                Filter.ALL,
                                0,
                                "",
                                false),
                        "",
                        "");
        assertEquals(1, answer.body().toList().size());
        assertEquals(sample.state().version(), answer.meta().index());
    }

    @Test
    void anEmptyTableIsOfVersionOne() throws Exception {
        ServerCluster cluster = SampleCluster.start().cluster();
        assertEquals(1, cluster.volumes().list(ALL, "", "").meta().index());
        assertEquals(1, cluster.volumes().get(NOW, "none").meta().index());
        assertTrue(cluster.volumes().get(NOW, "none").body().isEmpty());
        assertEquals(1, cluster.hostVolumes().list(ALL, "", "").meta().index());
    }

    /** As CVE-2025-4922 and its like: what begins with a prefix is looked for in one namespace. */
    @Test
    void whatBeginsWithAPrefixIsFoundInItsNamespaceOnly() throws Exception {
        ServerCluster cluster = SampleCluster.whole()
                .apply(new Change.DeploymentPut(new DeploymentRow(
                        "d0d01234-a9a8-15bd-ec14-632c3b289daa",
                        new JobId("default", "web"),
                        1,
                        1,
                        DeploymentStatus.RUNNING,
                        "",
                        Map.of(),
                        SampleCluster.AT,
                        SampleCluster.AT,
                        0,
                        0)))
                .cluster();
        String alloc = SampleCluster.WEB_ALLOC.substring(0, 4);
        String eval = SampleCluster.WEB_EVAL.substring(0, 4);
        for (String[] each : List.of(
                new String[] {"allocs", alloc},
                new String[] {"evals", eval},
                new String[] {"jobs", "w"},
                new String[] {"deployment", "d0d0"},
                new String[] {"volumes", "v"})) {
            SearchRequest search = new SearchRequest(each[0], each[1]);
            for (String namespace : List.of("default", "*")) {
                assertEquals(1, found(cluster, namespace, search), each[0] + " of namespace " + namespace);
            }
            for (String namespace : List.of("team", "def", "defaultx", "d*")) {
                assertEquals(0, found(cluster, namespace, search), each[0] + " of namespace " + namespace);
            }
        }
        ListQuery ours = prefix("default", alloc);
        ListQuery theirs = prefix("team", alloc);
        assertEquals(
                1,
                cluster.allocations().list(ours, false, false).body().toList().size());
        assertEquals(
                0,
                cluster.allocations().list(theirs, false, false).body().toList().size());
        assertEquals(
                List.of(),
                ids(cluster.volumes().list(prefix("team", "v"), "", "").body()));
    }

    private static int found(ServerCluster cluster, String namespace, SearchRequest search) throws Exception {
        var answer = cluster.search().find(ReadQuery.now(namespace), search).body();
        return Json.toTree(answer).at("/Matches/" + search.Context()).size();
    }

    private static ListQuery prefix(String namespace, String prefix) {
        return new ListQuery(ReadQuery.now(namespace), prefix, Filter.ALL, 0, "", false);
    }

    private static List<String> ids(Rows<CsiVolumeStub> stubs) {
        return stubs.toList().stream().map(CsiVolumeStub::ID).toList();
    }
}
