package io.cleat.clusterapi.plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeStub;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.ListQuery;
import io.cleat.http.ReadQuery;
import io.cleat.model.PluginInstance;
import io.cleat.schedule.PluginCounts;
import io.cleat.schedule.PluginHealth;
import io.cleat.state.Change;
import io.cleat.state.ClaimId;
import io.cleat.state.ClaimRow;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.NodeStatus;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever happened before: what a view counts is what a recount of the rows gives. */
final class DerivedCountsProperties {
    private static final ReadQuery NOW = ReadQuery.now("default");

    @Test
    void countsAreRecounts() throws Exception {
        for (int seed = 0; seed < 40; seed++) {
            Random chance = new Random(seed);
            SampleCluster sample = SampleCluster.start().volume();
            KnownCounts known = new KnownCounts();
            if (chance.nextBoolean()) {
                sample.pluginJob();
            }
            for (int i = 0; i < 30; i++) {
                sample.apply(change(chance));
                String when = "seed " + seed + " step " + i;
                check(sample, when);
                assertEquals(
                        PluginCounts.of(PluginHealth.of(sample.state(), "hp")),
                        known.in(sample.state()).apply("hp"),
                        when);
            }
        }
    }

    private static Change change(Random chance) {
        String node = "node-" + chance.nextInt(4);
        ClaimId claim = new ClaimId("alloc-" + chance.nextInt(5), "data");
        return switch (chance.nextInt(7)) {
            case 0 -> new Change.NodePut(SampleCluster.nodeRow(node, List.of()));
            case 1 -> new Change.NodePut(SampleCluster.nodeRow(node, List.of(SampleCluster.instance(true))));
            case 2 -> new Change.NodePut(SampleCluster.nodeRow(node, List.of(SampleCluster.instance(false))));
            case 3 ->
                new Change.NodeStatusChanged(
                        node, chance.nextBoolean() ? NodeStatus.DOWN : NodeStatus.READY, "said so");
            case 4 -> new Change.NodeRemoved(node);
            case 5 ->
                new Change.ClaimPut(SampleCluster.claim(
                        claim,
                        chance.nextBoolean(),
                        List.of(ClaimState.values()).get(chance.nextInt(3)),
                        1 + chance.nextInt(9),
                        null));
            default -> new Change.ClaimRemoved(claim);
        };
    }

    private static void check(SampleCluster sample, String when) throws Exception {
        ClusterState state = sample.state();
        ServerCluster cluster = sample.cluster();
        CsiVolume volume = SampleCluster.shown(cluster, "v1");
        CsiVolumeStub stub = cluster.volumes()
                .list(ListQuery.all("default"), "", "")
                .body()
                .first()
                .orElseThrow();
        List<ClaimRow> holding =
                state.claims().all().stream().filter(ClaimRow::holds).toList();
        assertEquals(holding.stream().filter(c -> c.readOnly()).count(), stub.CurrentReaders(), when);
        assertEquals(holding.stream().filter(c -> !c.readOnly()).count(), stub.CurrentWriters(), when);
        assertEquals(holding.isEmpty(), volume.AccessMode().isEmpty(), when);
        long healthy = working(state).count();
        assertEquals(healthy, volume.NodesHealthy(), when);
        assertEquals(healthy, stub.ControllersHealthy(), when);
        assertEquals(healthy > 0, volume.Schedulable(), when);
        boolean isReferred = state.jobs().stream().anyMatch(job -> job.id().id().equals("hostpath"))
                || instances(state).findAny().isPresent();
        List<CsiPluginStub> plugins =
                cluster.plugins().list(ListQuery.all("default")).body().toList();
        assertEquals(isReferred ? 1 : 0, plugins.size(), when);
        if (isReferred) {
            CsiPlugin plugin = cluster.plugins().get(NOW, "hp").body().orElseThrow();
            assertEquals(healthy, plugins.getFirst().NodesHealthy(), when);
            assertEquals(
                    plugin.ControllersHealthy(),
                    plugin.Controllers().values().stream()
                            .filter(one -> one.Healthy())
                            .count(),
                    when);
            assertEquals(instances(state).count(), plugin.Nodes().size(), when);
        }
    }

    private static Stream<PluginInstance> instances(ClusterState state) {
        return state.nodes().stream().flatMap(node -> node.facts().plugins().stream());
    }

    private static Stream<PluginInstance> working(ClusterState state) {
        return state.nodes().stream()
                .filter(node -> node.status() == NodeStatus.READY)
                .flatMap(node -> node.facts().plugins().stream())
                .filter(PluginInstance::healthy);
    }
}
