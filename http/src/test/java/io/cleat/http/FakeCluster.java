package io.cleat.http;

import io.cleat.api.AgentMembers;
import io.cleat.api.AllocStopResponse;
import io.cleat.api.Allocation;
import io.cleat.api.AllocationStub;
import io.cleat.api.Answer;
import io.cleat.api.AnswerMeta;
import io.cleat.api.AutopilotConfiguration;
import io.cleat.api.AutopilotHealth;
import io.cleat.api.CsiPlugin;
import io.cleat.api.CsiPluginStub;
import io.cleat.api.CsiSnapshotRequest;
import io.cleat.api.CsiSnapshotResponse;
import io.cleat.api.CsiVolume;
import io.cleat.api.CsiVolumeRequest;
import io.cleat.api.CsiVolumeResponse;
import io.cleat.api.CsiVolumeStub;
import io.cleat.api.Deployment;
import io.cleat.api.DeploymentAllocHealthRequest;
import io.cleat.api.DeploymentUpdateResponse;
import io.cleat.api.EvalCountResponse;
import io.cleat.api.EvalDeleteResponse;
import io.cleat.api.Evaluation;
import io.cleat.api.ExternalVolumeResponse;
import io.cleat.api.FuzzySearchRequest;
import io.cleat.api.FuzzySearchResponse;
import io.cleat.api.HostVolume;
import io.cleat.api.HostVolumeClaim;
import io.cleat.api.HostVolumeDeleteResponse;
import io.cleat.api.HostVolumeRequest;
import io.cleat.api.HostVolumeResponse;
import io.cleat.api.HostVolumeStub;
import io.cleat.api.Job;
import io.cleat.api.JobDeregisterResponse;
import io.cleat.api.JobDispatchRequest;
import io.cleat.api.JobDispatchResponse;
import io.cleat.api.JobOverview;
import io.cleat.api.JobParseRequest;
import io.cleat.api.JobPlanRequest;
import io.cleat.api.JobPlanResponse;
import io.cleat.api.JobRegisterRequest;
import io.cleat.api.JobRegisterResponse;
import io.cleat.api.JobRevertRequest;
import io.cleat.api.JobScaleStatus;
import io.cleat.api.JobStabilityRequest;
import io.cleat.api.JobStabilityResponse;
import io.cleat.api.JobStatusesRequest;
import io.cleat.api.JobStub;
import io.cleat.api.JobSubmission;
import io.cleat.api.JobSummary;
import io.cleat.api.JobTagRequest;
import io.cleat.api.JobTagResponse;
import io.cleat.api.JobValidateRequest;
import io.cleat.api.JobValidateResponse;
import io.cleat.api.JobVersionsResponse;
import io.cleat.api.Metrics;
import io.cleat.api.Namespace;
import io.cleat.api.NamespaceServices;
import io.cleat.api.Node;
import io.cleat.api.NodeDrainProgress;
import io.cleat.api.NodeDrainRequest;
import io.cleat.api.NodeEvaluateResponse;
import io.cleat.api.NodePool;
import io.cleat.api.NodeQuarantineRequest;
import io.cleat.api.NodeStub;
import io.cleat.api.NodeUpdateResponse;
import io.cleat.api.PeriodicForceResponse;
import io.cleat.api.PluginLane;
import io.cleat.api.RaftConfiguration;
import io.cleat.api.RecoveryChanged;
import io.cleat.api.RecoveryState;
import io.cleat.api.Rows;
import io.cleat.api.ScalingPolicy;
import io.cleat.api.ScalingPolicyStub;
import io.cleat.api.ScalingRequest;
import io.cleat.api.SchedulerConfiguration;
import io.cleat.api.SchedulerConfigurationResponse;
import io.cleat.api.SchedulerUpdateResponse;
import io.cleat.api.SearchRequest;
import io.cleat.api.SearchResponse;
import io.cleat.api.ServiceRegistration;
import io.cleat.api.Variable;
import io.cleat.api.VariableMetadata;
import io.cleat.api.VolumeOperation;
import io.cleat.api.VolumeOperationCancelResponse;
import io.cleat.api.VolumeWhy;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A cluster that answers each question with what the test laid ready, and remembers the question.
 */
final class FakeCluster implements ClusterApi {
    /** The body of the next answers; null for "no such object". */
    @Nullable Object body;

    AnswerMeta meta = AnswerMeta.ofLeader(7);

