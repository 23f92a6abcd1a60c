package io.cleat.views;

import io.cleat.base.Ids;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.Secrets;
import io.cleat.model.HostVolumeSpec;
import io.cleat.model.JobId;
import io.cleat.model.JobSource;
import io.cleat.model.JobSpec;
import io.cleat.model.JobTag;
import io.cleat.model.Listed;
import io.cleat.model.ListedSnapshot;
import io.cleat.model.ListedVolume;
import io.cleat.model.VariableId;
import io.cleat.model.VolumeId;
import io.cleat.model.VolumeSpec;
import io.cleat.schedule.Scheduler;
import io.cleat.server.decide.DrainNode;
import io.cleat.server.decide.ScaleJob;
import io.cleat.server.decide.TagJobVersion;
import io.cleat.state.Change;
import io.cleat.state.ClusterState;
import io.cleat.state.Encrypted;
import io.cleat.state.EvaluationRow;
import io.cleat.state.HostVolumeRow;
import io.cleat.state.JobRow;
import io.cleat.state.NamespaceRow;
import io.cleat.state.SchedulingRow;
import io.cleat.state.Trigger;
import io.cleat.state.VariableLock;
import io.cleat.state.VariableRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Writes down what it is asked; a rehearsal is run by the real scheduler. */
final class FakeWrites implements Writes {
    private final ClusterState state;
    final List<String> asked = new ArrayList<>();

    /** Whether variables are not as their writers think. */
    boolean conflicts;

    final List<JobSpec> jobs = new ArrayList<>();
    final List<VolumeSpec> volumes = new ArrayList<>();
    final List<Optional<JobSource>> sources = new ArrayList<>();

    FakeWrites(ClusterState state) {
        this.state = state;
    }

    @Override
    public Rehearsed rehearse(JobSpec job, int priority) {
        JobRow row = state.job(job.id()).orElse(Town.jobRow(job));
        ClusterState after =
                row.createVersion() > 0 && row.spec().equals(job)
                        ? state
                        : state.apply(
                                List.of(new Change.JobPut(Town.jobRow(job))),
                                state.version() + 1,
                                Town.AT);
        EvaluationRow evaluation =
                EvaluationRow.pending(
                        "e-9",
                        after.job(job.id()).orElseThrow(),
                        50,
                        Trigger.JOB_REGISTER,
                        "",
                        Town.AT);
        return new Rehearsed(
                state,
                after,
                evaluation,
                new Scheduler(after, Ids.random(), Town.AT).plan(evaluation));
    }

    @Override
    public Evaluated registerJob(
            JobSpec job,
            @Nullable JobSource source,
            OptionalLong ifJobModifyVersion,
            int priority,
            String requestId) {
        jobs.add(job);
        sources.add(Optional.ofNullable(source));
        asked.add("register " + job.id() + " if " + ifJobModifyVersion + " as " + requestId);
        return new Evaluated("e-1", 77, 77, 76);
    }

    @Override
    public Evaluated revertJob(JobId job, long number, @Nullable Long enforced, String requestId) {
        asked.add("revert " + job + " to " + number + " if " + enforced);
        return new Evaluated("e-2", 78, 78, 78);
    }

    @Override
    public Evaluated scaleJob(
            JobId job,
            String group,
            @Nullable Integer count,
            long checkedVersion,
            ScaleJob.Said said,
            String requestId) {
        asked.add(
                "scale "
                        + group
                        + " of "
                        + job
                        + (count == null ? "" : " to " + count + " at " + checkedVersion)
                        + (said.equals(ScaleJob.Said.NOTHING) ? "" : " " + said));
        return new Evaluated("e-3", 80, 80, 80);
    }

    @Override
    public Evaluated forcePeriodicJob(JobId job, String requestId) {
        asked.add("force " + job);
        return new Evaluated("e-4", 82, 82, 81);
    }

    @Override
    public Dispatched dispatchJob(
            JobId job, String payload, Map<String, String> meta, int priority, String requestId) {
        asked.add("dispatch " + job + " with " + payload + ", " + meta + " at " + priority);
        return new Dispatched(job.id() + "/dispatch-1-a", "e-5", 83);
    }

    @Override
    public long markStable(JobId job, long number, boolean stable) {
        asked.add("stable " + job + " " + number + " " + stable);
        return 79;
    }

    @Override
    public Tagged tagVersion(TagJobVersion command) {
        asked.add("tag " + command);
        return new Tagged(new JobTag(command.name(), "d", Instant.EPOCH.plusSeconds(1)), 80);
    }

