package io.cleat.state;

import io.cleat.base.Ordered;
import io.cleat.base.Since;
import io.cleat.model.BlockedBy;
import io.cleat.model.JobId;
import io.cleat.model.JobType;
import io.cleat.model.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A run of the scheduler for one job, due or done.
 *
 * @param priority 1 to 100; larger goes first
 * @param nodeId the node whose change started it; else empty
 * @param waitUntil not to be run before; null for at once
 * @param previousEval which one led to this; else empty
 * @param nextEval which one follows later, at {@code waitUntil} of that; else empty
 * @param blockedEval which one waits for what could not be placed; else empty
 * @param failedGroups why groups could not be placed, by group
 * @param queued how many allocations are still to be placed, by group
 * @param blockedOn the volumes it waits for; at most {@link #VOLUMES_NAMED}, and if it names so many, any volume may
 *     help
 * @param blockedOnAny whether anything that gets free may help: room, nodes, plugins
 * @param blockedBy what it waits for, in words; present while blocked
 * @param deploymentId the deployment that it made, or that goes on; null for none
 * @param planned what its plan does, by group, and of one that is made in parts the last part; empty before, and of
 *     programs before feature level {@value Change#PLANNED_LEVEL}
 * @param snapshotVersion of the image it was last run on; 0 before
 */
public record EvaluationRow(
        String id,
        JobId job,
        JobType type,
        int priority,
        Trigger triggeredBy,
        String nodeId,
        EvaluationStatus status,
        String statusDescription,
        @Nullable Instant waitUntil,
        String previousEval,
        String nextEval,
        String blockedEval,
        Map<String, PlacementMetric> failedGroups,
        Map<String, Integer> queued,
        List<VolumeId> blockedOn,
        boolean blockedOnAny,
        @Nullable BlockedBy blockedBy,
        @Since(2) @Nullable String deploymentId,
        @Since(Change.PLANNED_LEVEL) Map<String, PlannedCounts> planned,
        long jobModifyVersion,
        long snapshotVersion,
        Instant createdAt,
        Instant modifiedAt,
        long createVersion,
        long modifyVersion)
        implements Row<EvaluationRow> {
    /** How many volumes one names that it waits for: a job may claim one for each allocation. */
    public static final int VOLUMES_NAMED = 50;

    public EvaluationRow {
        failedGroups = Ordered.copyOf(failedGroups);
        queued = Ordered.copyOf(queued);
        planned = Ordered.copyOf(planned);
        blockedOn = List.copyOf(blockedOn);
    }

    /** A new one, to be run at once. */
    public static EvaluationRow pending(
            String id, JobRow job, int priority, Trigger triggeredBy, String nodeId, Instant now) {
        return new EvaluationRow(
                id,
                job.id(),
                job.spec().type(),
                priority,
                triggeredBy,
                nodeId,
                EvaluationStatus.PENDING,
                "",
                null,
                "",
                "",
                "",
                Map.of(),
                Map.of(),
                List.of(),
                false,
                null,
                null,
                Map.of(),
                job.jobModifyVersion(),
                0,
                now,
                now,
                0,
                0);
    }

    /** A copy to change parts of. */
    public EvaluationDraft edit() {
        return new EvaluationDraft(this);
    }

    @Override
    public EvaluationRow stamped(long newCreate, long newModify) {
        return edit().versions(newCreate, newModify).done();
    }
}
