package io.cleat.state;

import io.cleat.base.Flattened;
import io.cleat.base.Ordered;
import io.cleat.base.Since;
import io.cleat.base.StoredOrder;
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
 * @param waitUntil not to be run before; null for at once
 */
@StoredOrder("""
        id job type priority triggeredBy nodeId status statusDescription waitUntil previousEval nextEval
        blockedEval failedGroups queued blockedOn blockedOnAny blockedBy deploymentId planned jobModifyVersion
        snapshotVersion createdAt modifiedAt createVersion modifyVersion
        """)
public record EvaluationRow(
        @Flattened Asked asked,
        EvaluationStatus status,
        String statusDescription,
        @Nullable Instant waitUntil,
        @Flattened Chain chain,
        @Flattened Outcome outcome,
        @Flattened Waits waits,
        @Flattened Stamps stamps)
        implements Row<EvaluationRow> {
    /**
     * For what it is run, and why.
     *
     * @param priority 1 to 100; larger goes first
     * @param nodeId the node whose change started it; else empty
     * @param jobModifyVersion the cluster's version that stored the job's
     */
    public record Asked(
            String id,
            JobId job,
            JobType type,
            int priority,
            Trigger triggeredBy,
            String nodeId,
            long jobModifyVersion) {}

    /**
     * Those before and after it.
     *
     * @param previousEval which one led to this; else empty
     * @param nextEval which one follows later, at {@code waitUntil} of that; else empty
     * @param blockedEval which one waits for what could not be placed; else empty
     */
    public record Chain(String previousEval, String nextEval, String blockedEval) {
        static final Chain NONE = new Chain("", "", "");
    }

    /**
     * What came of it.
     *
     * @param failedGroups why groups could not be placed, by group
     * @param queued how many allocations are still to be placed, by group
     * @param planned what its plan does, by group, and of one that is made in parts the last part; empty before, and of
     *     programs before feature level {@value Change#PLANNED_LEVEL}
     * @param deploymentId the deployment that it made, or that goes on; null for none
     * @param snapshotVersion of the image it was last run on; 0 before
     */
    public record Outcome(
            Map<String, PlacementMetric> failedGroups,
            Map<String, Integer> queued,
            @Since(Change.PLANNED_LEVEL) Map<String, PlannedCounts> planned,
            @Since(2) @Nullable String deploymentId,
            long snapshotVersion) {
        static final Outcome NONE = new Outcome(Map.of(), Map.of(), Map.of(), null, 0);

        public Outcome {
            failedGroups = Ordered.copyOf(failedGroups);
            queued = Ordered.copyOf(queued);
            planned = Ordered.copyOf(planned);
        }
    }

    /**
     * What it waits for while it is blocked.
     *
     * @param blockedOn the volumes; at most {@link #VOLUMES_NAMED}, and if it names so many, any volume may help
     * @param blockedOnAny whether anything that gets free may help: room, nodes, plugins
     * @param blockedBy it in words; present while blocked
     */
    public record Waits(
            List<VolumeId> blockedOn,
            boolean blockedOnAny,
            @Nullable BlockedBy blockedBy) {
        static final Waits FOR_NOTHING = new Waits(List.of(), false, null);

        public Waits {
            blockedOn = List.copyOf(blockedOn);
        }
    }

    /** When it changed. */
    public record Stamps(Instant createdAt, Instant modifiedAt, long createVersion, long modifyVersion) {}

    /** How many volumes one names that it waits for: a job may claim one for each allocation. */
    public static final int VOLUMES_NAMED = 50;

    /** A new one, to be run at once. */
    public static EvaluationRow pending(
            String id, JobRow job, int priority, Trigger triggeredBy, String nodeId, Instant now) {
        return new EvaluationRow(
                new Asked(id, job.id(), job.spec().type(), priority, triggeredBy, nodeId, job.jobModifyVersion()),
                EvaluationStatus.PENDING,
                "",
                null,
                Chain.NONE,
                Outcome.NONE,
                Waits.FOR_NOTHING,
                new Stamps(now, now, 0, 0));
    }

    public String id() {
        return asked.id();
    }

    public JobId job() {
        return asked.job();
    }

    @Override
    public long createVersion() {
        return stamps.createVersion();
    }

    @Override
    public long modifyVersion() {
        return stamps.modifyVersion();
    }

    // What follows are copies with other parts.

    private EvaluationRow with(Chain now) {
        return new EvaluationRow(asked, status, statusDescription, waitUntil, now, outcome, waits, stamps);
    }

    /** Moves it on as {@link EvaluationStatus#LIFE} allows. */
    public EvaluationRow status(EvaluationStatus next, String description, Instant at) {
        Stamps now = new Stamps(stamps.createdAt(), at, stamps.createVersion(), stamps.modifyVersion());
        EvaluationStatus moved = EvaluationStatus.LIFE.move(status, next);
        return new EvaluationRow(asked, moved, description, waitUntil, chain, outcome, waits, now);
    }

    public EvaluationRow waitUntil(@Nullable Instant at) {
        return new EvaluationRow(asked, status, statusDescription, at, chain, outcome, waits, stamps);
    }

    public EvaluationRow previousEval(String evalId) {
        return with(new Chain(evalId, chain.nextEval(), chain.blockedEval()));
    }

    public EvaluationRow nextEval(String evalId) {
        return with(new Chain(chain.previousEval(), evalId, chain.blockedEval()));
    }

    public EvaluationRow blockedEval(String evalId) {
        return with(new Chain(chain.previousEval(), chain.nextEval(), evalId));
    }

    public EvaluationRow outcome(Outcome now) {
        return new EvaluationRow(asked, status, statusDescription, waitUntil, chain, now, waits, stamps);
    }

    public EvaluationRow failedGroups(Map<String, PlacementMetric> byGroup) {
        return outcome(new Outcome(
                byGroup, outcome.queued(), outcome.planned(), outcome.deploymentId(), outcome.snapshotVersion()));
    }

    public EvaluationRow queued(Map<String, Integer> byGroup) {
        return outcome(new Outcome(
                outcome.failedGroups(), byGroup, outcome.planned(), outcome.deploymentId(), outcome.snapshotVersion()));
    }

    public EvaluationRow deploymentId(@Nullable String deployment) {
        return outcome(new Outcome(
                outcome.failedGroups(), outcome.queued(), outcome.planned(), deployment, outcome.snapshotVersion()));
    }

    public EvaluationRow blockedOn(List<VolumeId> volumes, boolean any, @Nullable BlockedBy reason) {
        Waits now = new Waits(volumes, any, reason);
        return new EvaluationRow(asked, status, statusDescription, waitUntil, chain, outcome, now, stamps);
    }

    @Override
    public EvaluationRow stamped(long newCreate, long newModify) {
        Stamps now = new Stamps(stamps.createdAt(), stamps.modifiedAt(), newCreate, newModify);
        return new EvaluationRow(asked, status, statusDescription, waitUntil, chain, outcome, waits, now);
    }
}
