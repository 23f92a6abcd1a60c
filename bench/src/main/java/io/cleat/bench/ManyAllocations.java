package io.cleat.bench;

import io.cleat.model.ClientStatus;
import io.cleat.model.JobId;
import io.cleat.model.JobSpec;
import io.cleat.model.Resources;
import io.cleat.model.TaskEvent;
import io.cleat.model.TaskState;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ChangeCodec;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.NodeProof;
import io.cleat.state.NodeRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.PlacementMetric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Nodes with running allocations, as servers hold them: each row was stored and read back. */
final class ManyAllocations {
    private static final int AT_ONCE = 50;

    private ManyAllocations() {}

    /** An image of nodes and nothing else. */
    static ClusterState nodes(int count) throws Exception {
        ClusterState image = ClusterState.empty();
        for (int i = 0; i < count; i++) {
            NodeRow row = new NodeRow(
                    ModelSpecs.node(node(i)),
                    NodeStatus.READY,
                    "ready",
                    true,
                    "d".repeat(64),
                    Instant.EPOCH,
                    List.of(),
                    null,
                    NodeProof.NONE,
                    0,
                    0);
            image = decided(image, List.of(new Change.NodePut(row)));
        }
        return image;
    }

    /** With a service of {@code count} allocations, as many on each of its nodes, all running. */
    static ClusterState with(ClusterState nodes, int count) throws Exception {
        JobSpec spec = ModelSpecs.job("web", List.of());
        ClusterState image =
                decided(nodes, List.of(new Change.JobPut(new JobRow(spec, 0, false, Instant.EPOCH, 0, 0, 0))));
        long text = image.version();
        int of = nodes.nodes().size();
        for (int i = 0; i < count; i += AT_ONCE) {
            List<Change> placed = new ArrayList<>();
            List<Change> reported = new ArrayList<>();
            for (int each = i; each < Math.min(count, i + AT_ONCE); each++) {
                placed.add(new Change.AllocationPut(row(spec, text, each, of)));
                reported.add(runs(spec, each));
            }
            image = decided(decided(image, placed), reported);
        }
        return image;
    }

    private static ClusterState decided(ClusterState image, List<Change> changes) throws Exception {
        return image.apply(ChangeCodec.decode(ChangeCodec.encode(changes)), image.version() + 1, Instant.EPOCH);
    }

    static String node(int number) {
        return String.format(Locale.ROOT, "5e0d3b11-0000-4000-8000-%012x", number);
    }

    private static String id(int number) {
        return String.format(Locale.ROOT, "9a41c7d2-0000-4000-8000-%012x", number);
    }

    private static AllocationRow row(JobSpec spec, long text, int number, int nodes) {
        JobId job = spec.id();
        String group = spec.groups().getFirst().name();
        String task = spec.groups().getFirst().tasks().getFirst().name();
        List<PlacementMetric.Score> scores = new ArrayList<>();
        for (int i = 0; i < PlacementMetric.SCORES; i++) {
            scores.add(new PlacementMetric.Score(
                    node((number + i) % nodes), Map.of("binpack", 0.5, "job-anti-affinity", -0.25), 0.125));
        }
        PlacementMetric metric = new PlacementMetric(
                nodes,
                0,
                0,
                nodes,
                "default",
                Map.of("dc1", nodes),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                scores,
                List.of(),
                0);
        return new AllocationRow(
                new AllocationRow.Identity(id(number), job.id() + "." + group + "[" + number + "]", number, job, group),
                new AllocationRow.ByVersion(0, text, List.of()),
                new AllocationRow.Placed(
                        node(number % nodes),
                        "node-" + number % nodes,
                        Map.of(task, new Resources(100, 300, 0)),
                        300,
                        List.of(),
                        metric),
                AllocationRow.Wanted.TO_RUN,
                AllocationRow.Seen.NOTHING,
                new AllocationRow.Lineage("", "", id(0), "", List.of()),
                null,
                AllocationRow.Stamps.at(Instant.EPOCH));
    }

    private static Change runs(JobSpec spec, int number) {
        List<TaskEvent> events = new ArrayList<>();
        for (String type : List.of("Received", "Task Setup", "Started")) {
            events.add(new TaskEvent(type, Instant.EPOCH, type + " by client", Map.of()));
        }
        TaskState state = new TaskState(TaskState.Phase.RUNNING, false, 0, Instant.EPOCH, Instant.EPOCH, null, events);
        return new Change.AllocationReported(
                id(number),
                ClientStatus.RUNNING,
                "Tasks are running",
                Map.of(spec.groups().getFirst().tasks().getFirst().name(), state),
                Map.of(),
                null,
                null);
    }
}
