package io.cleat.schedule;

import io.cleat.model.BlockedBy;
import io.cleat.model.GroupNetwork;
import io.cleat.model.JobSpec;
import io.cleat.model.Resources;
import io.cleat.model.TaskGroup;
import io.cleat.model.VolumeId;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClaimRow;
import io.cleat.state.Claimable;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.Fit;
import io.cleat.state.InDeployment;
import io.cleat.state.PlacementMetric;
import io.cleat.state.PlannedCounts;
import io.cleat.state.VolumeLabel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A plan in the making. Used by one thread, for one plan. */
final class PlanDraft {
    private static final int GROUPS_NAMED = 3;

    private final ClusterState state;
    private final EvaluationRow evaluation;
    private final Instant now;
    private final Proposed proposed;
    private final List<Plan.Placement> placements = new ArrayList<>();
    private final List<Plan.Stop> stops = new ArrayList<>();
    private final List<Plan.Update> updates = new ArrayList<>();
    private final Map<String, PlacementMetric> failed = new TreeMap<>();
    private final Map<String, Integer> queued = new TreeMap<>();
    private final Set<VolumeId> blockedOn = new TreeSet<>();
    private final Map<VolumeId, Fit.Unusable> unusable = new TreeMap<>();
    private final Map<String, PlacementMetric> fitsNowhere = new TreeMap<>();
    private final List<String> followUps = new ArrayList<>();
    private final Map<String, CountsDraft> counts = new TreeMap<>();
    private int left;
    private boolean isCut;
    private boolean blockedOnAny;
    private @Nullable Instant followUpAt;
    private @Nullable Instant rollAt;
    private @Nullable Rollout rollout;
    private @Nullable String portHolder;

    /** @param most how many rows the plan may change, about; what is wanted beyond is left for the next */
    PlanDraft(ClusterState state, EvaluationRow evaluation, Optional<JobSpec> job, Instant now, int most) {
        this.left = most;
        this.state = state;
        this.evaluation = evaluation;
        this.now = now;
        this.proposed = new Proposed(state, evaluation.job());
        job.ifPresent(spec -> spec.groups().forEach(group -> queued.put(group.name(), 0)));
    }

    Proposed proposed() {
        return proposed;
    }

    CountsDraft counts(String group) {
        return counts.computeIfAbsent(group, g -> new CountsDraft());
    }

    /** How many rows the plan may still change. */
    int left() {
        return left;
    }

    /** More is wanted than the plan may change: so many of the group are left to be placed. */
    void cut(String group, int unplaced) {
        isCut = true;
        if (unplaced > 0) {
            queued.merge(group, unplaced, Integer::sum);
        }
    }

    /** Whether one more row may be changed, which is then taken as done. */
    private boolean take(String group) {
        if (left <= 0) {
            cut(group, 0);
            return false;
        }
        left--;
        return true;
    }

    void stop(AllocationRow allocation, String why, boolean lost) {
        if (!take(allocation.group())) {
            return;
        }
        stops.add(new Plan.Stop(allocation.id(), why, lost));
        proposed.stop(allocation.id());
        counts(allocation.group()).stop++;
    }

    /**
     * As {@link #stop}, for an allocation that is replaced rather than given up: it counts with what is placed, or
     * failed to be, in its place.
     */
    void replace(AllocationRow allocation, String why, boolean lost) {
        stops.add(new Plan.Stop(allocation.id(), why, lost));
        proposed.stop(allocation.id());
    }

    /** Takes the last {@link #replace} back: the allocation goes on as it is. */
    void keep(AllocationRow allocation) {
        stops.removeLast();
        proposed.keep(allocation.id());
    }

    void update(AllocationRow allocation, @Nullable InDeployment deployment) {
        if (!take(allocation.group())) {
            return;
        }
        updates.add(new Plan.Update(allocation.id(), deployment));
        counts(allocation.group()).inPlaceUpdate++;
    }

    void place(
            String allocId,
            String name,
            int index,
            TaskGroup group,
            String nodeId,
            String previous,
            boolean rescheduled,
            Duration waited,
            @Nullable Long olderVersion,
            @Nullable InDeployment deployment,
            PlacementMetric metric) {
        left -= previous.isEmpty() ? 1 : 2;
        placements.add(new Plan.Placement(
                allocId,
                name,
                index,
                group.name(),
                nodeId,
                previous,
                rescheduled,
                waited,
                olderVersion,
                deployment,
                metric));
        Resources wanted = state.node(nodeId)
                .map(node -> Cores.wanted(node.facts(), group))
                .orElse(Resources.NONE);
        proposed.place(nodeId, group.name(), wanted, group.disk().sizeMb());
        GroupNetwork network = group.network();
        if (network != null) {
            state.node(nodeId).ifPresent(node -> proposed.placePorts(node, name, allocId, network));
        }
    }

    /** What was to take the place of a replaced allocation found none: the stop alone counts. */
    void replacedInVain() {
        left--;
    }

