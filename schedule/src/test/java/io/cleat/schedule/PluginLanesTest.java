package io.cleat.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.model.AccessMode;
import io.cleat.model.AttachmentMode;
import io.cleat.model.BlockedBy;
import io.cleat.model.LaneWidths;
import io.cleat.model.MountOptions;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeModes;
import io.cleat.state.AttachmentId;
import io.cleat.state.CallLane;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationCall;
import io.cleat.state.OperationOutcome;
import io.cleat.state.OperationPast;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import io.cleat.state.VolumeKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** Lanes of controller calls: who is sent next, and what many slow calls do to others. */
final class PluginLanesTest {
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
    private static final VolumeModes WRITER =
            new VolumeModes(AccessMode.SINGLE_NODE_WRITER, AttachmentMode.FILE_SYSTEM);
    private static final BlockedBy REASON = new BlockedBy("call", "plugin", START, null, "");

    private ClusterState state = ClusterState.empty();
    private Instant now = START;

    private void put(OperationRow row) {
        state = state.apply(List.of(new Change.OperationPut(row)), state.version() + 1, now);
    }

    private static AttachmentId attachment(int number) {
        return new AttachmentId(new VolumeKey("p", "ext-" + number), "n1");
    }

    private static OperationCall attach(int number) {
        return new OperationCall.Publish(
                new VolumeId("default", "v" + number),
                attachment(number),
                "ext-n1",
                WRITER,
                MountOptions.NONE,
                false,
                Map.of());
    }

    private static OperationCall detach(int number) {
        return new OperationCall.Unpublish(new VolumeId("default", "v" + number), attachment(number), "ext-n1");
    }

    private OperationRow log(String id, OperationCall call) {
        OperationRow row = new OperationRow(
                id,
                "p",
                "n1",
                "plugin-alloc",
                0,
                call,
                OperationState.LOGGED,
                false,
                null,
                0,
                null,
                now,
                REASON,
                OperationPast.NONE,
                0,
                0);
        put(row);
        return row;
    }

    private OperationRow row(String id) {
        return state.operations().get(id).orElseThrow();
    }

    private List<String> toSend() {
        return PluginLanes.of(state, now).toSend(row -> true).stream()
                .map(OperationRow::id)
                .toList();
    }

