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
 * The deployment of a job's newest version, as one plan sees it: the one that is there, or the one that the plan makes.
 * Used by one thread, for one plan.
 */
final class Rollout {
    private final JobRow job;
    private final Ids ids;
    private final @Nullable DeploymentRow there;
    private final Map<String, DeploymentRow.Group> groups = new TreeMap<>();
    private @Nullable String madeId;

    Rollout(ClusterState state, JobRow job, Ids ids) {
        this.job = job;
        this.ids = ids;
        this.there = state.deployments().ofVersion(job.current()).orElse(null);
    }

    /** How the group is to change step by step; empty if it changes at once. */
    Optional<UpdatePolicy> policy(TaskGroup group) {
        UpdatePolicy policy = group.update();
        JobType type = job.spec().type();
        boolean isDeployed = type == JobType.SERVICE || type == JobType.SYSTEM;
        return policy == null || policy.maxParallel() == 0 || !isDeployed ? Optional.empty() : Optional.of(policy);
    }

    /** Whether the newest version has, or had, a deployment. */
    boolean isKnown() {
        return there != null;
    }

    /** Whether it belongs to the deployment of the newest version, and that goes on. */
    boolean isCurrent(AllocationRow allocation) {
        return there != null && there.status().isActive() && there.id().equals(allocation.deploymentId());
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

    /** Whether the newest version is not to be spread any further now. */
    boolean isHalted() {
        return there != null
                && (there.status() == DeploymentStatus.FAILED || there.status() == DeploymentStatus.PAUSED);
    }

    /**
     * How many of the group's allocations may be replaced now, before what the plan places. One that has failed counts
     * until it is replaced: a version whose tasks end at once is not spread.
     */
    int room(TaskGroup group, UpdatePolicy policy, List<AllocationRow> all) {
        if (isHalted()) {
            return 0;
        }
        int room = policy.maxParallel();
        for (AllocationRow allocation : all) {
            if (isCurrent(allocation)
                    && allocation.group().equals(group.name())
                    && !(allocation.isTerminal() && !allocation.lineage().next().isEmpty())) {
                if (allocation.isUnhealthy()) {
                    return 0;
                }
                room -= allocation.isHealthy() ? 0 : 1;
            }
        }
        return Math.max(0, room);
    }

    /** Whether somebody holds the deployment for a while. */
    boolean isPaused() {
        return there != null && there.status() == DeploymentStatus.PAUSED;
    }

    /**
     * The group changes: a deployment is made for it, unless the version had one.
     *
     * @param canaries how many are tried first; 0 for none
     * @param total how many are to be healthy in the end
     */
    void change(TaskGroup group, UpdatePolicy policy, int canaries, int total) {
        if (there != null || group.count() == 0) {
            return;
        }
        groups.put(
                group.name(),
                new DeploymentRow.Group(
                        policy.autoRevert(),
                        policy.autoPromote(),
                        false,
                        canaries,
                        total,
                        policy.progressDeadline(),
                        null));
    }

    /**
     * The nodes of a system job come and go while its deployment goes on: so many allocations are to be healthy in the
     * end, and no more canaries are wanted than that. With no node left it stays as it is; one that is only about to be
     * made for no node is not made.
     */
    void resize(TaskGroup group, int total) {
        DeploymentRow.Group known = groups.get(group.name());
        boolean isMade = known != null;
        if (!isMade && there != null && there.status().isActive()) {
            known = there.groups().get(group.name());
        }
        if (total == 0 && isMade) {
            groups.remove(group.name());
        } else if (total > 0 && known != null && known.desiredTotal() != total) {
            groups.put(group.name(), known.sized(total));
        }
    }

    /** How many canaries of the group the deployment wants. */
    int canaries(TaskGroup group) {
        DeploymentRow.Group known = groups.get(group.name());
        if (known == null && there != null) {
            known = there.groups().get(group.name());
        }
        return known == null ? 0 : known.desiredCanaries();
    }

    /** The part that a new or changed allocation of the group takes; null for none. */
    @Nullable
    InDeployment part(TaskGroup group, boolean canary) {
        String id = id();
        boolean takesPart = groups.containsKey(group.name())
                || (there != null && there.groups().containsKey(group.name()));
        return id == null || !takesPart ? null : new InDeployment(id, canary);
    }

    /** The deployment that goes on, or that the plan makes; null for none. */
    @Nullable
    String id() {
        if (there != null) {
            return there.status().isActive() ? there.id() : null;
        }
        if (madeId == null && !groups.isEmpty()) {
            madeId = ids.next();
        }
        return madeId;
    }

    /** The groups of the deployment that the plan makes, or whose size it changes. */
    Map<String, DeploymentRow.Group> groups() {
        return groups;
    }
}
