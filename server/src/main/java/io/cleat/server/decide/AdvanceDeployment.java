package io.cleat.server.decide;

import io.cleat.model.JobSpec;
import io.cleat.model.JobType;
import io.cleat.server.commit.DecideContext;
import io.cleat.server.commit.Decision;
import io.cleat.state.AllocationRow;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.DeploymentRow;
import io.cleat.state.DeploymentStatus;
import io.cleat.state.JobVersionRow;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Does what is due of a deployment: promotes its canaries, ends it well, or fails it.
 *
 * @param seed a fresh id
 */
public record AdvanceDeployment(String deploymentId, String seed) implements Command<AdvanceDeployment.Reply> {
    /** @param acted whether anything was due */
    public record Reply(boolean acted) {}

    /** What is due of a deployment. */
    public enum Due {
        PROMOTE,
        SUCCEED,
        FAIL_UNHEALTHY,
        FAIL_DEADLINE
    }

    @Override
    public Decision<Change, Reply> decide(ClusterState newest, DecideContext context) {
        Work work = new Work(newest, context);
        Optional<DeploymentRow> found = newest.deployments().get(deploymentId);
        Optional<Due> due = found.flatMap(row -> due(newest, row, work.now()));
        if (due.isEmpty()) {
            return work.accept(new Reply(false));
        }
        DeploymentRow row = found.orElseThrow();
        NewIds ids = new NewIds(seed);
        switch (due.get()) {
            case PROMOTE -> {
                Deployments.promote(work, row, group -> true);
                Deployments.evaluate(work, row, ids);
            }
            case SUCCEED -> {
                Deployments.end(work, row, DeploymentStatus.SUCCESSFUL, "Deployment completed successfully");
                work.add(new Change.JobMarkedStable(row.jobVersion(), true));
            }
            case FAIL_UNHEALTHY -> fail(work, row, "Failed due to unhealthy allocations", ids);
            case FAIL_DEADLINE -> fail(work, row, "Failed due to progress deadline", ids);
        }
        return work.accept(new Reply(true));
    }

    private static void fail(Work work, DeploymentRow row, String why, NewIds ids) {
        Deployments.fail(work, row, why);
        Deployments.evaluate(work, row, ids);
    }

    /** What is due of it now; empty for one that waits, or is over. */
    public static Optional<Due> due(ClusterState state, DeploymentRow row, Instant now) {
        if (row.status() != DeploymentStatus.RUNNING) {
            return Optional.empty();
        }
        boolean allDone = true;
        boolean mayPromote = true;
        boolean anyCanaries = false;
        for (Map.Entry<String, DeploymentRow.Group> each : row.groups().entrySet()) {
            DeploymentRow.Group group = each.getValue();
            Progress progress = Progress.of(state, row, each.getKey());
            boolean isDone = !group.isUnpromoted() && progress.healthy() >= group.desiredTotal();
            allDone &= isDone;
            if (group.isUnpromoted()) {
                anyCanaries = true;
                mayPromote &= group.autoPromote() && progress.canaries() >= group.desiredCanaries();
            }
            boolean mayRecover = group.progressDeadline().isPositive() && isPlacedAnew(state, row, each.getKey());
            if (progress.unhealthy() > 0 && !mayRecover) {
                return Optional.of(Due.FAIL_UNHEALTHY);
            }
            Instant by = deadline(state, row, each.getKey()).orElse(null);
            if (by != null && !by.isAfter(now)) {
                return Optional.of(Due.FAIL_DEADLINE);
            }
        }
        if (anyCanaries) {
            return mayPromote ? Optional.of(Due.PROMOTE) : Optional.empty();
        }
        return allDone ? Optional.of(Due.SUCCEED) : Optional.empty();
    }

    /**
     * Whether another takes the place of a failed allocation by itself. None does in a system job, but for a plugin:
     * one that is unhealthy there stays so.
     */
    private static boolean isPlacedAnew(ClusterState state, DeploymentRow row, String groupName) {
        Optional<JobSpec> spec = state.jobVersion(row.jobVersion()).map(JobVersionRow::spec);
        return spec.isEmpty()
                || spec.get().type() != JobType.SYSTEM
                || spec.get().group(groupName).stream()
                        .flatMap(group -> group.tasks().stream())
                        .anyMatch(task -> task.csiPlugin() != null);
    }

    /** How many of a group's canaries are healthy. */
    static int healthyCanaries(ClusterState state, DeploymentRow row, String group) {
        return Progress.of(state, row, group).canaries();
    }

    /** When a group's deployment fails unless it gets on; empty if nothing is waited for so. */
    public static Optional<Instant> deadline(ClusterState state, DeploymentRow row, String groupName) {
        DeploymentRow.Group group = row.groups().get(groupName);
        if (group == null || row.status() != DeploymentStatus.RUNNING) {
            return Optional.empty();
        }
        Progress progress = Progress.of(state, row, groupName);
        boolean isThere = group.isUnpromoted()
                ? progress.canaries() >= group.desiredCanaries()
                : progress.healthy() >= group.desiredTotal();
        return isThere ? Optional.empty() : Optional.ofNullable(group.requireProgressBy());
    }

    /**
     * How far a group is.
     *
     * @param healthy allocations that are wanted
     * @param unhealthy allocations, wanted or not
     * @param canaries of the healthy ones
     */
    private record Progress(int healthy, int unhealthy, int canaries) {
        static Progress of(ClusterState state, DeploymentRow row, String group) {
            int healthy = 0;
            int unhealthy = 0;
            int canaries = 0;
            for (AllocationRow allocation : state.allocationsOfDeployment(row)) {
                if (!allocation.group().equals(group)) {
                    continue;
                }
                if (allocation.isUnhealthy()) {
                    unhealthy++;
                } else if (allocation.isHealthy() && !allocation.isTerminal()) {
                    healthy++;
                    canaries += allocation.isCanary() ? 1 : 0;
                }
            }
            return new Progress(healthy, unhealthy, canaries);
        }
    }
}