    /** Thrown instead, if there is one. */
    @Nullable Refusal refusal;

    /** What readers of events come to. */
    final BlockingQueue<EventReader.Step> steps = new LinkedBlockingQueue<>();

    /** What was asked last: the method, then its arguments. */
    List<Object> asked = List.of();

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private <T> T plain(Object... question) throws Refused {
        asked = List.of(question);
        if (refusal != null) {
            throw new Refused(refusal);
        }
        if (body == null) {
            throw new IllegalStateException("no answer laid ready for " + asked);
        }
        return (T) body;
    }

    private <T> Answer<T> answer(Object... question) throws Refused {
        return new Answer<>(plain(question), meta);
    }

    private AnswerMeta done(Object... question) throws Refused {
        asked = List.of(question);
        if (refusal != null) {
            throw new Refused(refusal);
        }
        return meta;
    }

    @SuppressWarnings("unchecked")
    private <T> Answer<Optional<T>> found(Object... question) throws Refused {
        done(question);
        return new Answer<>(Optional.ofNullable((T) body), meta);
    }

    @Override
    public VolumesApi volumes() {
        return new Volumes();
    }

    @Override
    public PluginsApi plugins() {
        return new PluginsApi() {
            @Override
            public Answer<Rows<CsiPluginStub>> list(ListQuery query) throws Refused {
                return answer("plugins.list", query);
            }

            @Override
            public Answer<Optional<CsiPlugin>> get(ReadQuery query, String id) throws Refused {
                return found("plugins.get", query, id);
            }

            @Override
            public Answer<Optional<List<PluginLane>>> lanes(ReadQuery query, String id)
                    throws Refused {
                return found("plugins.lanes", query, id);
            }
        };
    }

    @Override
    public JobsApi jobs() {
        return new Jobs();
    }

    @Override
    public EvaluationsApi evaluations() {
        return new EvaluationsApi() {
            @Override
            public Answer<Rows<Evaluation>> list(ListQuery query, String jobId, String status)
                    throws Refused {
                return answer("evaluations.list", query, jobId, status);
            }

            @Override
            public Answer<Optional<Evaluation>> get(ReadQuery query, String id, boolean related)
                    throws Refused {
                return found("evaluations.get", query, id, related);
            }

            @Override
            public Answer<Rows<AllocationStub>> allocations(ReadQuery query, String id)
                    throws Refused {
                return answer("evaluations.allocations", query, id);
            }

            @Override
            public Answer<EvalCountResponse> count(ListQuery query, String jobId, String status)
                    throws Refused {
                return answer("evaluations.count", query, jobId, status);
            }

            @Override
            public Answer<EvalDeleteResponse> delete(WriteQuery query, List<String> ids)
                    throws Refused {
                return answer("evaluations.delete", query, ids);
            }

            @Override
            public Answer<EvalDeleteResponse> deleteMatching(WriteQuery query, Filter filter)
                    throws Refused {
                return answer("evaluations.deleteMatching", query, filter);
            }
        };
    }

    @Override
    public DeploymentsApi deployments() {
        return new DeploymentsApi() {
            @Override
            public Answer<Rows<Deployment>> list(ListQuery query) throws Refused {
                return answer("deployments.list", query);
            }

            @Override
            public Answer<Optional<Deployment>> get(ReadQuery query, String id) throws Refused {
                return found("deployments.get", query, id);
            }

            @Override
            public Answer<Rows<AllocationStub>> allocations(ReadQuery query, String id)
                    throws Refused {
                return answer("deployments.allocations", query, id);
            }

            @Override
            public Answer<Rows<Deployment>> ofJob(ReadQuery query, String jobId, boolean all)
                    throws Refused {
                return answer("deployments.ofJob", query, jobId, all);
            }

            @Override
            public Answer<DeploymentUpdateResponse> pause(
                    WriteQuery query, String id, boolean pause) throws Refused {
                return answer("deployments.pause", query, id, pause);
            }

            @Override
            public Answer<DeploymentUpdateResponse> promote(
                    WriteQuery query, String id, List<String> groups) throws Refused {
                return answer("deployments.promote", query, id, groups);
            }

            @Override
            public Answer<DeploymentUpdateResponse> fail(WriteQuery query, String id)
                    throws Refused {
                return answer("deployments.fail", query, id);
            }

            @Override
            public Answer<DeploymentUpdateResponse> health(
                    WriteQuery query, String id, DeploymentAllocHealthRequest request)
                    throws Refused {
                return answer("deployments.health", query, id, request);
            }
        };
    }

