package io.cleat.schedule;

import io.cleat.base.Ids;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.ReschedulePolicy;
import io.cleat.model.TaskGroup;
import io.cleat.model.UpdatePolicy;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A group of a service or batch job: {@code count} allocations, named by their index.
 *
 * <p>Of several allocations with one index the newest counts; the others are its predecessors. Where the group changes
 * step by step, no more are replaced at once than its policy says, each step waiting for the health of the one before;
 * and where canaries are to be tried first, nothing is replaced until they are promoted: they run beside the
 * allocations of their index. What fails or is lost while the newest version is not to be spread is replaced by the
 * version that it ran by.
 */
final class CountedGroup {
    private static final String NOT_NEEDED = "alloc not needed due to job update";
    private static final String LOST = "alloc is lost since its node is down";
    static final String RESCHEDULED = "alloc was rescheduled because it failed";

    private final ClusterState state;
    private final JobRow job;
    private final TaskGroup group;
    private final Placer placer;
    private final PlanDraft draft;
    private final Rollout rollout;
    private final VersionChange.Changes versionChanges;
    private final Ids ids;
    private final Instant now;

    CountedGroup(
            ClusterState state,
            JobRow job,
            TaskGroup group,
            Placer placer,
            PlanDraft draft,
            Rollout rollout,
            Ids ids,
            Instant now) {
        this.state = state;
        this.job = job;
        this.group = group;
        this.placer = placer;
        this.draft = draft;
        this.rollout = rollout;
        this.versionChanges = new VersionChange.Changes(state, job, group);
        this.ids = ids;
        this.now = now;
    }

    void reconcile(List<AllocationRow> there) {
        Optional<UpdatePolicy> policy = rollout.policy(group);
        Map<Integer, AllocationRow> canaries = newestOf(there, true);
        NavigableMap<Integer, AllocationRow> newest = newestOf(there, false);
        newest.tailMap(group.count()).values().forEach(this::stop);
        newest.tailMap(group.count()).clear();
        List<PlacementRequest> missing = new ArrayList<>();
        List<AllocationRow> others = new ArrayList<>();
        List<AllocationRow> old = new ArrayList<>();
        boolean changes = false;
        for (int index = 0; index < group.count(); index++) {
            AllocationRow current = newest.get(index);
            if (current == null) {
                missing.add(PlacementRequest.fresh(index));
            } else if (isOld(current, VersionChange.DESTRUCTIVE)) {
                old.add(current);
            } else {
                changes |= isOld(current, VersionChange.IN_PLACE);
                others.add(current);
            }
        }
        boolean firstCanaries = policy.isPresent()
                && policy.get().canary() > 0
                && (rollout.isTrying(group) || (!old.isEmpty() && !rollout.isPromoted(group)));
        boolean keepsVersion = policy.isPresent() && (firstCanaries || rollout.isHalted());
        List<PlacementRequest> requests = new ArrayList<>();
        for (AllocationRow current : others) {
            Optional<PlacementRequest> request = requestFor(current, keepsVersion);
            changes |= request.isPresent() && !isNewest(current);
            request.map(made -> keepsVersion ? made.byTheVersionOf(state, current) : made)
                    .ifPresent(requests::add);
        }
        boolean isChanging = changes || !missing.isEmpty() || !old.isEmpty();
        if (policy.isPresent() && isChanging) {
            rollout.change(group, policy.get(), firstCanaries ? policy.get().canary() : 0, group.count());
        }
        newest.values().stream()
                .filter(row -> isOld(row, VersionChange.IN_PLACE))
                .forEach(row -> draft.update(row, rollout.part(group, false)));
        boolean mayFill = policy.isEmpty() || !(rollout.isHalted() || firstCanaries);
        if (mayFill) {
            missing.forEach(request -> draft.counts(group.name()).place++);
            requests.addAll(missing);
        }
        if (firstCanaries && !rollout.isHalted()) {
            requests.addAll(canaryWishes(policy.get(), canaries, old));
        }
        int room = policy.isEmpty()
                ? Integer.MAX_VALUE
                : firstCanaries ? 0 : rollout.room(group, policy.get(), there) - missing.size();
        for (AllocationRow each : old) {
            if (room > 0) {
                room--;
                draft.counts(group.name()).destructiveUpdate++;
                requests.add(PlacementRequest.insteadOf(
                        each, new PlacementRequest.Ending(Proposed.UPDATED, false), false, Duration.ZERO));
            } else {
                draft.counts(group.name()).ignore++;
            }
        }
        place(requests);
    }

