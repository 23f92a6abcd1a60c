package io.cleat.clusterapi.events;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.EventHeader;
import io.cleat.base.Deadline;
import io.cleat.base.Refused;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import io.cleat.clusterapi.SampleCluster;
import io.cleat.model.ClientStatus;
import io.cleat.model.JobId;
import io.cleat.model.NodeEvent;
import io.cleat.server.intake.RecentDecisions;
import io.cleat.state.Change;
import io.cleat.state.ClaimId;
import io.cleat.state.ClaimState;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.NodeStatus;
import io.cleat.state.Row;
import io.cleat.state.VolumeRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Whatever is decided: every row of a table that changed has exactly one event, nothing else has one, and each reader
 * gets them in the order of the decisions.
 */
final class EventProperties {
    private static final Time TIME = new SystemTime();

    @Test
    void everyChangedRowIsToldOnceAndInOrder() throws Exception {
        for (int seed = 0; seed < 60; seed++) {
            run(new Random(seed), "seed " + seed);
        }
    }

    private static void run(Random chance, String when) throws Refused, InterruptedException {
        RecentDecisions recent = new RecentDecisions(TIME);
        SampleCluster sample = SampleCluster.whole();
        JobRow job = sample.state().job(new JobId("default", "web")).orElseThrow();
        VolumeRow volume = sample.state().volume(SampleCluster.VOLUME).orElseThrow();
        RecentDecisions.Reader reader = recent.reader(sample.state().version() + 1);
        List<String> expected = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            ClusterState before = sample.state();
            Change[] changes = new Change[1 + chance.nextInt(4)];
            for (int i = 0; i < changes.length; i++) {
                changes[i] = change(chance, job, volume);
            }
            sample.apply(changes);
            recent.applied(sample.lastDecision());
            differences(before, sample.state()).stream()
                    .map(key -> sample.state().version() + " " + key)
                    .forEach(expected::add);
        }
        List<String> told = new ArrayList<>();
        while (reader.next(Deadline.in(TIME, Duration.ZERO)) instanceof RecentDecisions.Decided(var decision)) {
            EventView.of(decision).stream()
                    .map(EventView.Draft::about)
                    .map(EventProperties::key)
                    .sorted()
                    .forEach(key -> told.add(decision.version() + " " + key));
        }
        assertEquals(expected, told, when);
    }

    private static String key(EventHeader about) {
        return about.topic() + " " + about.key();
    }

    private static Change change(Random chance, JobRow job, VolumeRow volume) {
        String node = "node-" + chance.nextInt(3);
        String alloc = "alloc-" + chance.nextInt(4);
        ClaimId claim = new ClaimId(alloc, "data");
        return switch (chance.nextInt(15)) {
            case 0 -> new Change.NodePut(SampleCluster.nodeRow(node, List.of()));
            case 1 -> new Change.NodePut(SampleCluster.nodeRow(node, List.of(SampleCluster.instance(true))));
            case 2 -> new Change.NodeStatusChanged(node, NodeStatus.DOWN, "said so");
            case 3 -> new Change.NodeRemoved(node);
            case 4 ->
                new Change.NodeEventsAdded(node, List.of(new NodeEvent("Storage", "x", Map.of(), SampleCluster.AT)));
            case 5 -> new Change.JobPut(job);
            case 6 -> new Change.JobStopped(job.id());
            case 7 -> new Change.JobRemoved(job.id());
            case 8 -> new Change.AllocationPut(SampleCluster.allocation(job, "g", alloc, "eval", Map.of()));
            case 9 -> new Change.AllocationReported(alloc, ClientStatus.RUNNING, "", Map.of(), Map.of(), null, null);
            case 10 -> new Change.AllocationRemoved(alloc);
            case 11 -> new Change.VolumePut(volume);
            case 12 -> new Change.VolumeRemoved(volume.id());
            case 13 ->
                new Change.ClaimPut(SampleCluster.claim(claim, chance.nextBoolean(), ClaimState.GRANTED, 1, null));
            default -> new Change.ClaimRemoved(claim);
        };
    }

    /** What a comparison of the two images finds, by topic and id. */
    private static SortedSet<String> differences(ClusterState before, ClusterState after) {
        TreeSet<String> found = new TreeSet<>();
        rows("Node", before.nodes(), after.nodes(), row -> row.id(), true, found);
        rows("Job", before.jobs(), after.jobs(), row -> row.id().id(), true, found);
        rows("Evaluation", before.evaluations().all(), after.evaluations().all(), row -> row.id(), false, found);
        rows("Allocation", before.allocations(), after.allocations(), row -> row.id(), false, found);
        rows("CSIVolume", before.volumes(), after.volumes(), row -> row.id().id(), true, found);
        rows("CSIPlugin", before.plugins(), after.plugins(), row -> row.id(), true, found);
        return found;
    }

    private static <R extends Row<R>> void rows(
            String topic,
            Collection<R> before,
            Collection<R> after,
            Function<R, String> id,
            boolean tellsRemoval,
            SortedSet<String> found) {
        List<String> ids = after.stream().map(id).toList();
        before.stream()
                .map(id)
                .filter(old -> tellsRemoval && !ids.contains(old))
                .forEach(old -> found.add(topic + " " + old));
        for (R row : after) {
            boolean isAsBefore = before.stream()
                    .anyMatch(old -> id.apply(old).equals(id.apply(row)) && old.modifyVersion() == row.modifyVersion());
            if (!isAsBefore) {
                found.add(topic + " " + id.apply(row));
            }
        }
    }
}