    @Override
    public AllocationsApi allocations() {
        return new AllocationsApi() {
            @Override
            public Answer<Rows<AllocationStub>> list(
                    ListQuery query, boolean resources, boolean taskStates) throws Refused {
                return answer("allocations.list", query, resources, taskStates);
            }

            @Override
            public Answer<Optional<Allocation>> get(ReadQuery query, String id) throws Refused {
                return found("allocations.get", query, id);
            }

            @Override
            public Answer<AllocStopResponse> stop(
                    WriteQuery query, String id, boolean noShutdownDelay) throws Refused {
                return answer("allocations.stop", query, id, noShutdownDelay);
            }
        };
    }

    @Override
    public NodesApi nodes() {
        return new NodesApi() {
            @Override
            public Answer<Rows<NodeStub>> list(ListQuery query, boolean resources) throws Refused {
                return answer("nodes.list", query, resources);
            }

            @Override
            public Answer<Optional<Node>> get(ReadQuery query, String id) throws Refused {
                return found("nodes.get", query, id);
            }

            @Override
            public Answer<Rows<Allocation>> allocations(ReadQuery query, String id) throws Refused {
                return answer("nodes.allocations", query, id);
            }

            @Override
            public Answer<NodeUpdateResponse> drain(
                    WriteQuery query, String id, NodeDrainRequest request) throws Refused {
                return answer("nodes.drain", query, id, request);
            }

            @Override
            public Answer<Optional<NodeDrainProgress>> drainProgress(ReadQuery query, String id)
                    throws Refused {
                return found("nodes.drainProgress", query, id);
            }

            @Override
            public Answer<NodeUpdateResponse> eligibility(
                    WriteQuery query, String id, boolean eligible) throws Refused {
                return answer("nodes.eligibility", query, id, eligible);
            }

            @Override
            public Answer<NodeUpdateResponse> quarantine(
                    WriteQuery query, String id, NodeQuarantineRequest request) throws Refused {
                return answer("nodes.quarantine", query, id, request);
            }

            @Override
            public Answer<NodeEvaluateResponse> evaluate(WriteQuery query, String id)
                    throws Refused {
                return answer("nodes.evaluate", query, id);
            }

            @Override
            public Answer<NodeUpdateResponse> purge(WriteQuery query, String id) throws Refused {
                return answer("nodes.purge", query, id);
            }
        };
    }

    @Override
    public NodePoolsApi nodePools() {
        return new NodePoolsApi() {
            @Override
            public Answer<Rows<NodePool>> list(ListQuery query) throws Refused {
                return answer("nodePools.list", query);
            }

            @Override
            public Answer<Optional<NodePool>> get(ReadQuery query, String name) throws Refused {
                return answer("nodePools.get", query, name);
            }

            @Override
            public Answer<Rows<NodeStub>> nodes(ListQuery query, String name) throws Refused {
                return answer("nodePools.nodes", query, name);
            }

            @Override
            public Answer<Rows<JobStub>> jobs(ListQuery query, String name) throws Refused {
                return answer("nodePools.jobs", query, name);
            }
        };
    }

    @Override
    public ScalingApi scaling() {
        return new ScalingApi() {
            @Override
            public Answer<Rows<ScalingPolicyStub>> policies(
                    ReadQuery query, String job, String type) throws Refused {
                return answer("scaling.policies", query, job, type);
            }

            @Override
            public Answer<Optional<ScalingPolicy>> policy(ReadQuery query, String id)
                    throws Refused {
                return found("scaling.policy", query, id);
            }
        };
    }

    @Override
    public VariablesApi variables() {
        return new VariablesApi() {
            @Override
            public Answer<Rows<VariableMetadata>> list(ListQuery query) throws Refused {
                return answer("variables.list", query);
            }

            @Override
            public Answer<Optional<Variable>> get(ReadQuery query, String path) throws Refused {
                return found("variables.get", query, path);
            }

            @Override
            public Written put(WriteQuery query, String path, Variable wanted, OptionalLong cas)
                    throws Refused {
                return plain("variables.put", query, path, wanted, cas);
            }

            @Override
            public Written delete(WriteQuery query, String path, OptionalLong cas) throws Refused {
                return plain("variables.delete", query, path, cas);
            }

            @Override
            public Written lock(WriteQuery query, String path, Variable wanted) throws Refused {
                return plain("variables.lock", query, path, wanted);
            }

            @Override
            public Written renew(WriteQuery query, String path, Variable held) throws Refused {
                return plain("variables.renew", query, path, held);
            }

            @Override
            public Written release(WriteQuery query, String path, Variable held) throws Refused {
                return plain("variables.release", query, path, held);
            }
        };
    }