    /**
     * Places as many as the plan may still change. What these replace makes room before the first of them is looked
     * for.
     */
    private void place(List<PlacementRequest> requests) {
        int first = Math.clamp(draft.left() / 2, 0, requests.size());
        requests.subList(0, first).forEach(this::end);
        boolean isFull = false;
        boolean areAlike = group.volumes().values().stream().noneMatch(each -> each.perAlloc() || each.isSticky());
        for (int i = 0; i < requests.size(); i++) {
            if (draft.left() <= 0) {
                draft.cut(group.name(), requests.size() - i);
                return;
            }
            PlacementRequest request = requests.get(i);
            if (i >= first) {
                end(request);
            }
            // One that is like the one before it, for which nothing has become free, fails like it.
            if (isFull && request.isLikeAnyOther()) {
                draft.failAlike(group.name(), 1);
            } else {
                isFull = !place(request) && request.isLikeAnyOther() && areAlike;
            }
        }
    }

    private void end(PlacementRequest request) {
        request.ending()
                .ifPresent(ending -> draft.replace(request.previous().orElseThrow(), ending.why(), ending.lost()));
    }

    /**
     * The newest of each index; older ones that still run are stopped.
     *
     * @param canaries of those that nobody has promoted, or of the others
     */
    private NavigableMap<Integer, AllocationRow> newestOf(List<AllocationRow> there, boolean canaries) {
        TreeMap<Integer, AllocationRow> newest = new TreeMap<>();
        there.stream()
                .filter(row -> state.deployments().isUnpromoted(row) == canaries)
                .sorted(Comparator.comparingLong(AllocationRow::createVersion).thenComparing(AllocationRow::id))
                .forEach(row -> {
                    if (canaries && !rollout.isCurrent(row)) {
                        stop(row);
                        return;
                    }
                    AllocationRow older = newest.put(row.identity().index(), row);
                    if (older != null) {
                        stop(older);
                    }
                });
        return newest;
    }

    private void stop(AllocationRow allocation) {
        if (!allocation.isTerminal()) {
            draft.stop(allocation, NOT_NEEDED, Reach.isLost(state, allocation));
        }
    }

    /**
     * Canaries take the indexes of what they are to replace, and further ones beyond the count.
     *
     * @param old what they are to replace once they are promoted
     */
    private List<PlacementRequest> canaryWishes(
            UpdatePolicy policy, Map<Integer, AllocationRow> canaries, List<AllocationRow> old) {
        List<PlacementRequest> requests = new ArrayList<>();
        int there = 0;
        for (AllocationRow canary : canaries.values()) {
            there++;
            requestFor(canary, false).map(PlacementRequest::asCanary).ifPresent(requests::add);
        }
        Iterator<AllocationRow> replaced = old.iterator();
        for (int beyond = group.count(); there < policy.canary(); there++) {
            int index = -1;
            while (index < 0 && replaced.hasNext()) {
                int candidate = replaced.next().identity().index();
                index = canaries.containsKey(candidate) ? -1 : candidate;
            }
            while (index < 0) {
                index = canaries.containsKey(beyond) ? -1 : beyond;
                beyond++;
            }
            draft.counts(group.name()).canary++;
            requests.add(PlacementRequest.fresh(index).asCanary());
        }
        return requests;
    }

