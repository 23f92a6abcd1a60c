package io.cleat.clusterapi.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.api.CsiPlugin;
import io.cleat.api.Job;
import io.cleat.api.Json;
import io.cleat.api.Metrics;
import io.cleat.api.PluginLane;
import io.cleat.base.Refused;
import io.cleat.clusterapi.Recording;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.ReadQuery;
import io.cleat.model.JobId;
import io.cleat.state.Change;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Plugins, and their queues of calls. */
final class PluginAnswersTest {
    private static final ReadQuery NOW = ReadQuery.now("default");

    @Test
    void aPluginIsThereOnceAJobNamesIt() throws Exception {
        CsiPlugin plugin = SampleCluster.start()
                .node()
                .pluginJob()
                .cluster()
                .plugins()
                .get(NOW, "hp")
                .body()
                .orElseThrow();
        assertEquals("", plugin.Provider());
        assertEquals(0, plugin.NodesHealthy());
        assertNull(plugin.Allocations());
        assertEquals(Map.of(), plugin.Nodes());
        assertTrue(Json.toTree(plugin).at("/NodeJobs/default").has("hostpath"));
        assertEquals(
                1,
                SampleCluster.whole()
                        .cluster()
                        .plugins()
                        .get(NOW, "hp")
                        .body()
                        .orElseThrow()
                        .NodesExpected());
    }

    @Test
    void aPluginsJobSaysHowWideItsLanesAre() throws Exception {
        SampleCluster sample = SampleCluster.start().node().apply(pluginJob(Map.of("cleat.lane_width.detach", "2")));
        assertEquals(
                Map.of("attach", 16, "detach", 2, "create", 8, "delete", 4, "expand", 4, "snapshot", 8),
                widths(sample));
        sample.apply(pluginJob(Map.of("cleat.lane_width", "1", "cleat.lane_width.attach", "3")));
        assertEquals(
                Map.of("attach", 3, "detach", 1, "create", 1, "delete", 1, "expand", 1, "snapshot", 1), widths(sample));
    }

    @Test
    void aLaneThatIsNoneAndAWidthThatIsNoneAreRefused() {
        assertTrue(laneRefusal("cleat.lane_width.atach", "2").contains("names no lane; there are"));
        assertTrue(laneRefusal("cleat.lane_width", "0").contains("from 1 to 56, got: \"0\""));
        assertTrue(laneRefusal("cleat.lane_width", "many").contains("got: \"many\""));
        assertTrue(laneRefusal("cleat.lane_width", "20").contains("120 wide together; at most 56"));
    }

    private static String laneRefusal(String key, String value) {
        return assertThrows(Refused.class, () -> pluginJob(Map.of(key, value)))
                .refusal()
                .message();
    }

    private static Change pluginJob(Map<String, String> meta) throws Refused {
        JsonNode job =
                Recording.of("12-register-plugin-job").request().get("body").get("Job");
        ObjectNode task = (ObjectNode) job.at("/TaskGroups/0/Tasks/0");
        ObjectNode metaNode = task.putObject("Meta");
        meta.forEach(metaNode::put);
        return new Change.JobPut(SampleCluster.jobRow(SampleCluster.spec(Json.fromTree(job, Job.class))));
    }

    private static Map<String, Integer> widths(SampleCluster sample) throws Exception {
        Map<String, Integer> widths = new HashMap<>();
        for (PluginLane lane :
                sample.cluster().plugins().lanes(NOW, "hp").body().orElseThrow()) {
            widths.put(lane.Name(), lane.Width());
        }
        return widths;
    }

    @Test
    void aStoppedJobExpectsNothing() throws Exception {
        SampleCluster sample = SampleCluster.whole().apply(new Change.JobStopped(new JobId("default", "hostpath")));
        CsiPlugin plugin = sample.cluster().plugins().get(NOW, "hp").body().orElseThrow();
        assertEquals(0, plugin.ControllersExpected());
        assertEquals(1, plugin.ControllersHealthy());
    }

    @Test
    void lanesOfAPluginAreCountedAndMetered() throws Exception {
        ServerCluster cluster = SampleCluster.whole().cluster();
        List<PluginLane> lanes = cluster.plugins().lanes(NOW, "hp").body().orElseThrow();
        assertEquals(
                List.of("attach", "detach", "create", "delete", "expand", "snapshot"),
                lanes.stream().map(PluginLane::Name).toList());
        assertEquals(16, lanes.getFirst().Width());
        assertTrue(cluster.plugins().lanes(NOW, "none").body().isEmpty());
        Metrics metrics = cluster.operator().metrics();
        assertTrue(
                metrics.Gauges()
                        .contains(new Metrics.Figure(
                                Map.of("plugin", "hp", "lane", "attach"), "cleat.plugin.lane.width", 16)),
                metrics::toString);
        assertTrue(
                metrics.Gauges().contains(new Metrics.Figure(Map.of("state", "granted"), "cleat.claims", 1)),
                metrics::toString);
    }
}