    private PluginLanes.Load load(CallLane lane) {
        return PluginLanes.of(state, now).loads("p").stream()
                .filter(load -> load.lane() == lane)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void lanesTogetherLeaveRoomForTheNodesOwnCalls() {
        int all = Arrays.stream(CallLane.values())
                .mapToInt(lane -> lane.width(LaneWidths.STANDARD))
                .sum();
        assertTrue(all <= 48, "of 64 calls to one plugin at once; the lanes take " + all);
    }

    @Test
    void lanesTakeTurns_soThatNobodyStandsBehindAWholeLane() {
        for (int i = 0; i < 3; i++) {
            log("d" + i, detach(i));
        }
        log("a", attach(9));
        assertEquals(List.of("a", "d0", "d1", "d2"), toSend());
    }

    @Test
    void aFullLane_sendsNothingMore_andOthersGoOn() {
        for (int i = 0; i < 20; i++) {
            log(String.format(Locale.ROOT, "d%02d", i), detach(i));
        }
        toSend().forEach(id -> put(row(id).sent(1, REASON, now)));
        assertEquals(
                CallLane.DETACH.width(LaneWidths.STANDARD),
                load(CallLane.DETACH).inFlight());
        assertEquals(20, load(CallLane.DETACH).depth());
        assertTrue(toSend().isEmpty());
        log("a", attach(9));
        assertEquals(List.of("a"), toSend());
        put(row("d00").done(new OperationOutcome.Unpublished(), now));
        assertEquals(List.of("a", "d08"), toSend());
    }

    @Test
    void whatCannotBeSent_takesNoRoom() {
        for (int i = 0; i < 20; i++) {
            log(String.format(Locale.ROOT, "d%02d", i), detach(i));
        }
        List<OperationRow> sent =
                PluginLanes.of(state, now).toSend(row -> row.id().compareTo("d10") >= 0);
        assertEquals("d10", sent.getFirst().id());
        assertEquals(CallLane.DETACH.width(LaneWidths.STANDARD), sent.size());
    }

    @Test
    void whatIsTriedAgain_waitsForItsTime_thenStandsBehindThoseThatCameSince() {
        log("old", detach(1));
        put(row("old").sent(1, REASON, now));
        put(row("old").unknown(now.plusSeconds(10), REASON, now));
        now = now.plusSeconds(5);
        log("new", detach(2));
        assertEquals(List.of("new"), toSend());
        PluginLanes lanes = PluginLanes.of(state, now);
        assertEquals(Duration.ofSeconds(5), lanes.untilNext(Duration.ofHours(1)));
        now = now.plusSeconds(5);
        assertEquals(List.of("new", "old"), toSend());
    }

    @Test
    void anIdlePlugin_hasEveryLaneAtZero() {
        assertEquals(
                CallLane.values().length, PluginLanes.of(state, now).loads("p").size());
        assertEquals(Duration.ZERO, load(CallLane.ATTACH).oldest());
        assertFalse(PluginLanes.of(state, now).hasDue());
        assertEquals(Duration.ofHours(1), PluginLanes.of(state, now).untilNext(Duration.ofHours(1)));
    }

    @Test
    void theOldestOfALane_countsSinceItCameIntoItsState() {
        log("a", attach(1));
        now = now.plusSeconds(42);
        log("b", attach(2));
        assertEquals(Duration.ofSeconds(42), load(CallLane.ATTACH).oldest());
    }

    /** An end of a call, in the order of time. */
    private record End(Instant at, String id) {}

    /**
     * Attaches of 300 ms arrive every 50 ms for a minute, beside so many detaches of 30 s each that were there first.
     * All in made-up time.
     *
     * @return how long attaches took from being logged to their end, sorted
     */
    private List<Duration> attachesBeside(int detaches) {
        state = ClusterState.empty();
        now = START;
        for (int i = 0; i < detaches; i++) {
            log("d" + i, detach(i));
        }
        PriorityQueue<End> ends =
                new PriorityQueue<>(Comparator.comparing(End::at).thenComparing(End::id));
        Map<String, Instant> began = new HashMap<>();
        List<Duration> took = new ArrayList<>();
        int arrived = 0;
        while (took.size() < 1200) {
            if (arrived < 1200) {
                String id = "a" + arrived;
                log(id, attach(100_000 + arrived));
                began.put(id, now);
                arrived++;
            }
            for (OperationRow row : PluginLanes.of(state, now).toSend(row -> true)) {
                put(row.sent(1, REASON, now));
                Duration time = row.id().startsWith("a") ? Duration.ofMillis(300) : Duration.ofSeconds(30);
                ends.add(new End(now.plus(time), row.id()));
            }
            now = now.plusMillis(50);
            while (!ends.isEmpty() && !ends.peek().at().isAfter(now)) {
                End end = ends.remove();
                put(row(end.id()).done(new OperationOutcome.Unpublished(), now));
                Instant since = began.get(end.id());
                if (since != null) {
                    took.add(Duration.between(since, now));
                }
            }
        }
        took.sort(Comparator.naturalOrder());
        return took;
    }

    @Test
    void twoThousandSlowDetaches_moveTheP99OfAttachesByNoMoreThanTwice() {
        Duration alone = p99(attachesBeside(0));
        Duration beside = p99(attachesBeside(2000));
        assertTrue(
                beside.compareTo(alone.multipliedBy(2)) <= 0,
                "alone " + alone + ", beside 2,000 slow detaches " + beside);
        assertTrue(load(CallLane.DETACH).depth() > 1900, "they were still there");
    }

    private static Duration p99(List<Duration> sorted) {
        return sorted.get(sorted.size() * 99 / 100);
    }
}
