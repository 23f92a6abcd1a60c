package io.cleat.views;

import io.cleat.base.Deadline;
import io.cleat.base.EarlyEnd;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.base.Time;
import io.cleat.base.Trouble;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.model.Listed;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.server.commit.Saved;
import io.cleat.server.decide.CancelOperation;
import io.cleat.server.decide.ConfigureScheduling;
import io.cleat.server.decide.DeleteEvaluations;
import io.cleat.server.decide.DeploymentReply;
import io.cleat.server.decide.DeregisterJob;
import io.cleat.server.decide.DispatchJob;
import io.cleat.server.decide.DrainNode;
import io.cleat.server.decide.EvaluateJob;
import io.cleat.server.decide.EvaluateNode;
import io.cleat.server.decide.RegisterJob;
import io.cleat.server.decide.ScaleJob;
import io.cleat.server.decide.StopAllocation;
import io.cleat.server.decide.TagJobVersion;
import io.cleat.server.decide.VariableReply;
import io.cleat.server.intake.Asked;
import io.cleat.server.intake.Done;
import io.cleat.server.intake.JobRequests;
import io.cleat.server.intake.Requests;
import io.cleat.state.ClusterState;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.NamespaceRow;
import io.cleat.state.NodeRow;
import io.cleat.state.SchedulingRow;
import io.cleat.state.TableName;
import io.cleat.state.VariableRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The ports of this module over the server of this process. */
public final class ServerRequests implements Images, Writes {
    /**
     * How long a write is waited for. A plugin may take minutes to create a volume; the call goes
     * on though nobody waits for it any more.
     */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Requests requests;
    private final Time time;

    public ServerRequests(Requests requests, Time time) {
        this.requests = requests;
        this.time = time;
    }

    @Override
    public ClusterState read(boolean stale) throws Refused, Trouble, InterruptedException {
        return requests.reads().read(stale);
    }

    @Override
    public ClusterState readNewer(
            boolean stale,
            Set<TableName> tables,
            ToLongFunction<ClusterState> version,
            long index,
            Duration longest,
            EarlyEnd early)
            throws Refused, Trouble, InterruptedException {
        return requests.reads().readNewer(stale, tables, version, index, longest, early);
    }

    @Override
    public Saved<ClusterState> save() throws Refused, Trouble, InterruptedException {
        return requests.reads().save();
    }

    @Override
    public Rehearsed rehearse(JobSpec job, int priority) throws Refused {
        JobRequests.Planned planned = requests.jobs().plan(job, null, priority);
        return new Rehearsed(
                planned.before(), planned.after(), planned.evaluation(), planned.plan());
    }

    @Override
    public Evaluated registerJob(
            JobSpec job,
            @Nullable JobSource source,
            OptionalLong ifJobModifyVersion,
            int priority,
            String requestId)
            throws Refused, Trouble, InterruptedException {
        return evaluated(
                requests.jobs()
                        .register(
                                job,
                                source,
                                orNull(ifJobModifyVersion),
                                priority,
                                asked(requestId)));
    }

    @Override
    public Evaluated deregisterJob(
            JobId job,
            boolean purge,
            boolean force,
            boolean noShutdownDelay,
            int priority,
            String requestId)
            throws Refused, Trouble, InterruptedException {
        Done<DeregisterJob.Reply> done =
                requests.jobs()
                        .deregister(job, purge, force, noShutdownDelay, priority, asked(requestId));
        DeregisterJob.Reply reply = done.reply();
        return new Evaluated(
                reply.evalId(), reply.evalVersion(), done.version(), reply.jobModifyVersion());
    }

    @Override
    public Evaluated stopAllocation(String allocId, boolean noShutdownDelay, String requestId)
            throws Refused, Trouble, InterruptedException {
        Done<StopAllocation.Reply> done =
                requests.jobs().stopAllocation(allocId, noShutdownDelay, asked(requestId));
        return new Evaluated(done.reply().evalId(), done.version(), done.version(), 0);
    }

