package io.cleat.schedule;

import io.cleat.base.Ids;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.JobType;
import io.cleat.model.ReschedulePolicy;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.JobRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A group of a service or batch job: {@code count} allocations, named by their index.
 *
 * <p>Of several allocations with one index the newest counts; the others are its predecessors.
 */
final class CountedGroup {
    private final ClusterState state;
    private final JobRow job;
    private final TaskGroup group;
    private final Placer placer;
    private final PlanDraft draft;
    private final Ids ids;
    private final Instant now;

    CountedGroup(
            ClusterState state,
            JobRow job,
            TaskGroup group,
            Placer placer,
            PlanDraft draft,
            Ids ids,
            Instant now) {
        this.state = state;
        this.job = job;
        this.group = group;
        this.placer = placer;
        this.draft = draft;
        this.ids = ids;
        this.now = now;
    }

    /** One allocation that is to be made. */
    private record Wish(
            int index, Optional<AllocationRow> previous, boolean rescheduled, Duration waited) {}

    void reconcile(List<AllocationRow> there) {
        TreeMap<Integer, AllocationRow> newest = new TreeMap<>();
        there.stream()
                .sorted(
                        Comparator.comparingLong(AllocationRow::createVersion)
                                .thenComparing(AllocationRow::id))
                .forEach(
                        allocation -> {
                            AllocationRow older = newest.put(allocation.index(), allocation);
                            if (older != null && !older.isTerminal()) {
                                draft.stop(
                                        older,
                                        "alloc not needed due to job update",
                                        Reach.isLost(state, older));
                            }
                        });
        newest.tailMap(group.count())
                .values()
                .forEach(
                        extra -> {
                            if (!extra.isTerminal()) {
                                draft.stop(
                                        extra,
                                        "alloc not needed due to job update",
                                        Reach.isLost(state, extra));
                            }
                        });
        List<Wish> wishes = new ArrayList<>();
        for (int index = 0; index < group.count(); index++) {
            AllocationRow current = newest.get(index);
            if (current == null) {
                wishes.add(new Wish(index, Optional.empty(), false, Duration.ZERO));
                draft.counts(group.name()).place++;
            } else {
                wishFor(current).ifPresent(wishes::add);
            }
        }
        wishes.forEach(this::place);
    }

    private Optional<Wish> wishFor(AllocationRow current) {
        int index = current.index();
        if (!current.isTerminal() && Reach.isLost(state, current)) {
            draft.replace(current, "alloc is lost since its node is down", true);
            draft.counts(group.name()).migrate++;
            return Optional.of(new Wish(index, Optional.of(current), true, Duration.ZERO));
        }
        if (current.desired() == DesiredStatus.STOP) {
            draft.counts(group.name()).place++;
            return Optional.of(new Wish(index, Optional.of(current), false, Duration.ZERO));
        }
        if (isDone(current)) {
            draft.counts(group.name()).ignore++;
            return Optional.empty();
        }
        if (current.status() == ClientStatus.FAILED && isNewest(current)) {
            return reschedule(current);
        }
        if (current.status().isTerminal()) {
            draft.counts(group.name()).place++;
            return Optional.of(new Wish(index, Optional.of(current), false, Duration.ZERO));
        }
        return switch (TextChange.of(state, job, group, current)) {
            case NONE -> {
                draft.counts(group.name()).ignore++;
                yield Optional.empty();
            }
            case IN_PLACE -> {
                draft.update(current);
                yield Optional.empty();
            }
            case DESTRUCTIVE -> {
                draft.replace(current, "alloc is being updated due to job update", false);
                draft.counts(group.name()).destructiveUpdate++;
                yield Optional.of(new Wish(index, Optional.of(current), false, Duration.ZERO));
            }
        };
    }

    /** A batch allocation that ended well under the newest text is what was wanted. */
    private boolean isDone(AllocationRow current) {
        return job.spec().type() == JobType.BATCH
                && current.status() == ClientStatus.COMPLETE
                && isNewest(current);
    }

    private boolean isNewest(AllocationRow current) {
        return current.jobVersion().equals(job.current());
    }

    private Optional<Wish> reschedule(AllocationRow failed) {
        ReschedulePolicy policy = group.reschedule();
        Optional<Instant> at =
                policy == null ? Optional.empty() : Rescheduling.next(policy, failed);
        if (at.isEmpty()) {
            draft.counts(group.name()).ignore++;
            return Optional.empty();
        }
        if (at.get().isAfter(now)) {
            draft.later(failed, at.get());
            draft.counts(group.name()).ignore++;
            return Optional.empty();
        }
        draft.replace(failed, "alloc was rescheduled because it failed", false);
        draft.counts(group.name()).reschedule++;
        return Optional.of(
                new Wish(
                        failed.index(),
                        Optional.of(failed),
                        true,
                        Duration.between(Rescheduling.failedAt(failed), now)));
    }

    private void place(Wish wish) {
        String name = job.id().id() + "." + group.name() + "[" + wish.index() + "]";
        String avoided =
                wish.rescheduled() ? wish.previous().map(AllocationRow::nodeId).orElse("") : "";
        Placer.Found found = placer.place(group, name, avoided);
        if (found.node().isEmpty()) {
            draft.fail(group.name(), found);
            return;
        }
        draft.place(
                ids.next(),
                name,
                wish.index(),
                group,
                found.node().get().id(),
                wish.previous().map(AllocationRow::id).orElse(""),
                wish.rescheduled(),
                wish.waited(),
                found.metric());
    }
}