    @Override
    public DeploymentChanged pauseDeployment(String id, boolean pause, String requestId) {
        asked.add("pause " + id + " " + pause);
        return new DeploymentChanged("", 80, null);
    }

    @Override
    public DeploymentChanged promoteDeployment(String id, List<String> groups, String requestId) {
        asked.add("promote " + id + " " + groups);
        return new DeploymentChanged("e-3", 81, null);
    }

    @Override
    public DeploymentChanged failDeployment(String id, String requestId) {
        asked.add("fail " + id);
        return new DeploymentChanged("e-4", 82, 3L);
    }

    @Override
    public DeploymentChanged setHealth(
            String id, List<String> healthy, List<String> unhealthy, String requestId) {
        asked.add("health " + id + " " + healthy + " " + unhealthy);
        return new DeploymentChanged("e-5", 83, null);
    }

    @Override
    public Evaluated deregisterJob(
            JobId job,
            boolean purge,
            boolean force,
            boolean noShutdownDelay,
            int priority,
            String requestId) {
        asked.add("deregister " + job + " purge " + purge + " force " + force);
        return new Evaluated("", 0, 70, 0);
    }

    @Override
    public Evaluated stopAllocation(String allocId, boolean noShutdownDelay, String requestId) {
        asked.add("stop " + allocId);
        return new Evaluated("e-2", 78, 78, 0);
    }

    @Override
    public Evaluated evaluateJob(JobId job, boolean forceReschedule, String requestId) {
        asked.add("evaluate " + job + " force " + forceReschedule);
        return new Evaluated("e-3", 79, 79, 12);
    }

    @Override
    public long drainNode(
            String nodeId,
            DrainNode.@Nullable Wish wish,
            boolean markEligible,
            Map<String, String> meta,
            String requestId) {
        asked.add("drain " + nodeId + " as " + wish + " eligible " + markEligible + " " + meta);
        return 71;
    }

    @Override
    public long markNode(String nodeId, boolean eligible, String requestId) {
        asked.add("mark " + nodeId + " eligible " + eligible);
        return 72;
    }

    @Override
    public long registerVolume(VolumeSpec volume, Secrets secrets, String requestId) {
        volumes.add(volume);
        asked.add("register " + volume.id() + " with " + secrets + " as " + requestId);
        return 79;
    }

    @Override
    public long createVolume(VolumeSpec volume, Secrets secrets, String requestId) throws Refused {
        if (volume.id().id().startsWith("bad")) {
            throw new Refused(new Refusal.Conflict("no room for " + volume.id().id()));
        }
        volumes.add(volume);
        asked.add("create " + volume.id() + " as " + requestId);
        return 80;
    }

    @Override
    public long deregisterVolume(VolumeId volume, boolean force, String requestId) {
        asked.add("deregister " + volume + " force " + force);
        return 81;
    }

    @Override
    public long deleteVolume(VolumeId volume, Secrets secrets, String requestId) {
        asked.add("delete " + volume);
        return 82;
    }

    @Override
    public long detachVolume(
            VolumeId volume,
            String nodeId,
            boolean abandon,
            String machineIsOff,
            String requestId) {
        asked.add("detach " + volume + " from " + nodeId + " abandon " + abandon);
        return 83;
    }

    @Override
    public Cancelled cancelOperation(String operationId) {
        asked.add("cancel " + operationId);
        return new Cancelled("it is being cancelled", 84);
    }

    @Override
    public long endQuarantine(
            String nodeId, boolean accept, String machineIsOff, String requestId) {
        asked.add("quarantine " + nodeId + " accept " + accept + " off " + machineIsOff);
        return 84;
    }

    @Override
    public EvaluationsDeleted deleteEvaluations(
            List<String> ids, boolean leavesNeeded, String requestId) {
        asked.add("delete evaluations " + ids + " but needed " + leavesNeeded);
        return new EvaluationsDeleted(ids.size(), 0, 87);
    }

    @Override
    public NodeEvaluated evaluateNode(String nodeId) {
        asked.add("evaluate node " + nodeId);
        return new NodeEvaluated(List.of("e-6"), 86, 12);
    }

    @Override
    public long purgeNode(String nodeId, String requestId) {
        asked.add("purge " + nodeId);
        return 85;
    }

    @Override
    public ListedSnapshot createSnapshot(
            VolumeId volume,
            String name,
            Map<String, String> parameters,
            Secrets secrets,
            String requestId)
            throws Refused {
        if (name.startsWith("bad")) {
            throw new Refused(new Refusal.Conflict("no room for " + name));
        }
        asked.add("snapshot " + name + " of " + volume + " as " + requestId);
        return new ListedSnapshot("snap-" + name, "x1", 20_971_520, Instant.EPOCH, true);
    }