    @Override
    public NamespacesApi namespaces() {
        return new NamespacesApi() {
            @Override
            public Answer<Rows<Namespace>> list(ListQuery query) throws Refused {
                return answer("namespaces.list", query);
            }

            @Override
            public Answer<Optional<Namespace>> get(ReadQuery query, String name) throws Refused {
                return answer("namespaces.get", query, name);
            }

            @Override
            public void apply(WriteQuery query, Namespace wanted) throws Refused {
                done("namespaces.apply", query, wanted);
            }

            @Override
            public void delete(WriteQuery query, String name) throws Refused {
                done("namespaces.delete", query, name);
            }
        };
    }

    @Override
    public ServicesApi services() {
        return new ServicesApi() {
            @Override
            public Answer<Rows<NamespaceServices>> list(ListQuery query) throws Refused {
                return answer("services.list", query);
            }

            @Override
            public Answer<Rows<ServiceRegistration>> get(
                    ListQuery query, String name, Optional<Choice> choice) throws Refused {
                return answer("services.get", query, name, choice);
            }

            @Override
            public AnswerMeta delete(WriteQuery query, String name, String id) throws Refused {
                return done("services.delete", query, name, id);
            }

            @Override
            public Answer<Optional<Rows<ServiceRegistration>>> ofJob(ReadQuery query, String jobId)
                    throws Refused {
                return answer("services.ofJob", query, jobId);
            }

            @Override
            public Answer<Optional<Rows<ServiceRegistration>>> ofAllocation(
                    ReadQuery query, String allocId) throws Refused {
                return answer("services.ofAllocation", query, allocId);
            }
        };
    }

    @Override
    public HostVolumesApi hostVolumes() {
        return new HostVolumesApi() {
            @Override
            public Answer<Rows<HostVolumeStub>> list(
                    ListQuery query, String nodeId, String nodePool) throws Refused {
                return answer("hostVolumes.list", query, nodeId, nodePool);
            }

            @Override
            public Answer<Optional<HostVolume>> get(ReadQuery query, String id) throws Refused {
                return answer("hostVolumes.get", query, id);
            }

            @Override
            public Answer<HostVolumeResponse> create(WriteQuery query, HostVolumeRequest request)
                    throws Refused {
                return answer("hostVolumes.create", query, request);
            }

            @Override
            public Answer<HostVolumeResponse> register(WriteQuery query, HostVolumeRequest request)
                    throws Refused {
                return answer("hostVolumes.register", query, request);
            }

            @Override
            public Answer<HostVolumeDeleteResponse> delete(
                    WriteQuery query, String id, boolean force) throws Refused {
                return answer("hostVolumes.delete", query, id, force);
            }

            @Override
            public Answer<Rows<HostVolumeClaim>> claims(
                    ListQuery query, String jobId, String taskGroup, String volumeName)
                    throws Refused {
                return answer("hostVolumes.claims", query, jobId, taskGroup, volumeName);
            }

            @Override
            public AnswerMeta deleteClaim(WriteQuery query, String id) throws Refused {
                return done("hostVolumes.deleteClaim", query, id);
            }
        };
    }

    @Override
    public OperatorApi operator() {
        return new Operator();
    }

    @Override
    public EventsApi events() {
        return query -> {
            asked = List.of("events.open", query);
            return steps::take;
        };
    }

    private final class Volumes implements VolumesApi {
        @Override
        public Answer<Rows<CsiVolumeStub>> list(ListQuery query, String pluginId, String nodeId)
                throws Refused {
            return answer("volumes.list", query, pluginId, nodeId);
        }

        @Override
        public Answer<Optional<CsiVolume>> get(ReadQuery query, String id) throws Refused {
            return found("volumes.get", query, id);
        }

        @Override
        public Answer<Optional<VolumeWhy>> why(ReadQuery query, String id) throws Refused {
            return found("volumes.why", query, id);
        }

        @Override
        public Answer<VolumeOperationCancelResponse> cancel(WriteQuery query, String operationId)
                throws Refused {
            return answer("volumes.cancel", query, operationId);
        }

