package io.cleat.schedule;

import io.cleat.base.Ordered;
import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
import io.cleat.state.DeploymentRow;
import io.cleat.state.InDeployment;
import io.cleat.state.PlacementMetric;
import io.cleat.state.PlannedCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an evaluation should change.
 *
 * @param snapshotVersion of the image it was made from
 * @param placements new allocations, in the order of their names
 * @param stops allocations that are not wanted any more
 * @param updates allocations that go on under the job's newest version
 * @param failed why groups found no place, by group
 * @param queued how many allocations of each group are still to be placed
 * @param blockedOn the volumes that are waited for
 * @param blockedOnAny whether anything that gets free may help
 * @param blockedBy what is waited for, in words; absent if all found a place
 * @param note which groups of a system job no node takes, and why, in words; empty for none
 * @param followUp when failed allocations are to be rescheduled, with those they are; absent if none wait
 * @param rollAt when the next of a system job's allocations are to be replaced; absent if none wait
 * @param deploymentId the deployment that goes on, or is made; null for none
 * @param deploymentGroups the groups of the deployment that is made, or those of one that goes on whose size changes
 * @param counts what happens to each group, for those who ask before
 * @param isPart whether more is wanted than is in it: the evaluation stays due
 */
public record Plan(
        String evalId,
        long snapshotVersion,
        List<Placement> placements,
        List<Stop> stops,
        List<Update> updates,
        Map<String, PlacementMetric> failed,
        Map<String, Integer> queued,
        List<VolumeId> blockedOn,
        boolean blockedOnAny,
        @Nullable BlockedBy blockedBy,
        String note,
        @Nullable FollowUp followUp,
        @Nullable Instant rollAt,
        @Nullable String deploymentId,
        Map<String, DeploymentRow.Group> deploymentGroups,
        Map<String, PlannedCounts> counts,
        boolean isPart) {
    public Plan {
        placements = List.copyOf(placements);
        stops = List.copyOf(stops);
        updates = List.copyOf(updates);
        failed = Ordered.copyOf(failed);
        queued = Ordered.copyOf(queued);
        blockedOn = List.copyOf(blockedOn);
        deploymentGroups = Ordered.copyOf(deploymentGroups);
        counts = Ordered.copyOf(counts);
    }

    /** Whether all that the evaluation wanted is in the plan. */
    public boolean isComplete() {
        return failed.isEmpty() && !isPart;
    }

    /** How many rows it makes or changes, about. */
    public int steps() {
        return stops.size() + updates.size() + placements.size() + waiting().size();
    }

    /**
     * The first of it, in the order in which they are wanted: what is stopped for good, what goes on under another
     * version, what is placed together with what it replaces, what is placed besides, what is to be placed later.
     *
     * @param most steps; at least 1
     */
    public Plan first(int most) {
        Set<String> replaced = placements.stream().map(Placement::previous).collect(Collectors.toSet());
        List<Stop> forGood = stops.stream()
                .filter(stop -> !replaced.contains(stop.allocId()))
                .toList();
        int left = most;
        List<Stop> stopped = new ArrayList<>(head(forGood, left));
        left -= stopped.size();
        List<Update> updated = head(updates, left);
        left -= updated.size();
        List<Placement> placed = new ArrayList<>();
        Map<String, Stop> byId = stops.stream().collect(Collectors.toMap(Stop::allocId, stop -> stop, (a, b) -> a));
        List<Placement> pairsFirst = new ArrayList<>(placements);
        pairsFirst.sort(Comparator.comparing(each -> !byId.containsKey(each.previous())));
        for (Placement placement : pairsFirst) {
            Stop pair = byId.get(placement.previous());
            int takes = pair == null ? 1 : 2;
            if (left <= 0) {
                break;
            }
            left -= takes;
            placed.add(placement);
            if (pair != null) {
                stopped.add(pair);
            }
        }
        List<String> later = head(waiting(), Math.max(0, left));
        FollowUp due = followUp == null || later.isEmpty() ? null : new FollowUp(followUp.at(), later);
        return new Plan(
                evalId,
                snapshotVersion,
                placed,
                stopped,
                updated,
                failed,
                queued,
                blockedOn,
                blockedOnAny,
                blockedBy,
                note,
                due,
                null,
                deploymentId,
                deploymentGroups,
                counts,
                true);
    }

    private List<String> waiting() {
        return followUp == null ? List.of() : followUp.allocations();
    }

    private static <T> List<T> head(List<T> all, int most) {
        return all.subList(0, Math.clamp(most, 0, all.size()));
    }

    /**
     * A new allocation.
     *
     * @param name {@code job.group[index]}
     * @param previous the allocation it replaces; empty for none
     * @param rescheduled whether the previous one failed, or was lost
     * @param waited how long a failed predecessor was waited for
     * @param olderVersion the version that it runs by, where that is not the job's newest; null if it is
     * @param deployment its part in the plan's deployment; null for none
     */
    public record Placement(
            String allocId,
            String name,
            int index,
            String group,
            String nodeId,
            String previous,
            boolean rescheduled,
            Duration waited,
            @Nullable Long olderVersion,
            @Nullable InDeployment deployment,
            PlacementMetric metric) {}

    /**
     * An allocation that is not wanted any more.
     *
     * @param lost whether its node is gone: nothing more is heard of it
     */
    public record Stop(String allocId, String description, boolean lost) {}

    /**
     * An allocation that goes on under the job's newest version.
     *
     * @param deployment its part in the plan's deployment; null for none
     */
    public record Update(String allocId, @Nullable InDeployment deployment) {}

    /** Failed allocations that are to be rescheduled, not before {@code at}. */
    public record FollowUp(Instant at, List<String> allocations) {
        public FollowUp {
            allocations = List.copyOf(allocations);
        }
    }
}