    @Override
    public long deleteSnapshot(
            String pluginId, String snapshotId, Secrets secrets, String requestId) {
        asked.add("delete snapshot " + snapshotId + " of " + pluginId);
        return 84;
    }

    @Override
    public Listed<ListedSnapshot> listSnapshots(
            String pluginId, int most, String token, Secrets secrets) {
        return new Listed<>(
                List.of(new ListedSnapshot("s1", "x1", 5, Instant.EPOCH, false)), "next");
    }

    @Override
    public Listed<ListedVolume> listVolumes(String pluginId, int most, String token) {
        return new Listed<>(
                List.of(
                        new ListedVolume("x1", 5, Map.of("k", "v"), List.of("n1"), false, "fine"),
                        new ListedVolume("x2", 6, Map.of(), List.of(), true, "broken")),
                "2");
    }

    @Override
    public List<String> unheardInRecovery() {
        return List.of();
    }

    @Override
    public int endRecovery(String by, boolean force) {
        return 2;
    }

    @Override
    public int abandonHoldings(String nodeId) {
        return 3;
    }

    @Override
    public PutVolume putHostVolume(HostVolumeSpec volume, String path, String requestId) {
        asked.add("put " + volume + " at " + path);
        HostVolumeSpec noted =
                volume.withId(volume.id().isEmpty() ? "hv-1" : volume.id()).on("n1", "default");
        return new PutVolume(HostVolumeRow.of(noted, Instant.EPOCH), 82);
    }

    @Override
    public long deleteHostVolume(VolumeId volume, boolean force, String requestId) {
        asked.add("delete " + volume + (force ? " by force" : ""));
        return 83;
    }

    @Override
    public long withdrawService(String namespace, String name, String id, String requestId) {
        asked.add("withdraw " + id + " of " + name + " in " + namespace);
        return 85;
    }

    @Override
    public long deleteHostVolumeClaim(String namespace, String id, String requestId) {
        asked.add("delete claim " + id + " in " + namespace);
        return 84;
    }

    @Override
    public void applyNamespace(NamespaceRow wanted, String requestId) {
        asked.add("apply " + wanted);
    }

    @Override
    public void deleteNamespace(String name, String requestId) {
        asked.add("delete namespace " + name);
    }

    @Override
    public Secrets itemsOf(VariableRow row) {
        return Secrets.of(Map.of("of", row.items().ciphertext()));
    }

    @Override
    public VariableWritten putVariable(
            VariableId id,
            Secrets items,
            OptionalLong ifModifyVersion,
            String lockId,
            String requestId) {
        asked.add("put " + id + " " + items.reveal() + " if " + ifModifyVersion + " as " + lockId);
        return written(id, null);
    }

    @Override
    public VariableWritten deleteVariable(
            VariableId id, OptionalLong ifModifyVersion, String requestId) {
        asked.add("delete " + id + " if " + ifModifyVersion);
        return new VariableWritten(conflicts, state.variables().find(id), 86);
    }

    @Override
    public VariableWritten lockVariable(
            VariableId id, Secrets items, Duration ttl, Duration delay, String requestId) {
        asked.add("lock " + id + " " + items.reveal() + " for " + ttl + ", " + delay);
        return written(id, VariableLock.taken("l-1", ttl, delay));
    }

    @Override
    public VariableWritten renewLock(VariableId id, String lockId, String requestId) {
        asked.add("renew " + lockId + " of " + id);
        return written(id, VariableLock.taken(lockId, Duration.ofSeconds(15), Duration.ZERO));
    }

    @Override
    public VariableWritten releaseLock(VariableId id, String lockId, String requestId) {
        asked.add("release " + lockId + " of " + id);
        return written(id, null);
    }

    private VariableWritten written(VariableId id, @Nullable VariableLock lock) {
        return conflicts
                ? new VariableWritten(true, state.variables().find(id), 87)
                : new VariableWritten(
                        false,
                        Optional.of(
                                VariableRow.of(id, Encrypted.NONE, Town.AT)
                                        .withLock(lock, Town.AT)
                                        .stamped(80, 87)),
                        87);
    }

    @Override
    public Configured configureScheduling(
            SchedulingRow wanted, OptionalLong ifModifyVersion, String requestId) {
        asked.add("configure " + wanted + " if " + ifModifyVersion);
        return new Configured(true, 81);
    }

    @Override
    public void collectGarbage(String requestId) {
        asked.add("collect garbage");
    }
}
