package io.cleat.server.intake;

import io.cleat.base.Chance;
import io.cleat.base.Deadline;
import io.cleat.base.Ids;
import io.cleat.base.LogTrouble;
import io.cleat.base.Refused;
import io.cleat.base.Time;
import io.cleat.server.commit.Applied;
import io.cleat.server.commit.AppliedDecision;
import io.cleat.server.commit.Committer;
import io.cleat.server.commit.DecisionListener;
import io.cleat.server.decide.CollectGarbage;
import io.cleat.server.session.LockTimes;
import io.cleat.server.session.NodeSessions;
import io.cleat.server.vault.Vault;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import java.time.Duration;
import java.util.Optional;

/** All that can be asked of the cluster. Any thread may ask; each call blocks until answered. */
public final class Requests implements DecisionListener<ClusterState, Change> {
    /**
     * How long a write is waited for. A plugin may take minutes to create a volume; the call goes on though nobody
     * waits for it any more.
     */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Time time;
    private final ImageWaiters waiters;
    private final RecentDecisions recent;
    private final Commits commits;
    private final Reads reads;
    private final JobRequests jobs;
    private final VolumeRequests volumes;
    private final OperationRequests operations;
    private final EvaluationRequests evaluations;
    private final NodeRequests nodes;
    private final DeploymentRequests deployments;
    private final RecoveryRequests recovery;
    private final NamespaceRequests namespaces;
    private final HostVolumeRequests hostVolumes;
    private final ServiceRequests services;
    private final SchedulingRequests scheduling;
    private final VariableRequests variables;

    /** @param locks how long locks of variables are held, as its leader counts */
    public Requests(
            Committer<ClusterState, Change> committer,
            NodeSessions sessions,
            Vault vault,
            LockTimes locks,
            Time time,
            Chance chance,
            Ids ids) {
        this.time = time;
        this.waiters = new ImageWaiters(committer.applied().image(), time);
        this.recent = new RecentDecisions(time);
        this.commits = new Commits(committer, waiters, ids);
        this.reads = new Reads(committer, waiters, time, chance);
        this.jobs = new JobRequests(commits, ids);
        this.volumes = new VolumeRequests(commits, sessions, vault);
        this.operations = new OperationRequests(commits);
        this.evaluations = new EvaluationRequests(commits);
        this.nodes = new NodeRequests(commits);
        this.deployments = new DeploymentRequests(commits);
        this.recovery = new RecoveryRequests(commits, sessions);
        this.namespaces = new NamespaceRequests(commits);
        this.hostVolumes = new HostVolumeRequests(commits, sessions, time);
        this.scheduling = new SchedulingRequests(commits);
        this.variables = new VariableRequests(commits, vault, locks);
        this.services = new ServiceRequests(commits);
    }

    /**
     * What comes with a request that is waited for as long as any.
     *
     * @param requestId empty for none
     */
    public Asked asked(String requestId) {
        return new Asked(requestId.isEmpty() ? Optional.empty() : Optional.of(requestId), deadline());
    }

    /** Until when a request is waited for that is waited for as long as any. */
    public Deadline deadline() {
        return Deadline.in(time, LONGEST);
    }

    /** Images to look at. */
    public Reads reads() {
        return reads;
    }

    /** What was decided last, for those who follow it. */
    public RecentDecisions recent() {
        return recent;
    }

    /** Jobs and allocations. */
    public JobRequests jobs() {
        return jobs;
    }

    public VolumeRequests volumes() {
        return volumes;
    }

    public OperationRequests operations() {
        return operations;
    }

    public EvaluationRequests evaluations() {
        return evaluations;
    }

    public NodeRequests nodes() {
        return nodes;
    }

    public DeploymentRequests deployments() {
        return deployments;
    }

    public RecoveryRequests recovery() {
        return recovery;
    }

    public NamespaceRequests namespaces() {
        return namespaces;
    }

    public HostVolumeRequests hostVolumes() {
        return hostVolumes;
    }

    public ServiceRequests services() {
        return services;
    }

    public SchedulingRequests scheduling() {
        return scheduling;
    }

    public VariableRequests variables() {
        return variables;
    }

    /**
     * Collects now what would be collected with age.
     *
     * @return how many rows went
     */
    public int collectGarbage(Deadline deadline) throws Refused, LogTrouble, InterruptedException {
        int removed = 0;
        boolean more = true;
        while (more) {
            CollectGarbage.Reply reply =
                    commits.commit(CollectGarbage.NOW, deadline).reply();
            removed += reply.removed();
            more = reply.more();
        }
        return removed;
    }

    @Override
    public void applied(AppliedDecision<ClusterState, Change> decision) {
        waiters.changed(decision.before(), decision.changes(), decision.after());
    }

    @Override
    public void installed(Applied<ClusterState> after) {
        waiters.replaced(after.image());
    }
}
