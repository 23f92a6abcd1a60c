package io.cleat.clusterapi.events;

/**
 * The kinds of decisions that events name, the one that tells most first: where a decision does several things, that is
 * what it is called.
 */
enum EventType {
    JOB_BATCH_DEREGISTERED("JobBatchDeregistered"),
    JOB_DEREGISTERED("JobDeregistered"),
    JOB_REGISTERED("JobRegistered"),
    NODE_DEREGISTRATION("NodeDeregistration"),
    NODE_REGISTRATION("NodeRegistration"),
    NODE_DRAIN("NodeDrain"),
    NODE_ELIGIBILITY("NodeEligibility"),
    NODE_STREAM_EVENT("NodeStreamEvent"),
    DEPLOYMENT_PROMOTION("DeploymentPromotion"),
    ALLOCATION_UPDATED("AllocationUpdated"),
    PLAN_RESULT("PlanResult"),
    ALLOCATION_UPDATE_DESIRED_STATUS("AllocationUpdateDesiredStatus"),
    CSI_VOLUME_DEREGISTERED("CSIVolumeDeregistered"),
    CSI_VOLUME_REGISTERED("CSIVolumeRegistered"),
    CSI_VOLUME_CLAIM("CSIVolumeClaim"),
    /** Ours: a call was made for a volume. Others that follow volumes pass over it. */
    CSI_VOLUME_EVENT("CSIVolumeEvent"),
    /** Ours: a call about what is no volume yet is made, is answered, or ends. */
    CSI_VOLUME_OPERATION("CSIVolumeOperation"),
    HOST_VOLUME_DELETED("HostVolumeDeleted"),
    HOST_VOLUME_REGISTERED("HostVolumeRegistered"),
    DEPLOYMENT_STATUS_UPDATE("DeploymentStatusUpdate"),
    EVALUATION_UPDATED("EvaluationUpdated");

    private final String wire;

    EventType(String wire) {
        this.wire = wire;
    }

    String wire() {
        return wire;
    }

    /** The one that tells more. */
    EventType or(EventType other) {
        return compareTo(other) <= 0 ? this : other;
    }
}
