package io.cleat.schedule;

import io.cleat.base.Ids;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.ReschedulePolicy;
import io.cleat.model.TaskGroup;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.InDeployment;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionRow;
import io.cleat.state.NodeRow;
import io.cleat.state.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A group of a system or sysbatch job: one allocation on each node that meets its rules. A node that does not is no
 * failure; one that does and has no room is. That no node at all meets them is told. How a new version spreads over the
 * nodes is the matter of {@link SystemRollout}.
 */
final class SystemGroup {
    /** How failed plugins are rescheduled: system jobs have no policy of their own for that. */
    private static final ReschedulePolicy PLUGINS =
            new ReschedulePolicy(0, Duration.ZERO, Duration.ofSeconds(30), "exponential", Duration.ofMinutes(5), true);

    private final ClusterState state;
    private final EvaluationRow evaluation;
    private final JobRow job;
    private final TaskGroup group;
    private final Placer placer;
    private final PlanDraft draft;
    private final Rollout deployment;
    private final Ids ids;
    private final Instant now;

    /** Whether it runs, is placed, or fails to be, on some node. */
    private boolean isSomewhere;

    /** Whether some allocation that runs by an older version has to wait for its turn. */
    private boolean isLeftOld;

    SystemGroup(
            ClusterState state,
            EvaluationRow evaluation,
            JobRow job,
            TaskGroup group,
            Placer placer,
            PlanDraft draft,
            Rollout deployment,
            Ids ids,
            Instant now) {
        this.state = state;
        this.evaluation = evaluation;
        this.job = job;
        this.group = group;
        this.placer = placer;
        this.draft = draft;
        this.deployment = deployment;
        this.ids = ids;
        this.now = now;
    }

    void reconcile(List<AllocationRow> there) {
        Map<String, AllocationRow> newest = new TreeMap<>();
        for (AllocationRow allocation : there) {
            newest.merge(allocation.nodeId(), allocation, (a, b) -> a.createVersion() >= b.createVersion() ? a : b);
        }
        stopUnwanted(there, newest);
        if (group.count() == 0) {
            return;
        }
        SystemRollout rollout =
                new SystemRollout(state, evaluation, job, group, deployment, now, there, newest.values());
        for (NodeRow node : state.nodes()) {
            look(node, Optional.ofNullable(newest.get(node.id())), rollout);
        }
        rollout.end();
        if (isLeftOld) {
            rollout.rollAt().ifPresent(draft::roll);
        }
        if (!isSomewhere) {
            Placer.Found nowhere = placer.place(group, called(), "");
            if (nowhere.metric().nodesFiltered() > 0) {
                draft.fitsNowhere(group.name(), nowhere.metric());
            }
        }
    }

    private void stopUnwanted(List<AllocationRow> there, Map<String, AllocationRow> newest) {
        for (AllocationRow allocation : there) {
            boolean current = allocation.equals(newest.get(allocation.nodeId()));
            if (allocation.isTerminal()) {
                continue;
            }
            if (Reach.isLost(state, allocation)) {
                draft.stop(allocation, "alloc is lost since its node is down", true);
            } else if (!current || group.count() == 0) {
                draft.stop(allocation, "alloc not needed due to job update", false);
            }
        }
    }

    private void look(NodeRow node, Optional<AllocationRow> current, SystemRollout rollout) {
        if (current.isPresent() && isDone(current.get())) {
            isSomewhere = true;
            draft.counts(group.name()).ignore++;
        } else if (current.isEmpty() || isOver(current.get(), rollout)) {
            place(node, current, rollout);
        } else if (current.get().isTerminal()) {
            rollout.expectOne();
            replaceFailed(node, current.get(), rollout);
        } else if (!Reach.isLost(state, current.get())) {
            isSomewhere = true;
            bringUpToDate(node, current.get(), rollout);
        }
    }

    /** One that is to be run once, and ended well under the newest version, is what was wanted. */
    private boolean isDone(AllocationRow current) {
        return job.spec().type().ends()
                && current.status() == ClientStatus.COMPLETE
                && current.desired() == DesiredStatus.RUN
                && current.jobVersion().equals(job.current());
    }

    /**
     * An allocation that failed under the version that its node is to run stays so until somebody registers the job, or
     * has it evaluated, or the version or the node changes.
     */
    private boolean isOver(AllocationRow current, SystemRollout rollout) {
        boolean isAsked = evaluation.asked().triggeredBy() == Trigger.JOB_REGISTER
                && current.createVersion() < evaluation.createVersion();
        boolean isOfItsVersion = rollout.keepsVersion() || current.jobVersion().equals(job.current());
        return current.isTerminal()
                && !(current.status() == ClientStatus.FAILED
                        && current.desired() != DesiredStatus.STOP
                        && isOfItsVersion
                        && !isAsked);
    }

    /** All storage of a node goes with its plugin, so that a plugin's end is never the last. */
    private void replaceFailed(NodeRow node, AllocationRow failed, SystemRollout rollout) {
        boolean isPlugin = group.tasks().stream().anyMatch(task -> task.csiPlugin() != null);
        Optional<Instant> at = isPlugin ? Rescheduling.next(PLUGINS, failed) : Optional.empty();
        if (at.isEmpty()) {
            return;
        }
        isSomewhere = true;
        if (at.get().isAfter(now)) {
            draft.later(failed, at.get());
            draft.counts(group.name()).ignore++;
        } else if (draft.left() <= 0) {
            draft.cut(group.name(), 0);
        } else {
            Duration waited = Duration.between(Rescheduling.failedAt(failed), now);
            if (find(node, again(failed, rollout), Optional.of(waited)) == Answer.PLACED) {
                draft.replace(failed, CountedGroup.RESCHEDULED, false);
                draft.counts(group.name()).reschedule++;
            }
        }
    }

