package io.cleat.schedule;

import io.cleat.model.DesiredStatus;
import io.cleat.model.TaskGroup;
import io.cleat.model.UpdatePolicy;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.EvaluationRow;
import io.cleat.state.EvaluationStatus;
import io.cleat.state.InDeployment;
import io.cleat.state.JobRow;
import io.cleat.state.JobVersionRow;
import io.cleat.state.NodeRow;
import io.cleat.state.Trigger;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the newest version of a system job's group spreads over the nodes, as one plan sees it.
 *
 * <p>No more allocations are replaced at once than the policy says; the next follow when these are healthy, and not
 * before the stagger is over. With canaries, the version is tried on a percentage of the nodes first, in place of the
 * old allocations there: one node has no two of them. Until they are promoted no other node changes its version, and
 * nodes that join wait. Used by one thread, for one plan.
 */
final class SystemRollout {
    private final ClusterState state;
    private final EvaluationRow evaluation;
    private final JobRow job;
    private final TaskGroup group;
    private final Rollout rollout;
    private final VersionChange.Changes versionChanges;
    private final Instant now;
    private final boolean isTrying;
    private int room;
    private int missingCanaries;
    private int total;
    private boolean replacesAny;

    /**
     * @param there the group's allocations, also those that have ended
     * @param newest of them, one for each node
     */
    SystemRollout(
            ClusterState state,
            EvaluationRow evaluation,
            JobRow job,
            TaskGroup group,
            Rollout rollout,
            Instant now,
            List<AllocationRow> there,
            Collection<AllocationRow> newest) {
        this.state = state;
        this.evaluation = evaluation;
        this.job = job;
        this.group = group;
        this.rollout = rollout;
        this.versionChanges = new VersionChange.Changes(state, job, group);
        this.now = now;
        begin(there, newest);
        isTrying = rollout.isTrying(group) || (!rollout.isKnown() && rollout.canaries(group) > 0);
        if (isTrying) {
            long canaries = newest.stream().filter(this::isCanary).count();
            missingCanaries = (int) Math.max(0, rollout.canaries(group) - canaries);
        }
        room = room(there, newest);
    }

    /** The first plan of a version makes its deployment. */
    private void begin(List<AllocationRow> there, Collection<AllocationRow> newest) {
        Optional<UpdatePolicy> policy = rollout.policy(group);
        boolean isBegun = rollout.isKnown()
                || there.stream().anyMatch(row -> row.jobVersion().equals(job.current()));
        if (policy.isEmpty() || isBegun) {
            return;
        }
        List<AllocationRow> live = newest.stream().filter(this::isReachable).toList();
        int old = (int) live.stream()
                .filter(row -> change(row) == VersionChange.DESTRUCTIVE)
                .count();
        int canaries = policy.get().canary() == 0 || old == 0 || wasStable()
                ? 0
                : Math.min(old, Math.ceilDiv(live.size() * policy.get().canary(), 100));
        rollout.change(group, policy.get(), canaries, live.size());
    }

    private boolean isReachable(AllocationRow row) {
        return !row.isTerminal() && isSchedulable(row);
    }

    private boolean isSchedulable(AllocationRow row) {
        return state.node(row.nodeId()).map(NodeRow::isSchedulable).orElse(false);
    }

    /** A version that ran everywhere before, such as one that comes back, needs no canaries. */
    private boolean wasStable() {
        return state.versionsOf(job).stream()
                .filter(JobVersionRow::stable)
                .anyMatch(jobVersion ->
                        VersionChange.between(jobVersion.spec(), job.spec(), group) != VersionChange.DESTRUCTIVE);
    }

    VersionChange change(AllocationRow row) {
        return versionChanges.of(row);
    }

    /** Whether it is a canary, or was one whose node has another in this plan. */
    private boolean isCanary(AllocationRow row) {
        boolean goesOn = !row.isTerminal() && !Reach.isLost(state, row);
        return row.isCanary() && rollout.isCurrent(row) && (goesOn || isSchedulable(row));
    }