    /** One allocation of the group found no place. */
    void fail(String group, Placer.Found found) {
        failed.merge(group, found.metric(), (first, again) -> first.andAnother());
        queued.merge(group, 1, Integer::sum);
        blockedOn.addAll(found.volumes());
        unusable.putAll(found.unusable());
        blockedOnAny |= found.others();
        portHolder = portHolder == null ? found.portHolder() : portHolder;
    }

    /** No node meets the rules of a system job's group, which waits for nothing then. */
    void fitsNowhere(String group, PlacementMetric metric) {
        fitsNowhere.put(group, metric);
    }

    /** Further allocations of the group find none for the same reasons. */
    void failAlike(String group, int more) {
        failed.computeIfPresent(group, (name, metric) -> metric.andOthers(more));
        queued.merge(group, more, Integer::sum);
    }

    /** A failed allocation is to be rescheduled, but not yet. */
    void later(AllocationRow allocation, Instant at) {
        boolean isSeenTo = !allocation.lineage().followupEval().equals(evaluation.id())
                && state.evaluations()
                        .get(allocation.lineage().followupEval())
                        .map(row -> row.status() == EvaluationStatus.PENDING)
                        .orElse(false);
        if (isSeenTo || !take(allocation.group())) {
            return;
        }
        followUps.add(allocation.id());
        followUpAt = followUpAt == null || at.isBefore(followUpAt) ? at : followUpAt;
    }

    /** More of a system job's allocations are to be replaced, but not yet. */
    void roll(Instant at) {
        rollAt = at;
    }

    void rollout(Rollout planned) {
        rollout = planned;
    }

    Plan plan() {
        Map<String, PlannedCounts> done = new TreeMap<>();
        counts.forEach((group, count) -> done.put(group, count.done()));
        placements.sort(Comparator.comparing(Plan.Placement::group).thenComparingInt(Plan.Placement::index));
        return new Plan(
                evaluation.id(),
                state.version(),
                placements,
                stops,
                updates,
                failed,
                queued,
                blockedOn.stream().limit(EvaluationRow.VOLUMES_NAMED).toList(),
                blockedOnAny,
                failed.isEmpty() ? null : blockedBy(),
                note(),
                followUpAt == null ? null : new Plan.FollowUp(followUpAt, followUps),
                rollAt,
                rollout == null ? null : rollout.id(),
                rollout == null ? Map.of() : rollout.groups(),
                done,
                isCut);
    }

    private String note() {
        return fitsNowhere.entrySet().stream()
                .map(each -> "no node takes group "
                        + each.getKey()
                        + " ("
                        + mostFrequent(each.getValue()).orElse("none meets its rules")
                        + ")")
                .limit(GROUPS_NAMED)
                .collect(Collectors.joining("; "));
    }

    private BlockedBy blockedBy() {
        for (VolumeId id : blockedOn) {
            Optional<BlockedBy> away = KeptVolume.blockedBy(state, id, evaluation.job(), proposed::isStopped, now);
            if (away.isPresent()) {
                return away.get();
            }
            Optional<Claimable> volume = Claimable.find(state, id);
            if (volume.isEmpty()) {
                return new BlockedBy(
                        "place",
                        "volume "
                                + VolumeLabel.of(state, id)
                                + " in namespace "
                                + id.namespace()
                                + ", which is not registered",
                        now,
                        null,
                        "it is placed by itself once the volume is registered");
            }
            Fit.Unusable never = unusable.get(id);
            if (never != null) {
                return new BlockedBy(
                        "place",
                        "volume " + VolumeLabel.of(state, id) + ", which it cannot use: " + never.why(),
                        now,
                        null,
                        never.hint());
            }
            Optional<ClaimRow> holder = state.claims().of(volume.get().key()).stream()
                    .filter(ClaimRow::holds)
                    .findFirst();
            if (holder.isPresent()) {
                return HeldVolume.blockedBy(state, id, holder.get(), evaluation.job(), "it is placed", now);
            }
        }
        String first = mostFrequent(failed.values().iterator().next())
                .orElse("none is ready in the job's pool and data centres");
        if (portHolder != null && first.startsWith("no room: network:")) {
            return new BlockedBy(
                    "place", portHolder, now, null, "it is placed by itself once a node has that port free");
        }
        return new BlockedBy(
                "place",
                "a node that can take it (" + first + ")",
                now,
                null,
                "it is tried again whenever a node, a plugin or room appears");
    }

    /** Why most nodes were left out. */
    private static Optional<String> mostFrequent(PlacementMetric metric) {
        Map<String, Integer> reasons = new TreeMap<>(metric.constraintFiltered());
        metric.dimensionExhausted().forEach((dimension, count) -> reasons.put("no room: " + dimension, count));
        return reasons.entrySet().stream()
                .min(Comparator.comparingInt((Map.Entry<String, Integer> each) -> -each.getValue())
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey);
    }

    /** Counts what happens to one group. */
    static final class CountsDraft {
        int place;
        int stop;
        int ignore;
        int inPlaceUpdate;
        int destructiveUpdate;
        int migrate;
        int reschedule;
        int canary;

        PlannedCounts done() {
            return new PlannedCounts(
                    place, stop, ignore, inPlaceUpdate, destructiveUpdate, migrate, reschedule, canary);
        }
    }
}