    private void bringUpToDate(NodeRow node, AllocationRow current, SystemRollout rollout) {
        switch (rollout.change(current)) {
            case NONE -> {
                rollout.expectOne();
                draft.counts(group.name()).ignore++;
            }
            case IN_PLACE -> {
                rollout.expectOne();
                draft.update(current, rollout.part(false));
            }
            case DESTRUCTIVE -> {
                // What runs on a node that takes nothing new goes on there as it is.
                if (!node.isSchedulable()) {
                    draft.counts(group.name()).ignore++;
                    return;
                }
                if (draft.left() <= 0 && rollout.mayReplace()) {
                    rollout.expectOne();
                    draft.cut(group.name(), 0);
                } else if (rollout.mayReplace()) {
                    replace(node, current, rollout);
                } else {
                    rollout.expectOne();
                    draft.counts(group.name()).ignore++;
                    isLeftOld = true;
                }
            }
        }
    }

    /**
     * The old allocation ends only for one that has its place, or where the newest version is not for its node. That
     * one is no canary: the old goes on there until the version is promoted.
     */
    private void replace(NodeRow node, AllocationRow current, SystemRollout rollout) {
        boolean isCanary = rollout.isTrying();
        draft.replace(current, Proposed.UPDATED, false);
        Wanted next = new Wanted(Optional.of(current), Optional.empty(), rollout.part(isCanary));
        Answer answer = find(node, next, Optional.empty());
        if (answer == Answer.PLACED) {
            rollout.expectOne();
            rollout.takeTurn();
            if (isCanary) {
                draft.counts(group.name()).canary++;
            } else {
                draft.counts(group.name()).destructiveUpdate++;
            }
        } else if (answer == Answer.NO_ROOM || isCanary) {
            rollout.expectOne();
            draft.keep(current);
        } else {
            rollout.takeTurn();
            draft.counts(group.name()).destructiveUpdate++;
            draft.replacedInVain();
        }
    }

    private void place(NodeRow node, Optional<AllocationRow> previous, SystemRollout rollout) {
        if (previous.isEmpty() && rollout.holdsNewNodes()) {
            isSomewhere = true;
        } else if (draft.left() <= 0) {
            isSomewhere = true;
            rollout.expectOne();
            draft.cut(group.name(), 0);
        } else {
            Wanted next = previous.map(row -> again(row, rollout)).orElseGet(() -> fresh(rollout));
            Answer answer = find(node, next, Optional.empty());
            if (answer == Answer.PLACED) {
                draft.counts(group.name()).place++;
            }
            if (answer == Answer.PLACED || (answer == Answer.NO_ROOM && previous.isPresent())) {
                rollout.expectOne();
            }
        }
    }

    /**
     * An allocation that is to be placed on a node.
     *
     * @param olderVersion what it runs by; empty for the newest version
     * @param part in the deployment of the newest version; null for none
     */
    private record Wanted(
            Optional<AllocationRow> previous,
            Optional<JobVersionRow> olderVersion,
            @Nullable InDeployment part) {}

    private static Wanted fresh(SystemRollout rollout) {
        Optional<JobVersionRow> older = rollout.olderVersion(Optional.empty());
        return new Wanted(Optional.empty(), older, older.isPresent() ? null : rollout.part(false));
    }

    private static Wanted again(AllocationRow previous, SystemRollout rollout) {
        Optional<AllocationRow> before = Optional.of(previous);
        Optional<JobVersionRow> older = rollout.olderVersion(before);
        return new Wanted(before, older, older.isPresent() ? null : rollout.part(rollout.isCanaryAgain(before)));
    }

    /** What came of the search on one node. */
    private enum Answer {
        PLACED,
        NO_ROOM,
        NOT_FOR_IT
    }

    /** @param waited how long after its end a failed one is rescheduled; empty for any other */
    private Answer find(NodeRow node, Wanted wanted, Optional<Duration> waited) {
        String name = name();
        TaskGroup placed = wanted.olderVersion()
                .flatMap(jobVersion -> jobVersion.spec().group(group.name()))
                .orElse(group);
        Placer by = wanted.olderVersion()
                .map(jobVersion -> new Placer(state, jobVersion.spec(), draft.proposed()))
                .orElse(placer);
        Placer.Found found = by.among(List.of(node), placed, called(), "");
        if (found.node().isPresent()) {
            isSomewhere = true;
            draft.place(
                    ids.next(),
                    name,
                    0,
                    placed,
                    node.id(),
                    wanted.previous().map(AllocationRow::id).orElse(""),
                    waited.isPresent(),
                    waited.orElse(Duration.ZERO),
                    wanted.olderVersion().map(JobVersionRow::createVersion).orElse(null),
                    wanted.part(),
                    found.metric());
            return Answer.PLACED;
        }
        if (found.metric().nodesExhausted() > 0 || !found.volumes().isEmpty()) {
            isSomewhere = true;
            draft.fail(group.name(), found);
            return Answer.NO_ROOM;
        }
        return Answer.NOT_FOR_IT;
    }

    /** All have one name, whichever of them is a canary. */
    private Placer.Called called() {
        return new Placer.Called(name(), false);
    }

    private String name() {
        return job.id().id() + "." + group.name() + "[0]";
    }
}
