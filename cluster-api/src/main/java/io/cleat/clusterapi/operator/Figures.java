package io.cleat.clusterapi.operator;

import io.cleat.api.Metrics;
import io.cleat.clusterapi.membership.Membership;
import io.cleat.schedule.PluginHealth;
import io.cleat.schedule.PluginLanes;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.PluginRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Figures of one image. All are counted when they are asked for. */
final class Figures {
    private final ClusterState state;
    private final List<Metrics.Figure> gauges = new ArrayList<>();

    private Figures(ClusterState state) {
        this.state = state;
    }

    /** @param version of the API's model that this program follows */
    static Metrics of(ClusterState state, Membership membership, String version, Instant now) {
        Figures figures = new Figures(state);
        figures.rows();
        figures.plugins(now);
        ClusterFigures known =
                new ClusterFigures(state, figures.gauges, membership.self().name());
        known.addAll(now);
        known.members(
                Autopilot.health(membership, version),
                membership.logOf(membership.self()).index());
        return Metrics.ofGauges(figures.gauges, now);
    }

    private void add(String name, Map<String, String> labels, double value) {
        gauges.add(new Metrics.Figure(labels, name, value));
    }

    private void rows() {
        for (ClaimState each : ClaimState.values()) {
            add(
                    "cleat.claims",
                    Map.of("state", each.wire()),
                    state.claims().in(each).size());
        }
        for (EvaluationStatus each : List.of(EvaluationStatus.PENDING, EvaluationStatus.BLOCKED)) {
            add(
                    "cleat.evaluations",
                    Map.of("status", each.wire()),
                    state.evaluations().in(each).size());
        }
        for (NodeStatus each : NodeStatus.values()) {
            long count = state.nodes().stream()
                    .map(NodeRow::status)
                    .filter(each::equals)
                    .count();
            add("cleat.nodes", Map.of("status", each.wire()), (double) count);
        }
        add("cleat.attachments", Map.of(), state.attachments().all().size());
        add("cleat.state.version", Map.of(), (double) state.version());
    }

    private void plugins(Instant now) {
        PluginLanes lanes = PluginLanes.of(state, now);
        state.pluginsFrom("").forEach(row -> {
            health(row);
            lanes.loads(row.id()).forEach(load -> lane(row.id(), load));
        });
    }

    private void health(PluginRow row) {
        PluginHealth health = PluginHealth.of(state, row.id());
        Map<String, String> plugin = Map.of("plugin", row.id());
        add("cleat.plugin.controllers_healthy", plugin, health.controllersHealthy());
        add("cleat.plugin.controllers_expected", plugin, health.controllersExpected());
        add("cleat.plugin.nodes_healthy", plugin, health.nodesHealthy());
        add("cleat.plugin.nodes_expected", plugin, health.nodesExpected());
    }

    private void lane(String plugin, PluginLanes.Load load) {
        Map<String, String> labels =
                Map.of("plugin", plugin, "lane", load.lane().wire());
        add("cleat.plugin.lane.depth", labels, load.depth());
        add("cleat.plugin.lane.in_flight", labels, load.inFlight());
        add("cleat.plugin.lane.width", labels, load.width());
        add("cleat.plugin.lane.oldest_age_seconds", labels, load.oldest().toMillis() / 1000.0);
    }
}
