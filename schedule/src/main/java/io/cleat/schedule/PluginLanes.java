package io.cleat.schedule;

import io.cleat.model.CsiPluginSpec;
import io.cleat.model.LaneWidths;
import io.cleat.model.PluginType;
import io.cleat.state.CallLane;
import io.cleat.state.ClusterState;
import io.cleat.state.OperationRow;
import io.cleat.state.OperationState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The controller calls of one image by plugin and lane: what waits, what is under way, and what is to be sent next.
 * Counted, never stored.
 */
public final class PluginLanes {
    private final Map<String, Map<CallLane, Lane>> plugins = new TreeMap<>();
    private final Map<String, LaneWidths> widths = new TreeMap<>();
    private final ClusterState state;
    private final Instant now;

    private PluginLanes(ClusterState state, Instant now) {
        this.state = state;
        this.now = now;
    }

    /** One lane of one plugin while it is filled. */
    private static final class Lane {
        /** Those that may be sent now, in the order in which their turn came. */
        final List<OperationRow> due = new ArrayList<>();

        int sent;
        int waiting;

        @Nullable
        Instant oldest;

        @Nullable
        Instant next;
    }

    /**
     * How a lane is.
     *
     * @param width how many calls are made at once
     * @param depth how many calls are not settled: those that wait, and those in flight
     * @param inFlight how many of them are being made
     * @param oldest for how long the oldest of them has been in its state; zero if there is none
     */
    public record Load(CallLane lane, int width, int depth, int inFlight, Duration oldest) {}

    public static PluginLanes of(ClusterState state, Instant now) {
        PluginLanes lanes = new PluginLanes(state, now);
        state.operations().in(OperationState.SENT).forEach(row -> lanes.count(row).sent++);
        for (OperationState waiting : List.of(OperationState.LOGGED, OperationState.UNKNOWN)) {
            state.operations().in(waiting).forEach(lanes::wait);
        }
        lanes.plugins.values().forEach(plugin -> plugin.values().forEach(lane -> lane.due.sort(BY_TURN)));
        return lanes;
    }

    /** First come, first served: a call that is tried again stands behind those that came since. */
    private static final Comparator<OperationRow> BY_TURN = Comparator.comparing(PluginLanes::turn)
            .thenComparingLong(OperationRow::createVersion)
            .thenComparing(OperationRow::id);

    private static Instant turn(OperationRow row) {
        return Objects.requireNonNullElse(row.nextTry(), row.since());
    }

    private Lane count(OperationRow row) {
        Lane lane = plugins.computeIfAbsent(row.pluginId(), id -> new EnumMap<>(CallLane.class))
                .computeIfAbsent(CallLane.of(row.call()), id -> new Lane());
        if (lane.oldest == null || row.since().isBefore(lane.oldest)) {
            lane.oldest = row.since();
        }
        return lane;
    }

    private void wait(OperationRow row) {
        Lane lane = count(row);
        lane.waiting++;
        Instant next = row.nextTry();
        if (next == null || !next.isAfter(now)) {
            lane.due.add(row);
        } else if (lane.next == null || next.isBefore(lane.next)) {
            lane.next = next;
        }
    }

    /**
     * What is to be sent now: of each lane as many as it has room for, the lanes taking turns.
     *
     * @param canBeSent whether there is an instance to send it to; what cannot be sent takes no room
     */
    public List<OperationRow> toSend(Predicate<OperationRow> canBeSent) {
        List<List<OperationRow>> chosen = new ArrayList<>();
        plugins.forEach(
                (plugin, lanes) -> lanes.forEach((id, lane) -> chosen.add(toSend(plugin, id, lane, canBeSent))));
        List<OperationRow> inTurns = new ArrayList<>();
        int longest = chosen.stream().mapToInt(List::size).max().orElse(0);
        for (int turn = 0; turn < longest; turn++) {
            for (List<OperationRow> lane : chosen) {
                if (turn < lane.size()) {
                    inTurns.add(lane.get(turn));
                }
            }
        }
        return inTurns;
    }

    private List<OperationRow> toSend(String plugin, CallLane id, Lane lane, Predicate<OperationRow> canBeSent) {
        int room = id.width(widths(plugin)) - lane.sent;
        return lane.due.stream().filter(canBeSent).limit(Math.max(0, room)).toList();
    }

    /** What the jobs that run the plugin's controller say; the narrower where several do. */
    private LaneWidths widths(String pluginId) {
        return widths.computeIfAbsent(
                pluginId,
                id -> state.jobsWithPlugin(id).stream()
                        .flatMap(job -> job.spec().groups().stream())
                        .flatMap(group -> group.tasks().stream())
                        .filter(task -> runsController(task.csiPlugin(), id))
                        .map(task -> LaneWidths.of(task.meta()))
                        .reduce(LaneWidths::narrower)
                        .orElse(LaneWidths.STANDARD));
    }

    private static boolean runsController(@Nullable CsiPluginSpec plugin, String id) {
        return plugin != null && plugin.id().equals(id) && plugin.type() != PluginType.NODE;
    }

    /** Whether some call's turn has come, though it may not be sendable or have no room. */
    public boolean hasDue() {
        return plugins.values().stream()
                .flatMap(plugin -> plugin.values().stream())
                .anyMatch(lane -> !lane.due.isEmpty());
    }

    /**
     * How long it is until the next call's turn comes.
     *
     * @param most the answer if none is to come sooner
     */
    public Duration untilNext(Duration most) {
        return plugins.values().stream()
                .flatMap(plugin -> plugin.values().stream())
                .map(lane -> lane.next)
                .filter(Objects::nonNull)
                .map(next -> Duration.between(now, next))
                .filter(left -> left.compareTo(most) < 0)
                .min(Comparator.naturalOrder())
                .orElse(most);
    }

    /** Every lane of a plugin, in their order, the empty ones too. */
    public List<Load> loads(String pluginId) {
        Map<CallLane, Lane> plugin = plugins.getOrDefault(pluginId, Map.of());
        List<Load> loads = new ArrayList<>();
        for (CallLane id : CallLane.values()) {
            Lane lane = plugin.getOrDefault(id, new Lane());
            Instant oldest = lane.oldest;
            loads.add(new Load(
                    id,
                    id.width(widths(pluginId)),
                    lane.waiting + lane.sent,
                    lane.sent,
                    oldest == null || oldest.isAfter(now) ? Duration.ZERO : Duration.between(oldest, now)));
        }
        return loads;
    }
}
