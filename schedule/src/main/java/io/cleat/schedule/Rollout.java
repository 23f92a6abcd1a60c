package io.cleat.schedule;

import io.cleat.base.Ids;
import io.cleat.model.JobType;
import io.cleat.model.TaskGroup;
import io.cleat.model.UpdatePolicy;
import io.cleat.state.AllocationRow;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.InDeployment;
import io.cleat.state.JobRow;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The deployment of a job's newest text, as one plan sees it: the one that is there, or the one
 * that the plan makes. Used by one thread, for one plan.
 */
final class Rollout {
    private final ClusterState state;
    private final JobRow job;
    private final Ids ids;
    private final @Nullable DeploymentRow there;
    private final Map<String, DeploymentRow.Group> made = new TreeMap<>();
    private @Nullable String madeId;

    Rollout(ClusterState state, JobRow job, Ids ids) {
        this.state = state;
        this.job = job;
        this.ids = ids;
        this.there = state.deploymentOf(job.current()).orElse(null);
    }

    /** How the group is to change step by step; empty if it changes at once. */
    Optional<UpdatePolicy> policy(TaskGroup group) {
        UpdatePolicy policy = group.update();
        return policy == null || policy.maxParallel() == 0 || job.spec().type() != JobType.SERVICE
                ? Optional.empty()
                : Optional.of(policy);
    }

    /** Whether it is a canary that nobody has promoted, of whatever deployment. */
    boolean isUnpromoted(AllocationRow allocation) {
        return allocation.isCanary()
                && state.deployment(allocation.deploymentId())
                        .map(row -> row.groups().get(allocation.group()))
                        .map(DeploymentRow.Group::isUnpromoted)
                        .orElse(false);
    }

    /** Whether it belongs to the deployment of the newest text, and that goes on. */
    boolean isCurrent(AllocationRow allocation) {
        return there != null
                && there.status().isActive()
                && there.id().equals(allocation.deploymentId());
    }

    boolean isPromoted(TaskGroup group) {
        DeploymentRow.Group known = there == null ? null : there.groups().get(group.name());
        return known != null && known.promoted();
    }

    /** Whether the group's canaries wait to be promoted. */
    boolean isTrying(TaskGroup group) {
        DeploymentRow.Group known = there == null ? null : there.groups().get(group.name());
        return known != null
                && known.isUnpromoted()
                && Objects.requireNonNull(there).status().isActive();
    }

    /** Whether the newest text is not to be spread any further now. */
    boolean isHalted() {
        return there != null
                && (there.status() == DeploymentStatus.FAILED
                        || there.status() == DeploymentStatus.PAUSED);
    }

    /**
     * How many of the group's allocations may be replaced now, before what the plan places. One
     * that has failed counts until it is replaced: a text whose tasks end at once is not spread.
     */
    int room(TaskGroup group, UpdatePolicy policy, List<AllocationRow> all) {
        if (isHalted()) {
            return 0;
        }
        int room = policy.maxParallel();
        for (AllocationRow allocation : all) {
            if (isCurrent(allocation)
                    && allocation.group().equals(group.name())
                    && !(allocation.isTerminal() && !allocation.next().isEmpty())) {
                if (allocation.isUnhealthy()) {
                    return 0;
                }
                room -= allocation.isHealthy() ? 0 : 1;
            }
        }
        return Math.max(0, room);
    }

    /** The group changes: a deployment is made for it, unless the text had one. */
    void change(TaskGroup group, UpdatePolicy policy, boolean withCanaries) {
        if (there != null || group.count() == 0) {
            return;
        }
        made.put(
                group.name(),
                new DeploymentRow.Group(
                        policy.autoRevert(),
                        policy.autoPromote(),
                        false,
                        withCanaries ? policy.canary() : 0,
                        group.count(),
                        policy.progressDeadline(),
                        null));
    }

    /** The part that a new or changed allocation of the group takes; null for none. */
    @Nullable InDeployment part(TaskGroup group, boolean canary) {
        String id = id();
        boolean takesPart =
                made.containsKey(group.name())
                        || (there != null && there.groups().containsKey(group.name()));
        return id == null || !takesPart ? null : new InDeployment(id, canary);
    }

    /** The deployment that goes on, or that the plan makes; null for none. */
    @Nullable String id() {
        if (there != null) {
            return there.status().isActive() ? there.id() : null;
        }
        if (madeId == null && !made.isEmpty()) {
            madeId = ids.next();
        }
        return madeId;
    }

    /** What the plan makes; empty if nothing. */
    Map<String, DeploymentRow.Group> made() {
        return made;
    }
}