    /** Whether it runs, can be reached, and runs by an older version that differs so much. */
    private boolean isOld(AllocationRow current, VersionChange change) {
        return !current.isTerminal() && !Reach.isLost(state, current) && versionChanges.of(current) == change;
    }

    /** @param keepsVersion whether one that runs by an older version is replaced by its like */
    private Optional<PlacementRequest> requestFor(AllocationRow current, boolean keepsVersion) {
        if (!current.isTerminal()) {
            if (Reach.isLost(state, current)) {
                draft.counts(group.name()).migrate++;
                return Optional.of(PlacementRequest.insteadOf(
                        current, new PlacementRequest.Ending(LOST, true), true, Duration.ZERO));
            }
            if (!isOld(current, VersionChange.IN_PLACE)) {
                draft.counts(group.name()).ignore++;
            }
            return Optional.empty();
        }
        if (current.desired() == DesiredStatus.STOP) {
            draft.counts(group.name()).place++;
            return Optional.of(PlacementRequest.after(current));
        }
        if (isDone(current)) {
            draft.counts(group.name()).ignore++;
            return Optional.empty();
        }
        if (current.status() == ClientStatus.FAILED && (keepsVersion || isNewest(current))) {
            return reschedule(current);
        }
        draft.counts(group.name()).place++;
        return Optional.of(PlacementRequest.after(current));
    }

    /** A batch allocation that ended well under the newest version is what was wanted. */
    private boolean isDone(AllocationRow current) {
        return job.spec().type() == JobType.BATCH && current.status() == ClientStatus.COMPLETE && isNewest(current);
    }

    private boolean isNewest(AllocationRow current) {
        return current.jobVersion().equals(job.current());
    }

    private Optional<PlacementRequest> reschedule(AllocationRow failed) {
        ReschedulePolicy policy = group.reschedule();
        Optional<Instant> at = policy == null ? Optional.empty() : Rescheduling.next(policy, failed);
        if (at.isEmpty()) {
            draft.counts(group.name()).ignore++;
            return Optional.empty();
        }
        if (at.get().isAfter(now)) {
            draft.later(failed, at.get());
            draft.counts(group.name()).ignore++;
            return Optional.empty();
        }
        draft.counts(group.name()).reschedule++;
        return Optional.of(PlacementRequest.insteadOf(
                failed,
                new PlacementRequest.Ending(RESCHEDULED, false),
                true,
                Duration.between(Rescheduling.failedAt(failed), now)));
    }

    /** Whether it found a place. */
    private boolean place(PlacementRequest request) {
        String name = job.id().id() + "." + group.name() + "[" + request.index() + "]";
        String avoided = request.rescheduled()
                ? request.previous().map(AllocationRow::nodeId).orElse("")
                : "";
        Optional<JobVersionRow> older = request.olderVersion()
                .filter(jobVersion -> !jobVersion.id().equals(job.current()))
                .filter(jobVersion -> jobVersion.spec().group(group.name()).isPresent());
        TaskGroup placed = older.flatMap(jobVersion -> jobVersion.spec().group(group.name()))
                .orElse(group);
        Placer by = older.map(jobVersion -> new Placer(state, jobVersion.spec(), draft.proposed()))
                .orElse(placer);
        Placer.Found found = by.place(placed, new Placer.Called(name, request.canary()), avoided);
        if (found.node().isEmpty()) {
            draft.fail(group.name(), found);
            request.ending().ifPresent(ending -> draft.replacedInVain());
            return false;
        }
        draft.place(
                ids.next(),
                name,
                request.index(),
                placed,
                found.node().get().id(),
                request.previous().map(AllocationRow::id).orElse(""),
                request.rescheduled(),
                request.waited(),
                older.map(JobVersionRow::createVersion).orElse(null),
                older.isPresent() ? null : rollout.part(group, request.canary()),
                found.metric());
        return true;
    }
}