        @Override
        public Answer<List<VolumeOperation>> operations(ReadQuery query, String about)
                throws Refused {
            return answer("volumes.operations", query, about);
        }

        @Override
        public Answer<CsiVolumeResponse> register(WriteQuery query, CsiVolumeRequest request)
                throws Refused {
            return answer("volumes.register", query, request);
        }

        @Override
        public Answer<CsiVolumeResponse> create(WriteQuery query, CsiVolumeRequest request)
                throws Refused {
            return answer("volumes.create", query, request);
        }

        @Override
        public AnswerMeta deregister(WriteQuery query, String id, boolean force) throws Refused {
            return done("volumes.deregister", query, id, force);
        }

        @Override
        public AnswerMeta delete(WriteQuery query, String id, Secrets secrets) throws Refused {
            return done("volumes.delete", query, id, secrets.reveal());
        }

        @Override
        public AnswerMeta detach(
                WriteQuery query, String id, String nodeId, boolean abandon, String machineIsOff)
                throws Refused {
            return done("volumes.detach", query, id, nodeId, abandon, machineIsOff);
        }

        @Override
        public Answer<CsiSnapshotResponse> createSnapshots(
                WriteQuery query, CsiSnapshotRequest request) throws Refused {
            return answer("volumes.createSnapshots", query, request);
        }

        @Override
        public AnswerMeta deleteSnapshot(
                WriteQuery query, String pluginId, String snapshotId, Secrets secrets)
                throws Refused {
            return done("volumes.deleteSnapshot", query, pluginId, snapshotId, secrets.reveal());
        }

        @Override
        public CsiSnapshotResponse snapshots(
                ReadQuery query, String pluginId, int perPage, String nextToken, Secrets secrets)
                throws Refused {
            return plain(
                    "volumes.snapshots", query, pluginId, perPage, nextToken, secrets.reveal());
        }

        @Override
        public ExternalVolumeResponse external(
                ReadQuery query, String pluginId, int perPage, String nextToken) throws Refused {
            return plain("volumes.external", query, pluginId, perPage, nextToken);
        }
    }

    private final class Jobs implements JobsApi {
        @Override
        public Answer<Rows<JobStub>> list(ListQuery query, boolean withMeta) throws Refused {
            return answer("jobs.list", query, withMeta);
        }

        @Override
        public Answer<Rows<JobOverview>> statuses(ListQuery query, boolean children)
                throws Refused {
            return answer("jobs.statuses", query, children);
        }

        @Override
        public Answer<Rows<JobOverview>> statusesOf(
                ReadQuery query, List<JobStatusesRequest.Name> jobs) throws Refused {
            return answer("jobs.statusesOf", query, jobs);
        }

        @Override
        public Answer<Optional<Job>> get(ReadQuery query, String id) throws Refused {
            return found("jobs.get", query, id);
        }

        @Override
        public Answer<Optional<JobSummary>> summary(ReadQuery query, String id) throws Refused {
            return found("jobs.summary", query, id);
        }

        @Override
        public Answer<Optional<JobVersionsResponse>> versions(
                ReadQuery query, String id, boolean diffs, OptionalLong against, String againstTag)
                throws Refused {
            return found("jobs.versions", query, id, diffs, against, againstTag);
        }

        @Override
        public Answer<Optional<JobSubmission>> submission(
                ReadQuery query, String id, OptionalLong version) throws Refused {
            return found("jobs.submission", query, id, version);
        }

        @Override
        public Answer<Rows<AllocationStub>> allocations(ReadQuery query, String id, boolean all)
                throws Refused {
            return answer("jobs.allocations", query, id, all);
        }

        @Override
        public Answer<Rows<Evaluation>> evaluations(ReadQuery query, String id) throws Refused {
            return answer("jobs.evaluations", query, id);
        }

        @Override
        public Answer<JobRegisterResponse> register(WriteQuery query, JobRegisterRequest request)
                throws Refused {
            return answer("jobs.register", query, request);
        }

        @Override
        public Answer<JobRegisterResponse> evaluate(
                WriteQuery query, String id, boolean forceReschedule) throws Refused {
            return answer("jobs.evaluate", query, id, forceReschedule);
        }

        @Override
        public Answer<JobRegisterResponse> revert(
                WriteQuery query, String id, JobRevertRequest request) throws Refused {
            return answer("jobs.revert", query, id, request);
        }

