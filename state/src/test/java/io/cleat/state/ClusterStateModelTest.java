package io.cleat.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.JobId;
import io.cleat.model.VolumeId;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The image against {@link NaiveModel}, change by change, under random changes. */
final class ClusterStateModelTest {
    private static final JobId JOB = RandomChanges.JOBS.getFirst();
    private static final VolumeId VOLUME = RandomChanges.VOLUMES.getFirst();
    private static final VolumeKey KEY = RandomChanges.KEYS.getFirst();

    private final NaiveModel model = new NaiveModel();
    private ClusterState state = ClusterState.empty();

    @Test
    void randomChangesGiveWhatThePlainModelGives() throws Exception {
        for (long seed = 1; seed <= 20; seed++) {
            new ClusterStateModelTest().run(seed, RandomChanges::ofAnything);
        }
    }

    /** Few jobs whose texts change often: which of them are kept, and for whom. */
    @Test
    void theTextsOfJobsAreThoseThatThePlainModelKeeps() throws Exception {
        for (long seed = 1; seed <= 12; seed++) {
            new ClusterStateModelTest().run(seed, RandomChanges::ofTexts);
        }
    }

    @Test
    void anOldImageStaysAsItWas() {
        ClusterState before = state.apply(List.of(new Change.NodePut(Samples.node("n1", "local"))), 1, Samples.AT);
        String digest = Snapshot.digest(before);
        before.apply(SampleChanges.all(), 2, Samples.AT);
        assertEquals(digest, Snapshot.digest(before));
    }

    @Test
    void aClaimThatChangesItsVolumeMakesTheVolumeNewer() {
        state = state.apply(List.of(new Change.VolumePut(Samples.volume(VOLUME, KEY))), 1, Samples.AT);
        ClaimRow claim = Samples.claim("a1", VOLUME, KEY, ClaimState.GRANTED);
        state = state.apply(List.of(new Change.ClaimPut(claim)), 2, Samples.AT);
        assertEquals(2, state.volume(VOLUME).orElseThrow().modifyVersion());
        assertEquals(2, state.version(TableName.VOLUMES));
        assertEquals(1, state.volume(VOLUME).orElseThrow().createVersion());
    }

    @Test
    void whatAllocationsRunByStaysThoughTheJobIsPurged() {
        state = state.apply(List.of(new Change.JobPut(Samples.job(JOB, null))), 1, Samples.AT);
        state = state.apply(List.of(new Change.AllocationPut(Samples.allocation("a1", JOB, 1, "n1"))), 2, Samples.AT);
        state = state.apply(List.of(new Change.JobRemoved(JOB)), 3, Samples.AT);
        AllocationRow allocation = state.allocation("a1").orElseThrow();
        assertTrue(state.jobVersion(allocation.jobVersion()).isPresent());
        state = state.apply(List.of(new Change.AllocationRemoved("a1")), 4, Samples.AT);
        assertTrue(state.jobVersion(allocation.jobVersion()).isEmpty());
    }

    /** Now and then the image goes on from its snapshot. */
    private void run(long seed, Function<RandomChanges, Change> next) throws Exception {
        RandomChanges changes = new RandomChanges(new Random(seed), model);
        for (int step = 1; step <= 150; step++) {
            Change change = next.apply(changes);
            Instant at = Samples.AT.plusSeconds(step);
            Map<RowId, Row<?>> before = waitedFor(state);
            state = state.apply(List.of(change), step, at);
            assertChanged(before, change, waitedFor(state));
            model.apply(change, step, at);
            if (step % 30 == 0) {
                state = SnapshotBytes.readBack(state);
            }
            SameAsModel.compare(
                    model,
                    state,
                    "seed " + seed + ", step " + step + ", " + change.getClass().getSimpleName());
        }
    }

    /** Those of the tables that are waited for row by row. */
    private static Map<RowId, Row<?>> waitedFor(ClusterState state) {
        Map<RowId, Row<?>> rows = new HashMap<>();
        state.nodes().forEach(row -> rows.put(RowId.node(row.id()), row));
        state.evaluations().all().forEach(row -> rows.put(RowId.evaluation(row.id()), row));
        state.allocations().forEach(row -> rows.put(RowId.allocation(row.id()), row));
        state.operations().all().forEach(row -> rows.put(RowId.operation(row.id()), row));
        state.variables().all().forEach(row -> rows.put(RowId.variable(row.id()), row));
        return rows;
    }

    /** Whoever waits for a row is woken by the change that made it another, or took it away. */
    private static void assertChanged(Map<RowId, Row<?>> before, Change change, Map<RowId, Row<?>> after) {
        Set<RowId> others = new HashSet<>(before.keySet());
        others.addAll(after.keySet());
        others.removeIf(id -> Objects.equals(before.get(id), after.get(id)));
        others.removeAll(ChangedRows.by(change));
        assertEquals(Set.of(), others, change.toString());
    }
}