    /**
     * How many are replaced now, without those that earlier parts of the plan have replaced; none while the last of
     * them have their time.
     */
    private int room(List<AllocationRow> there, Collection<AllocationRow> newest) {
        UpdatePolicy policy = group.update();
        if (policy == null || policy.maxParallel() == 0) {
            return Integer.MAX_VALUE;
        }
        int replaced = replacedSoFar(there);
        replacesAny = replaced > 0;
        int byStagger = nextRound().isPresent() ? 0 : policy.maxParallel() - replaced;
        int byHealth = rollout.policy(group)
                .map(stepwise -> rollout.room(group, stepwise, wanted(newest)))
                .orElse(Integer.MAX_VALUE);
        return Math.min(byStagger, byHealth);
    }

    /** Those that are to run, or have failed: nobody waits for what was stopped, or was lost. */
    private List<AllocationRow> wanted(Collection<AllocationRow> newest) {
        return newest.stream()
                .filter(row -> row.desired() == DesiredStatus.RUN && !Reach.isLost(state, row))
                .toList();
    }

    /** By earlier parts of the same plan. */
    private int replacedSoFar(List<AllocationRow> there) {
        int replaced = 0;
        for (AllocationRow each : there) {
            boolean isOfThis = each.lineage().evalId().equals(evaluation.id())
                    && state.allocation(each.lineage().previous())
                            .map(row -> row.wanted().desiredDescription())
                            .filter(Proposed.UPDATED::equals)
                            .isPresent();
            replaced += isOfThis ? 1 : 0;
        }
        return replaced;
    }

    private Optional<Instant> nextRound() {
        return state.evaluations().ofJob(job.id()).stream()
                .filter(row -> row.status() == EvaluationStatus.PENDING)
                .filter(row -> row.asked().triggeredBy() == Trigger.ROLLING_UPDATE)
                .map(EvaluationRow::waitUntil)
                .filter(at -> at != null && at.isAfter(now))
                .findFirst();
    }

    /** Whether an allocation may be replaced now that runs by an older version. */
    boolean mayReplace() {
        return room > 0 && wantsMore();
    }

    private boolean wantsMore() {
        return !isHalted() && (!isTrying || missingCanaries > 0);
    }

    private boolean isHalted() {
        return rollout.policy(group).isPresent() && rollout.isHalted();
    }

    /** Whether canaries are tried: what is replaced next is one. */
    boolean isTrying() {
        return isTrying;
    }

    /** An old allocation was replaced: one fewer may be now. */
    void takeTurn() {
        replacesAny = true;
        room--;
        missingCanaries--;
    }

    /** When more may be replaced, if an old one has to wait for that and not for health alone. */
    Optional<Instant> rollAt() {
        UpdatePolicy policy = group.update();
        if (policy == null || !replacesAny || !wantsMore() || nextRound().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(now.plus(policy.stagger()));
    }

    /** Whether each allocation that ends is followed by one of its own version. */
    boolean keepsVersion() {
        return isTrying || isHalted();
    }

    /** Whether a node that had no allocation of the group waits until the version is promoted. */
    boolean holdsNewNodes() {
        return isTrying || (rollout.policy(group).isPresent() && rollout.isPaused());
    }

    /**
     * The version for what is placed on a node now; empty for the newest.
     *
     * @param previous what ran there last; empty for a new node
     */
    Optional<JobVersionRow> olderVersion(Optional<AllocationRow> previous) {
        if (!keepsVersion()) {
            return Optional.empty();
        }
        Optional<JobVersionRow> jobVersion = previous.isPresent()
                ? state.jobVersion(previous.get().jobVersion())
                : state.versionsOf(job).stream().filter(JobVersionRow::stable).reduce((older, newer) -> newer);
        return jobVersion
                .filter(found -> !found.id().equals(job.current()))
                .filter(found -> found.spec().group(group.name()).isPresent());
    }

    /** The part in the deployment of what is placed by the newest version, or goes on under it. */
    @Nullable
    InDeployment part(boolean canary) {
        return rollout.part(group, canary);
    }

    /** Whether the one that follows is tried again as the one before it was. */
    boolean isCanaryAgain(Optional<AllocationRow> previous) {
        return previous.filter(row -> row.isCanary() && rollout.isCurrent(row)).isPresent();
    }

    /** One more allocation of the group is to be healthy in the end. */
    void expectOne() {
        total++;
    }

    /** All nodes have been looked at, so that it is known how many allocations are to be healthy. */
    void end() {
        rollout.resize(group, total);
    }
}