    @Override
    public Evaluated evaluateJob(JobId job, boolean forceReschedule, String requestId)
            throws Refused, Trouble, InterruptedException {
        Done<EvaluateJob.Reply> done =
                requests.jobs().evaluate(job, forceReschedule, asked(requestId));
        return new Evaluated(
                done.reply().evalId(),
                done.version(),
                done.version(),
                done.reply().jobModifyVersion());
    }

    @Override
    public Evaluated revertJob(JobId job, long number, @Nullable Long enforced, String requestId)
            throws Refused, Trouble, InterruptedException {
        return evaluated(requests.jobs().revert(job, number, enforced, asked(requestId)));
    }

    @Override
    public Evaluated scaleJob(
            JobId job,
            String group,
            @Nullable Integer count,
            long checkedVersion,
            ScaleJob.Said said,
            String requestId)
            throws Refused, Trouble, InterruptedException {
        return evaluated(
                requests.jobs().scale(job, group, count, checkedVersion, said, asked(requestId)));
    }

    @Override
    public Tagged tagVersion(TagJobVersion command) throws Refused, Trouble, InterruptedException {
        Done<TagJobVersion.Reply> done = requests.jobs().tag(command, asked("").deadline());
        return new Tagged(done.reply().tag(), done.version());
    }

    @Override
    public Evaluated forcePeriodicJob(JobId job, String requestId)
            throws Refused, Trouble, InterruptedException {
        return evaluated(requests.jobs().forceLaunch(job, asked(requestId)));
    }

    @Override
    public Dispatched dispatchJob(
            JobId job, String payload, Map<String, String> meta, int priority, String requestId)
            throws Refused, Trouble, InterruptedException {
        Done<DispatchJob.Reply> done =
                requests.jobs().dispatch(job, payload, meta, priority, asked(requestId));
        return new Dispatched(done.reply().copyId(), done.reply().evalId(), done.version());
    }

    private static Evaluated evaluated(Done<RegisterJob.Reply> done) {
        return new Evaluated(
                done.reply().evalId(),
                done.reply().evalVersion(),
                done.version(),
                done.reply().jobModifyVersion());
    }

    @Override
    public long markStable(JobId job, long number, boolean stable)
            throws Refused, Trouble, InterruptedException {
        return requests.jobs().markStable(job, number, stable, asked("").deadline()).version();
    }

    @Override
    public DeploymentChanged pauseDeployment(String id, boolean pause, String requestId)
            throws Refused, Trouble, InterruptedException {
        return changed(requests.deployments().pause(id, pause, asked(requestId)));
    }

    @Override
    public DeploymentChanged promoteDeployment(String id, List<String> groups, String requestId)
            throws Refused, Trouble, InterruptedException {
        return changed(requests.deployments().promote(id, groups, asked(requestId)));
    }

    @Override
    public DeploymentChanged failDeployment(String id, String requestId)
            throws Refused, Trouble, InterruptedException {
        return changed(requests.deployments().fail(id, asked(requestId)));
    }

    @Override
    public DeploymentChanged setHealth(
            String id, List<String> healthy, List<String> unhealthy, String requestId)
            throws Refused, Trouble, InterruptedException {
        return changed(requests.deployments().health(id, healthy, unhealthy, asked(requestId)));
    }

    private static DeploymentChanged changed(Done<DeploymentReply> done) {
        return new DeploymentChanged(
                done.reply().evalId(), done.version(), done.reply().revertedTo());
    }

    @Override
    public long drainNode(
            String nodeId,
            DrainNode.@Nullable Wish wish,
            boolean markEligible,
            Map<String, String> meta,
            String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.nodes()
                .drain(nodeId, wish, markEligible, meta, asked(requestId))
                .reply()
                .version();
    }

    @Override
    public long markNode(String nodeId, boolean eligible, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.nodes().eligibility(nodeId, eligible, asked(requestId)).reply().version();
    }