        @Override
        public Answer<PeriodicForceResponse> forcePeriodic(WriteQuery query, String id)
                throws Refused {
            return answer("jobs.forcePeriodic", query, id);
        }

        @Override
        public Answer<JobDispatchResponse> dispatch(
                WriteQuery query, String id, JobDispatchRequest request) throws Refused {
            return answer("jobs.dispatch", query, id, request);
        }

        @Override
        public Answer<Optional<JobScaleStatus>> scaleStatus(ReadQuery query, String id)
                throws Refused {
            return found("jobs.scaleStatus", query, id);
        }

        @Override
        public Answer<JobRegisterResponse> scale(
                WriteQuery query, String id, ScalingRequest request) throws Refused {
            return answer("jobs.scale", query, id, request);
        }

        @Override
        public Answer<JobStabilityResponse> stable(
                WriteQuery query, String id, JobStabilityRequest request) throws Refused {
            return answer("jobs.stable", query, id, request);
        }

        @Override
        public Answer<JobTagResponse> tag(
                WriteQuery query, String id, String name, JobTagRequest request) throws Refused {
            return answer("jobs.tag", query, id, name, request);
        }

        @Override
        public Answer<JobTagResponse> untag(WriteQuery query, String id, String name)
                throws Refused {
            return answer("jobs.untag", query, id, name);
        }

        @Override
        public Answer<JobDeregisterResponse> deregister(
                WriteQuery query,
                String id,
                boolean purge,
                boolean force,
                boolean noShutdownDelay,
                int evalPriority)
                throws Refused {
            return answer(
                    "jobs.deregister", query, id, purge, force, noShutdownDelay, evalPriority);
        }

        @Override
        public Answer<JobPlanResponse> plan(WriteQuery query, String id, JobPlanRequest request)
                throws Refused {
            return answer("jobs.plan", query, id, request);
        }

        @Override
        public JobValidateResponse validate(WriteQuery query, JobValidateRequest request)
                throws Refused {
            return plain("jobs.validate", query, request);
        }

        @Override
        public Job parse(JobParseRequest request) throws Refused {
            return plain("jobs.parse", request);
        }
    }

    private final class Operator implements OperatorApi {
        @Override
        public String leader() throws Refused {
            return plain("operator.leader");
        }

        @Override
        public List<String> peers() throws Refused {
            return plain("operator.peers");
        }

        @Override
        public List<String> regions() {
            return List.of("global");
        }

        @Override
        public AgentMembers members() throws Refused {
            return plain("operator.members");
        }

        @Override
        public RaftConfiguration raftConfiguration() throws Refused {
            return plain("operator.raftConfiguration");
        }

        @Override
        public AutopilotHealth autopilotHealth() throws Refused {
            return plain("operator.autopilotHealth");
        }

        @Override
        public AutopilotConfiguration autopilotConfiguration() throws Refused {
            return plain("operator.autopilotConfiguration");
        }

        @Override
        public Answer<FuzzySearchResponse> fuzzySearch(ReadQuery query, FuzzySearchRequest request)
                throws Refused {
            return answer("operator.fuzzySearch", query, request);
        }

        @Override
        public Answer<SearchResponse> search(ReadQuery query, SearchRequest request)
                throws Refused {
            return answer("operator.search", query, request);
        }

        @Override
        public Answer<SchedulerConfigurationResponse> scheduler(ReadQuery query) throws Refused {
            return answer("operator.scheduler", query);
        }

        @Override
        public Answer<SchedulerUpdateResponse> setScheduler(
                WriteQuery query, SchedulerConfiguration wanted, OptionalLong ifModifyIndex)
                throws Refused {
            return answer("operator.setScheduler", query, wanted, ifModifyIndex);
        }

        @Override
        public Metrics metrics() throws Refused {
            return plain("operator.metrics");
        }

        @Override
        public RecoveryState recovery(ReadQuery query) throws Refused {
            return plain("operator.recovery", query);
        }

        @Override
        public RecoveryChanged endRecovery(String by, boolean force) throws Refused {
            return plain("operator.endRecovery", by, force);
        }

        @Override
        public RecoveryChanged abandonHoldings(String nodeId) throws Refused {
            return plain("operator.abandonHoldings", nodeId);
        }

        @Override
        public SnapshotBody snapshot() throws Refused {
            return plain("operator.snapshot");
        }

        @Override
        public void collectGarbage(WriteQuery query) throws Refused {
            done("operator.collectGarbage", query);
        }
    }
}
