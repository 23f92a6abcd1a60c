package io.cleat.state;

import io.cleat.model.BlockedBy;
import io.cleat.model.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parts of an {@link EvaluationRow} to change. Used by one thread, once. */
public final class EvaluationDraft {
    private final EvaluationRow from;
    private EvaluationStatus status;
    private String statusDescription;
    private @Nullable Instant waitUntil;
    private String previousEval;
    private String nextEval;
    private String blockedEval;
    private Map<String, PlacementMetric> failedGroups;
    private Map<String, Integer> queued;
    private List<VolumeId> blockedOn;
    private boolean blockedOnAny;
    private @Nullable BlockedBy blockedBy;
    private @Nullable String deploymentId;
    private Map<String, PlannedCounts> planned;
    private long snapshotVersion;
    private Instant modifiedAt;
    private long createVersion;
    private long modifyVersion;

    EvaluationDraft(EvaluationRow from) {
        this.from = from;
        this.status = from.status();
        this.statusDescription = from.statusDescription();
        this.waitUntil = from.waitUntil();
        this.previousEval = from.previousEval();
        this.nextEval = from.nextEval();
        this.blockedEval = from.blockedEval();
        this.failedGroups = from.failedGroups();
        this.queued = from.queued();
        this.blockedOn = from.blockedOn();
        this.blockedOnAny = from.blockedOnAny();
        this.blockedBy = from.blockedBy();
        this.deploymentId = from.deploymentId();
        this.planned = from.planned();
        this.snapshotVersion = from.snapshotVersion();
        this.modifiedAt = from.modifiedAt();
        this.createVersion = from.createVersion();
        this.modifyVersion = from.modifyVersion();
    }

    /** Moves it on as {@link EvaluationStatus#LIFE} allows. */
    public EvaluationDraft status(EvaluationStatus next, String description, Instant at) {
        status = EvaluationStatus.LIFE.move(from.status(), next);
        statusDescription = description;
        modifiedAt = at;
        return this;
    }

    public EvaluationDraft deploymentId(@Nullable String id) {
        deploymentId = id;
        return this;
    }

    public EvaluationDraft waitUntil(@Nullable Instant at) {
        waitUntil = at;
        return this;
    }

    public EvaluationDraft previousEval(String id) {
        previousEval = id;
        return this;
    }

    public EvaluationDraft nextEval(String id) {
        nextEval = id;
        return this;
    }

    public EvaluationDraft blockedEval(String id) {
        blockedEval = id;
        return this;
    }

    public EvaluationDraft failedGroups(Map<String, PlacementMetric> groups) {
        failedGroups = groups;
        return this;
    }

    public EvaluationDraft queued(Map<String, Integer> byGroup) {
        queued = byGroup;
        return this;
    }

    public EvaluationDraft blockedOn(List<VolumeId> volumes, boolean any, @Nullable BlockedBy reason) {
        blockedOn = volumes;
        blockedOnAny = any;
        blockedBy = reason;
        return this;
    }

    public EvaluationDraft planned(Map<String, PlannedCounts> byGroup) {
        planned = byGroup;
        return this;
    }

    public EvaluationDraft snapshotVersion(long version) {
        snapshotVersion = version;
        return this;
    }

    EvaluationDraft versions(long create, long modify) {
        createVersion = create;
        modifyVersion = modify;
        return this;
    }

    public EvaluationRow done() {
        return new EvaluationRow(
                from.id(),
                from.job(),
                from.type(),
                from.priority(),
                from.triggeredBy(),
                from.nodeId(),
                status,
                statusDescription,
                waitUntil,
                previousEval,
                nextEval,
                blockedEval,
                failedGroups,
                queued,
                blockedOn,
                blockedOnAny,
                blockedBy,
                deploymentId,
                planned,
                from.jobModifyVersion(),
                snapshotVersion,
                from.createdAt(),
                modifiedAt,
                createVersion,
                modifyVersion);
    }
}