    @Override
    public EvaluationsDeleted deleteEvaluations(
            List<String> ids, boolean leavesNeeded, String requestId)
            throws Refused, Trouble, InterruptedException {
        Done<DeleteEvaluations.Reply> done =
                requests.evaluations().delete(ids, leavesNeeded, asked(requestId));
        return new EvaluationsDeleted(
                done.reply().removed(), done.reply().needed(), done.version());
    }

    @Override
    public NodeEvaluated evaluateNode(String nodeId) throws Refused, Trouble, InterruptedException {
        Done<EvaluateNode.Reply> done =
                requests.nodes().evaluate(nodeId, Deadline.in(time, LONGEST));
        return new NodeEvaluated(
                done.reply().evalIds(), done.version(), done.reply().nodeVersion());
    }

    @Override
    public long purgeNode(String nodeId, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.nodes().purge(nodeId, asked(requestId)).reply().version();
    }

    @Override
    public long endQuarantine(String nodeId, boolean accept, String machineIsOff, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.nodes()
                .endQuarantine(nodeId, accept, machineIsOff, asked(requestId))
                .reply()
                .version();
    }

    @Override
    public long registerVolume(VolumeSpec volume, Secrets secrets, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.volumes().register(volume, secrets, asked(requestId));
    }

    @Override
    public long createVolume(VolumeSpec volume, Secrets secrets, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.volumes().create(volume, secrets, asked(requestId));
    }

    @Override
    public long deregisterVolume(VolumeId volume, boolean force, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.volumes().deregister(volume, force, asked(requestId));
    }

    @Override
    public long deleteVolume(VolumeId volume, Secrets secrets, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.volumes().delete(volume, secrets, asked(requestId));
    }

    @Override
    public long detachVolume(
            VolumeId volume, String nodeId, boolean abandon, String machineIsOff, String requestId)
            throws Refused, Trouble, InterruptedException {
        // Without access control nobody has a name: whoever reaches the socket is an operator.
        return requests.volumes()
                .detach(volume, nodeId, abandon, machineIsOff, "an operator", asked(requestId))
                .version();
    }

    @Override
    public Cancelled cancelOperation(String operationId)
            throws Refused, Trouble, InterruptedException {
        Done<CancelOperation.Reply> done =
                requests.operations()
                        .cancel(operationId, "an operator", Deadline.in(time, LONGEST));
        return new Cancelled(done.reply().message(), done.version());
    }

    @Override
    public Listed<ListedVolume> listVolumes(String pluginId, int most, String token)
            throws Refused, Trouble, InterruptedException {
        return requests.volumes().external(pluginId, token, most, Deadline.in(time, LONGEST));
    }

    @Override
    public ListedSnapshot createSnapshot(
            VolumeId volume,
            String name,
            Map<String, String> parameters,
            Secrets secrets,
            String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.volumes()
                .createSnapshot(volume, name, parameters, secrets, asked(requestId))
                .reply();
    }

    @Override
    public long deleteSnapshot(
            String pluginId, String snapshotId, Secrets secrets, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.volumes().deleteSnapshot(pluginId, snapshotId, secrets, asked(requestId));
    }

    @Override
    public Listed<ListedSnapshot> listSnapshots(
            String pluginId, int most, String token, Secrets secrets)
            throws Refused, Trouble, InterruptedException {
        return requests.volumes()
                .snapshots(pluginId, token, most, secrets, Deadline.in(time, LONGEST));
    }

    @Override
    public List<String> unheardInRecovery() {
        return requests.recovery().unheard().stream().map(NodeRow::name).toList();
    }

    @Override
    public int endRecovery(String by, boolean force) throws Refused, Trouble, InterruptedException {
        return requests.recovery().end(by, force, Deadline.in(time, LONGEST));
    }

    @Override
    public int abandonHoldings(String nodeId) throws Refused, Trouble, InterruptedException {
        return requests.recovery().abandon(nodeId, Deadline.in(time, LONGEST));
    }

