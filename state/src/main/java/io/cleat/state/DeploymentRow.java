package io.cleat.state;

import io.cleat.base.Ordered;
import io.cleat.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The change of a service or system job to one of its versions. How many allocations it placed, and how many of them
 * are healthy, is looked up among the allocations, never counted here.
 *
 * @param jobNumber the job's own number of the version
 * @param jobModifyVersion the cluster's version that stored it
 * @param groups by name; only those that change step by step
 */
public record DeploymentRow(
        String id,
        JobId job,
        long jobNumber,
        long jobModifyVersion,
        DeploymentStatus status,
        String statusDescription,
        Map<String, Group> groups,
        Instant createdAt,
        Instant modifiedAt,
        long createVersion,
        long modifyVersion)
        implements Row<DeploymentRow> {
    /** How a deployment's status moves. */
    public static final LifeCycle<DeploymentStatus> LIFE = LifeCycle.of("deployment", DeploymentStatus.class)
            .begin(DeploymentStatus.RUNNING)
            .move(
                    DeploymentStatus.RUNNING,
                    DeploymentStatus.PAUSED,
                    DeploymentStatus.FAILED,
                    DeploymentStatus.SUCCESSFUL,
                    DeploymentStatus.CANCELLED)
            .move(
                    DeploymentStatus.PAUSED,
                    DeploymentStatus.RUNNING,
                    DeploymentStatus.FAILED,
                    DeploymentStatus.CANCELLED)
            .end(DeploymentStatus.FAILED, DeploymentStatus.SUCCESSFUL, DeploymentStatus.CANCELLED)
            .done();

    public DeploymentRow {
        groups = Ordered.copyOf(groups);
    }

    /**
     * One group of a deployment.
     *
     * @param autoRevert whether its failure brings the last good version back
     * @param autoPromote whether its canaries are promoted once all are healthy
     * @param promoted whether its canaries were promoted; false where there are none
     * @param desiredCanaries how many new allocations are tried first: beside the old, or, of a system job, in their
     *     place; 0 for none
     * @param desiredTotal how many allocations are to be healthy in the end
     * @param progressDeadline how long it may take from one healthy allocation to the next; zero for no deadline: then
     *     the first unhealthy one fails the deployment
     * @param requireProgressBy when that is over; null without a deadline
     */
    public record Group(
            boolean autoRevert,
            boolean autoPromote,
            boolean promoted,
            int desiredCanaries,
            int desiredTotal,
            Duration progressDeadline,
            @Nullable Instant requireProgressBy) {
        /** Whether it waits for somebody to promote its canaries, or for them to get healthy. */
        public boolean isUnpromoted() {
            return desiredCanaries > 0 && !promoted;
        }

        public Group asPromoted(Instant now) {
            return new Group(
                    autoRevert, autoPromote, true, desiredCanaries, desiredTotal, progressDeadline, deadline(now));
        }

        /** As it is with another total, of which its canaries are no more than all. */
        public Group sized(int total) {
            return new Group(
                    autoRevert,
                    autoPromote,
                    promoted,
                    Math.min(desiredCanaries, total),
                    total,
                    progressDeadline,
                    requireProgressBy);
        }

        /** Its deadline begins anew. */
        public Group progressed(Instant now) {
            return new Group(
                    autoRevert, autoPromote, promoted, desiredCanaries, desiredTotal, progressDeadline, deadline(now));
        }

        private @Nullable Instant deadline(Instant now) {
            return progressDeadline.isPositive() ? now.plus(progressDeadline) : null;
        }
    }

    /** The version of the job that it is about. */
    public JobVersionId jobVersion() {
        return new JobVersionId(job, jobModifyVersion);
    }

    public DeploymentRow withStatus(DeploymentStatus now, String description, Instant at) {
        return copy(LIFE.move(status, now), description, groups, at);
    }

    public DeploymentRow withGroups(UnaryOperator<Group> change, Instant at) {
        Map<String, Group> changed = new TreeMap<>();
        groups.forEach((name, group) -> changed.put(name, change.apply(group)));
        return copy(status, statusDescription, changed, at);
    }

    public DeploymentRow withGroup(String name, UnaryOperator<Group> change, Instant at) {
        Map<String, Group> changed = new TreeMap<>(groups);
        changed.computeIfPresent(name, (n, group) -> change.apply(group));
        return copy(status, statusDescription, changed, at);
    }

    private DeploymentRow copy(DeploymentStatus newStatus, String description, Map<String, Group> to, Instant at) {
        return new DeploymentRow(
                id,
                job,
                jobNumber,
                jobModifyVersion,
                newStatus,
                description,
                to,
                createdAt,
                at,
                createVersion,
                modifyVersion);
    }

    @Override
    public DeploymentRow stamped(long newCreate, long newModify) {
        return new DeploymentRow(
                id,
                job,
                jobNumber,
                jobModifyVersion,
                status,
                statusDescription,
                groups,
                createdAt,
                modifiedAt,
                newCreate,
                newModify);
    }
}
