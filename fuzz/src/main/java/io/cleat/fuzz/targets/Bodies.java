package io.cleat.fuzz.targets;

import io.cleat.api.AllocRestartRequest;
import io.cleat.api.AllocSignalRequest;
import io.cleat.api.CsiSnapshotRequest;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.DeploymentAllocHealthRequest;
import io.cleat.api.DeploymentPauseRequest;
import io.cleat.api.DeploymentPromoteRequest;
import io.cleat.api.EvalDeleteRequest;
import io.cleat.api.FuzzySearchRequest;
import io.cleat.api.HostVolumeRequest;
import io.cleat.api.JobDispatchRequest;
import io.cleat.api.JobEvaluateRequest;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.JobRevertRequest;
import io.cleat.api.JobStabilityRequest;
import io.cleat.api.JobStatusesRequest;
import io.cleat.api.JobTagRequest;
import io.cleat.api.JobValidateRequest;
import io.cleat.api.Namespace;
import io.cleat.api.NodeDrainRequest;
import io.cleat.api.NodeEligibilityRequest;
import io.cleat.api.NodeMetaRequest;
import io.cleat.api.NodeQuarantineRequest;
import io.cleat.api.RecoveryAbandonRequest;
import io.cleat.api.RecoveryEndRequest;
import io.cleat.api.ScalingRequest;
import io.cleat.api.SchedulerConfiguration;
import io.cleat.api.SearchRequest;
import io.cleat.api.Variable;
import java.util.Map;
import java.util.Optional;

/** What the routes read as their bodies. */
public final class Bodies {
    private static final Map<String, Class<?>> OF = Map.ofEntries(
            Map.entry("/v1/jobs", JobRegisterRequest.class),
            Map.entry("/v1/jobs/statuses", JobStatusesRequest.class),
            Map.entry("/v1/evaluations", EvalDeleteRequest.class),
            Map.entry("/v1/jobs/parse", JobParseRequest.class),
            Map.entry("/v1/validate/job", JobValidateRequest.class),
            Map.entry("/v1/job/:id", JobRegisterRequest.class),
            Map.entry("/v1/job/:id/plan", JobPlanRequest.class),
            Map.entry("/v1/job/:id/evaluate", JobEvaluateRequest.class),
            Map.entry("/v1/job/:id/revert", JobRevertRequest.class),
            Map.entry("/v1/job/:id/dispatch", JobDispatchRequest.class),
            Map.entry("/v1/job/:id/stable", JobStabilityRequest.class),
            Map.entry("/v1/job/:id/scale", ScalingRequest.class),
            Map.entry("/v1/job/:id/versions/:tag/tag", JobTagRequest.class),
            Map.entry("/v1/namespace", Namespace.class),
            Map.entry("/v1/namespace/:name", Namespace.class),
            Map.entry("/v1/var/*path", Variable.class),
            Map.entry("/v1/volumes", CsiVolumeRequest.class),
            Map.entry("/v1/volumes/snapshot", CsiSnapshotRequest.class),
            Map.entry("/v1/volume/csi/:id", CsiVolumeRequest.class),
            Map.entry("/v1/volume/csi/:id/create", CsiVolumeRequest.class),
            Map.entry("/v1/volume/host/create", HostVolumeRequest.class),
            Map.entry("/v1/volume/host/register", HostVolumeRequest.class),
            Map.entry("/v1/search", SearchRequest.class),
            Map.entry("/v1/search/fuzzy", FuzzySearchRequest.class),
            Map.entry("/v1/node/:id/drain", NodeDrainRequest.class),
            Map.entry("/v1/node/:id/eligibility", NodeEligibilityRequest.class),
            Map.entry("/v1/node/:id/quarantine", NodeQuarantineRequest.class),
            Map.entry("/v1/operator/recovery/end", RecoveryEndRequest.class),
            Map.entry("/v1/operator/recovery/abandon", RecoveryAbandonRequest.class),
            Map.entry("/v1/operator/scheduler/configuration", SchedulerConfiguration.class),
            Map.entry("/v1/deployment/pause/:id", DeploymentPauseRequest.class),
            Map.entry("/v1/deployment/promote/:id", DeploymentPromoteRequest.class),
            Map.entry("/v1/deployment/allocation-health/:id", DeploymentAllocHealthRequest.class),
            Map.entry("/v1/client/metadata", NodeMetaRequest.class),
            Map.entry("/v1/client/allocation/:id/signal", AllocSignalRequest.class),
            Map.entry("/v1/client/allocation/:id/restart", AllocRestartRequest.class));

    private Bodies() {}

    /** The record of a route's body; empty for a route that reads none. */
    public static Optional<Class<?>> of(String pattern) {
        return Optional.ofNullable(OF.get(pattern));
    }
}