    @Override
    public PutVolume putHostVolume(HostVolumeSpec volume, String path, String requestId)
            throws Refused, Trouble, InterruptedException {
        Done<HostVolumeRow> done = requests.hostVolumes().put(volume, path, asked(requestId));
        return new PutVolume(done.reply(), done.version());
    }

    @Override
    public long deleteHostVolume(VolumeId volume, boolean force, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.hostVolumes().delete(volume, force, asked(requestId));
    }

    @Override
    public long withdrawService(String namespace, String name, String id, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.services().withdraw(namespace, name, id, asked(requestId));
    }

    @Override
    public long deleteHostVolumeClaim(String namespace, String id, String requestId)
            throws Refused, Trouble, InterruptedException {
        return requests.hostVolumes().deleteClaim(namespace, id, asked(requestId));
    }

    @Override
    public void applyNamespace(NamespaceRow wanted, String requestId)
            throws Refused, Trouble, InterruptedException {
        requests.namespaces().register(wanted, asked(requestId));
    }

    @Override
    public void deleteNamespace(String name, String requestId)
            throws Refused, Trouble, InterruptedException {
        requests.namespaces().deregister(name, asked(requestId));
    }

    @Override
    public Secrets itemsOf(VariableRow row) throws Trouble {
        return requests.variables().items(row);
    }

    @Override
    public VariableWritten putVariable(
            VariableId id,
            Secrets items,
            OptionalLong ifModifyVersion,
            String lockId,
            String requestId)
            throws Refused, Trouble, InterruptedException {
        return written(
                id,
                requests.variables()
                        .put(id, items, orNull(ifModifyVersion), lockId, asked(requestId)));
    }

    @Override
    public VariableWritten deleteVariable(
            VariableId id, OptionalLong ifModifyVersion, String requestId)
            throws Refused, Trouble, InterruptedException {
        return written(
                id, requests.variables().delete(id, orNull(ifModifyVersion), asked(requestId)));
    }

    @Override
    public VariableWritten lockVariable(
            VariableId id, Secrets items, Duration ttl, Duration delay, String requestId)
            throws Refused, Trouble, InterruptedException {
        return written(id, requests.variables().lock(id, items, ttl, delay, asked(requestId)));
    }

    @Override
    public VariableWritten renewLock(VariableId id, String lockId, String requestId)
            throws Refused, Trouble, InterruptedException {
        return written(id, requests.variables().renew(id, lockId, asked(requestId)));
    }

    @Override
    public VariableWritten releaseLock(VariableId id, String lockId, String requestId)
            throws Refused, Trouble, InterruptedException {
        return written(id, requests.variables().release(id, lockId, asked(requestId)));
    }

    private VariableWritten written(VariableId id, Done<VariableReply> done) {
        return switch (done.reply()) {
            case VariableReply.Done stored ->
                    new VariableWritten(false, Optional.of(stored.row(id)), done.version());
            case VariableReply.Gone _ ->
                    new VariableWritten(false, Optional.empty(), done.version());
            // It may have changed once more: then that stands in the way.
            case VariableReply.Conflicting _ ->
                    new VariableWritten(
                            true, requests.reads().known().variables().find(id), done.version());
        };
    }

    @Override
    public Configured configureScheduling(
            SchedulingRow wanted, OptionalLong ifModifyVersion, String requestId)
            throws Refused, Trouble, InterruptedException {
        Done<ConfigureScheduling.Reply> done =
                requests.scheduling().configure(wanted, orNull(ifModifyVersion), asked(requestId));
        return new Configured(done.reply().updated(), done.version());
    }

    private static @Nullable Long orNull(OptionalLong number) {
        return number.isPresent() ? number.getAsLong() : null;
    }

    @Override
    public void collectGarbage(String requestId) throws Refused, Trouble, InterruptedException {
        requests.collectGarbage(Deadline.in(time, LONGEST));
    }

    private Asked asked(String requestId) {
        return new Asked(
                requestId.isEmpty() ? Optional.empty() : Optional.of(requestId),
                Deadline.in(time, LONGEST));
    }
}
