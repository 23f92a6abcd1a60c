package io.cleat.schedule;

import io.cleat.base.Ids;
import io.cleat.model.ClientStatus;
import io.cleat.model.DesiredStatus;
import io.cleat.model.ReschedulePolicy;
import io.cleat.model.TaskGroup;
import io.cleat.model.UpdatePolicy;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.JobRow;
import io.cleat.state.NodeRow;
import io.cleat.state.Trigger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A group of a system or sysbatch job: one allocation on each node that meets its rules. A node
 * that does not is no failure; one that does and has no room is. That no node at all meets them is
 * told.
 */
final class SystemGroup {
    /** How failed plugins are placed anew: system jobs have no policy of their own for that. */
    private static final ReschedulePolicy PLUGINS =
            new ReschedulePolicy(
                    0,
                    Duration.ZERO,
                    Duration.ofSeconds(30),
                    "exponential",
                    Duration.ofMinutes(5),
                    true);

    private final ClusterState state;
    private final EvaluationRow evaluation;
    private final JobRow job;
    private final TaskGroup group;
    private final Placer placer;
    private final PlanDraft draft;
    private final Ids ids;
    private final Instant now;
    private int room;

    /** Whether it runs, is placed, or fails to be, on some node. */
    private boolean isSomewhere;

    SystemGroup(
            ClusterState state,
            EvaluationRow evaluation,
            JobRow job,
            TaskGroup group,
            Placer placer,
            PlanDraft draft,
            Ids ids,
            Instant now) {
        this.state = state;
        this.evaluation = evaluation;
        this.job = job;
        this.group = group;
        this.placer = placer;
        this.draft = draft;
        this.ids = ids;
        this.now = now;
    }

    void reconcile(List<AllocationRow> there) {
        Map<String, AllocationRow> newest = new TreeMap<>();
        for (AllocationRow allocation : there) {
            newest.merge(
                    allocation.nodeId(),
                    allocation,
                    (a, b) -> a.createVersion() >= b.createVersion() ? a : b);
        }
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
        if (group.count() == 0) {
            return;
        }
        room = atOnce(there);
        for (NodeRow node : state.nodes()) {
            Optional<AllocationRow> current = Optional.ofNullable(newest.get(node.id()));
            if (current.isPresent() && isDone(current.get())) {
                isSomewhere = true;
                draft.counts(group.name()).ignore++;
            } else if (current.isEmpty() || isOver(current.get())) {
                place(node, current);
            } else if (current.get().isTerminal()) {
                replaceFailed(node, current.get());
            } else if (!Reach.isLost(state, current.get())) {
                isSomewhere = true;
                bringUpToDate(node, current.get());
            }
        }
        if (!isSomewhere) {
            Placer.Found nowhere = placer.place(group, name(), "");
            if (nowhere.metric().nodesFiltered() > 0) {
                draft.fitsNowhere(group.name(), nowhere.metric());
            }
        }
    }

    /** One that is to be run once, and ended well under the newest text, is what was wanted. */
    private boolean isDone(AllocationRow current) {
        return job.spec().type().ends()
                && current.status() == ClientStatus.COMPLETE
                && current.desired() == DesiredStatus.RUN
                && current.jobVersion().equals(job.current());
    }

    /**
     * An allocation that failed under the newest text stays so until somebody registers the job, or
     * has it evaluated, or the text or the node changes.
     */
    private boolean isOver(AllocationRow current) {
        boolean isAsked =
                evaluation.triggeredBy() == Trigger.JOB_REGISTER
                        && current.createVersion() < evaluation.createVersion();
        return current.isTerminal()
                && !(current.status() == ClientStatus.FAILED
                        && current.desired() != DesiredStatus.STOP
                        && current.jobVersion().equals(job.current())
                        && !isAsked);
    }

    /** All storage of a node goes with its plugin, so that a plugin's end is never the last. */
    private void replaceFailed(NodeRow node, AllocationRow failed) {
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
        } else if (find(
                node,
                Optional.of(failed),
                Optional.of(Duration.between(Rescheduling.failedAt(failed), now)))) {
            draft.replace(failed, CountedGroup.RESCHEDULED, false);
            draft.counts(group.name()).reschedule++;
        }
    }

    private void bringUpToDate(NodeRow node, AllocationRow current) {
        switch (TextChange.of(state, job, group, current)) {
            case NONE -> draft.counts(group.name()).ignore++;
            case IN_PLACE -> draft.update(current, null);
            case DESTRUCTIVE -> {
                if (room <= 0) {
                    draft.counts(group.name()).ignore++;
                    later();
                    return;
                }
                if (draft.left() <= 0) {
                    draft.cut(group.name(), 0);
                    return;
                }
                room--;
                draft.replace(current, Proposed.UPDATED, false);
                draft.counts(group.name()).destructiveUpdate++;
                if (!find(node, Optional.of(current), Optional.empty())) {
                    draft.replacedInVain();
                }
            }
        }
    }

    /**
     * How many are replaced now, without those that earlier parts of the plan have replaced; none
     * while the last of them have their time.
     */
    private int atOnce(List<AllocationRow> there) {
        UpdatePolicy policy = group.update();
        if (policy == null || policy.maxParallel() == 0) {
            return Integer.MAX_VALUE;
        }
        return nextRound().isPresent() ? 0 : policy.maxParallel() - replaced(there);
    }

    private int replaced(List<AllocationRow> there) {
        int replaced = 0;
        for (AllocationRow each : there) {
            boolean isOfThis =
                    each.evalId().equals(evaluation.id())
                            && state.allocation(each.previous())
                                    .map(AllocationRow::desiredDescription)
                                    .filter(Proposed.UPDATED::equals)
                                    .isPresent();
            replaced += isOfThis ? 1 : 0;
        }
        return replaced;
    }

    private Optional<Instant> nextRound() {
        return state.evaluationsOfJob(job.id()).stream()
                .filter(row -> row.status() == EvaluationStatus.PENDING)
                .filter(row -> row.triggeredBy() == Trigger.ROLLING_UPDATE)
                .map(EvaluationRow::waitUntil)
                .filter(at -> at != null && at.isAfter(now))
                .findFirst();
    }

    private void later() {
        UpdatePolicy policy = group.update();
        if (policy != null && nextRound().isEmpty()) {
            draft.roll(now.plus(policy.stagger()));
        }
    }

    private void place(NodeRow node, Optional<AllocationRow> previous) {
        if (draft.left() <= 0) {
            isSomewhere = true;
            draft.cut(group.name(), 0);
        } else if (find(node, previous, Optional.empty())) {
            draft.counts(group.name()).place++;
        }
    }

    /**
     * @param waited how long after its end a failed one is placed anew; empty for any other
     */
    private boolean find(
            NodeRow node, Optional<AllocationRow> previous, Optional<Duration> waited) {
        String name = name();
        Placer.Found found = placer.among(List.of(node), group, name, "");
        if (found.node().isPresent()) {
            isSomewhere = true;
            draft.place(
                    ids.next(),
                    name,
                    0,
                    group,
                    node.id(),
                    previous.map(AllocationRow::id).orElse(""),
                    waited.isPresent(),
                    waited.orElse(Duration.ZERO),
                    null,
                    null,
                    found.metric());
            return true;
        }
        if (found.metric().nodesExhausted() > 0 || !found.volumes().isEmpty()) {
            isSomewhere = true;
            draft.fail(group.name(), found);
        }
        return false;
    }

    private String name() {
        return job.id().id() + "." + group.name() + "[0]";
    }
}
