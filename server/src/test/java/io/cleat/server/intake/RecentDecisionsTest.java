package io.cleat.server.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.cleat.base.Deadline;
import io.cleat.base.SystemTime;
import io.cleat.base.Time;
import io.cleat.model.MountOptions;
import io.cleat.model.TopologyRequest;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.server.commit.Applied;
import io.cleat.server.commit.AppliedDecision;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.VolumeRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Readers of what was decided last, each at its own pace. */
final class RecentDecisionsTest {
    private final Time time = new SystemTime();
    private final RecentDecisions recent = new RecentDecisions(time);
    private ClusterState state = ClusterState.empty();

    private void decide(Change... changes) {
        decide(1, changes);
    }

    private void decide(long bytes, Change... changes) {
        ClusterState before = state;
        long version = before.version() + 1;
        state = before.apply(List.of(changes), version, Instant.EPOCH);
        recent.applied(new AppliedDecision<>(before, List.of(changes), state, version, bytes));
    }

    private void volumes(int count) {
        volumes(count, 1);
    }

    private void volumes(int count, long bytes) {
        VolumeSpec spec = new VolumeSpec(
                new VolumeId("default", "v"),
                "v",
                "ext",
                "plugin",
                List.of(),
                MountOptions.NONE,
                0,
                0,
                Map.of(),
                Map.of(),
                TopologyRequest.NONE,
                "",
                "");
        for (int i = 0; i < count; i++) {
            decide(bytes, new Change.VolumePut(VolumeRow.of(spec, new Encrypted(""), 0, List.of(), Instant.EPOCH)));
        }
    }

    private RecentDecisions.Step next(RecentDecisions.Reader reader) throws InterruptedException {
        return reader.next(Deadline.in(time, Duration.ZERO));
    }

    private List<Long> all(RecentDecisions.Reader reader) throws InterruptedException {
        List<Long> versions = new ArrayList<>();
        while (next(reader) instanceof RecentDecisions.Decided(var decision)) {
            versions.add(decision.version());
        }
        return versions;
    }

    @Test
    void aReaderGetsAllInOrderAndOnce() throws Exception {
        volumes(3);
        RecentDecisions.Reader reader = recent.reader(0);
        assertEquals(List.of(1L, 2L, 3L), all(reader));
        volumes(2);
        assertEquals(List.of(4L, 5L), all(reader));
    }

    @Test
    void aReaderBeginsWithTheVersionThatItNamed() throws Exception {
        volumes(3);
        assertEquals(List.of(2L, 3L), all(recent.reader(2)));
        RecentDecisions.Reader later = recent.reader(5);
        volumes(3);
        assertEquals(List.of(5L, 6L), all(later));
    }

    @Test
    void whatUsersDoNotSeeTakesNoPlace() throws Exception {
        volumes(1);
        for (int i = 0; i < 2 * RecentDecisions.KEPT; i++) {
            decide(new Change.RequestExpired("r" + i));
        }
        assertEquals(List.of(1L), all(recent.reader(1)));
    }

    @Test
    void anOldestReaderMissesNothingThoughMuchIsGone() throws Exception {
        volumes(RecentDecisions.KEPT + 7);
        List<Long> versions = all(recent.reader(0));
        assertEquals(RecentDecisions.KEPT, versions.size());
        assertEquals(8, versions.getFirst());
    }

    @Test
    void aReaderThatFellBehindIsToldWhatItMissedAndGoesOnWithTheOldest() throws Exception {
        RecentDecisions.Reader reader = recent.reader(0);
        volumes(2);
        assertInstanceOf(RecentDecisions.Decided.class, next(reader));
        volumes(RecentDecisions.KEPT + 3);
        assertEquals(new RecentDecisions.Missed(2, 5), next(reader));
        List<Long> rest = all(reader);
        assertEquals(6, rest.getFirst());
        assertEquals(RecentDecisions.KEPT, rest.size());
        assertEquals(new RecentDecisions.Missed(3, 5), next(recent.reader(3)));
    }

    @Test
    void largeDecisionsAreKeptUpToTheirBytesAndWhoFellBehindIsToldSo() throws Exception {
        RecentDecisions.Reader reader = recent.reader(0);
        volumes(10, RecentDecisions.KEPT_BYTES / 4);
        assertEquals(new RecentDecisions.Missed(1, 6), next(reader));
        assertEquals(List.of(7L, 8L, 9L, 10L), all(reader));
        volumes(8);
        assertEquals(List.of(8L, 9L, 10L), all(recent.reader(0)).subList(0, 3));
    }

    @Test
    void theNewestDecisionIsKeptHoweverLargeItIs() throws Exception {
        volumes(3);
        volumes(1, 2 * RecentDecisions.KEPT_BYTES);
        assertEquals(List.of(4L), all(recent.reader(0)));
        volumes(2);
        assertEquals(List.of(5L, 6L), all(recent.reader(0)));
    }

    @Test
    void whatASnapshotReplacedWeighsNothing() throws Exception {
        volumes(4, RecentDecisions.KEPT_BYTES / 4);
        recent.installed(new Applied<>(state, 4, Instant.EPOCH, 1, List.of()));
        volumes(4, RecentDecisions.KEPT_BYTES / 4);
        assertEquals(List.of(5L, 6L, 7L, 8L), all(recent.reader(0)));
    }

    @Test
    void aSnapshotIsAGap() throws Exception {
        volumes(2);
        RecentDecisions.Reader reader = recent.reader(0);
        recent.installed(new Applied<>(state, 40, Instant.EPOCH, 1, List.of()));
        assertEquals(new RecentDecisions.Missed(1, 40), next(reader));
        assertEquals(new RecentDecisions.Quiet(), next(reader));
    }

    @Test
    void whoeverWaitsIsWoken() throws Exception {
        LinkedBlockingQueue<RecentDecisions.Step> steps = new LinkedBlockingQueue<>();
        CountDownLatch opened = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            RecentDecisions.Reader reader = recent.reader(0);
            opened.countDown();
            try {
                steps.add(reader.next(Deadline.in(time, Duration.ofMinutes(1))));
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        opened.await();
        volumes(1);
        assertInstanceOf(RecentDecisions.Decided.class, steps.poll(30, TimeUnit.SECONDS));
    }
}
